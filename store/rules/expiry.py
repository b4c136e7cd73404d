"""When messages expire, and which process looks for those that have.

MQMD.Expiry counts tenths of a second from the put; moments are microseconds UTC.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.headers import layout, mqxqh

UNLIMITED = -1  # MQEI_UNLIMITED
TENTH = 100_000
XMIT_Q_HEADER = "MQXMIT"


def put_fault(expiry: int) -> int:
    """2013 for an Expiry that a put refuses, 0 and every negative one but -1 (expiry E01, E02);
    else 0.

    There is no upper bound: beyond 999 999 999 is accepted as well (expiry E41).
    """
    return 0 if expiry > 0 or expiry == UNLIMITED else MQRC.EXPIRY_ERROR


def capped(expiry: int, caps: Iterable[int]) -> int:
    """The Expiry in force: the lowest of the application's and all CAPEXPRY (tenths) on the path;
    unlimited is capped.

    See expiry E20 to E23. A cap that is not positive is NOLIMIT.
    """
    limits = [cap for cap in caps if cap > 0]
    if not limits:
        return expiry
    lowest = min(limits)
    return lowest if expiry == UNLIMITED else min(expiry, lowest)


def elapsed_tenths(put_at: int, now: int) -> int:
    """Whole tenths of a second since the put; 0 when the clock went back."""
    return max(0, now - put_at) // TENTH


def remaining(expiry: int, put_at: int, now: int) -> int:
    """What is left of an Expiry: -1 stays, 0 means that the message is expired (expiry A2)."""
    return UNLIMITED if expiry == UNLIMITED else max(0, expiry - elapsed_tenths(put_at, now))


def expires_at(expiry: int, put_at: int) -> int | None:
    """The first moment at which the message is expired (expired is now >= expires_at), or None
    for never.
    """
    return None if expiry == UNLIMITED else put_at + expiry * TENTH


def is_expired(expires_at: int | None, now: int) -> bool:
    """Whether a message that expires at that moment is expired; None never expires.

    Decided nowhere else in Python; `store.sql` has the same rule as a clause.
    """
    return expires_at is not None and now >= expires_at


def transmission_fault(
    format: str,
    expiry: int,
    body: bytes,
    encoding: int,
    ccsid: int = 1208,
) -> int:
    """The reason why a message put directly on a transmission queue is refused, or 0 (expiry A5,
    E31 to E34, E42).

    With Format MQXMIT the data begins with a whole MQXQH (2260) whose embedded Expiry is valid, and
    of the two Expiry values both or none are unlimited (2013). Other formats are not checked.
    `expiry` is the application's, uncapped.
    """
    if format != XMIT_Q_HEADER:
        return 0
    try:
        mqxqh.MQXQH.check(body, encoding, ccsid)
    except layout.HeaderError:
        return MQRC.XQH_ERROR
    embedded = mqxqh.embedded_expiry(body, encoding)
    assert embedded is not None
    if put_fault(embedded) or (embedded == UNLIMITED) != (expiry == UNLIMITED):
        return MQRC.EXPIRY_ERROR
    return 0


def transmission_capped(format: str, body: bytes, encoding: int, caps: Iterable[int]) -> bytes:
    """The data of a message put directly on a transmission queue, its embedded Expiry capped
    like the separate one.
    """
    embedded = mqxqh.embedded_expiry(body, encoding) if format == XMIT_Q_HEADER else None
    if embedded is None:
        return body
    becomes = capped(embedded, caps)
    return body if becomes == embedded else mqxqh.with_embedded_expiry(body, becomes, encoding)


def transmission_aged(body: bytes, tenths: int, encoding: int) -> bytes:
    """The data of a Format MQXMIT message, its embedded Expiry less `tenths`, never below 0 (expiry
    A5, E31, E35, E44).

    -1 stays, and data too short to hold the field stays as it is.
    """
    embedded = mqxqh.embedded_expiry(body, encoding)
    if embedded is None or embedded == UNLIMITED or not tenths:
        return body
    return mqxqh.with_embedded_expiry(body, max(0, embedded - tenths), encoding)


# Which member of a queue-sharing group scans shared queues for expired messages (sharing §8, expiry
# A6).


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
