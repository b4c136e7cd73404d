"""Which member of a queue-sharing group scans shared queues for expired messages (sharing §8, expiry
A6).
"""

from collections.abc import Sequence
from typing import NamedTuple


class Member(NamedTuple):
    """A member of the group. A candidate is running and has EXPRYINT set.

    `rank` orders the candidates by the time at which they became candidates; it is 0 for a member
    that was not a candidate at the last decision.
    """

    name: str
    is_candidate: bool
    rank: int = 0


class Facts(NamedTuple):
    """The members, and the owner so far; blank for none.

    `ticking` is the member whose `mqsc serve` is about to scan, blank when none is. `owner_serves`:
    a `mqsc serve` runs for the owner; asked only when another member ticks.
    """

    owner: str
    members: Sequence[Member]
    ticking: str = ""
    owner_serves: bool = True


class Verdict(NamedTuple):
    """The owner from now on, blank for none, and the ranks of members that changed."""

    owner: str
    ranks: dict[str, int]


def decide_owner(facts: Facts) -> Verdict:
    """The owner stays while it is a candidate; else the member that has been a candidate longest
    follows.

    A candidate that ticks takes over from an owner without a `mqsc serve`.
    """
    last = max((each.rank for each in facts.members), default=0)
    newcomers = [each.name for each in facts.members if each.is_candidate and not each.rank]
    ranks = {name: last + number for number, name in enumerate(newcomers, start=1)}
    ranks |= {each.name: 0 for each in facts.members if each.rank and not each.is_candidate}
    candidates = [each.name for each in facts.members if each.is_candidate]
    if facts.ticking in candidates and not (facts.owner in candidates and facts.owner_serves):
        return Verdict(facts.ticking, ranks)
    if facts.owner in candidates:
        return Verdict(facts.owner, ranks)
    waited = {
        each.name: ranks.get(each.name, each.rank) for each in facts.members if each.is_candidate
    }
    return Verdict(min(waited, key=lambda name: waited[name], default=""), ranks)


class Scan(NamedTuple):
    """A scan of a shared queue that a member is about to make, and why: a cause of EXPIRE."""

    member: str
    cause: str
    owner: str
    others_run: bool


def may_scan(scan: Scan) -> bool:
    """Whether the member may scan shared queues: by interval only as the owner, at its start
    only when it is alone.
    """
    if scan.cause == "interval":
        return scan.owner == scan.member
    return scan.cause != "restart" or not scan.others_run


def different(intervals: dict[str, int | None]) -> dict[str, int]:
    """EXPRYINT of the members that have it set, by name, if the values differ; else nothing."""
    given = {name: interval for name, interval in intervals.items() if interval is not None}
    return given if len(set(given.values())) > 1 else {}
