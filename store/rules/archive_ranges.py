"""Which events are archived next, and which archived ones may be pruned (archive §1, §3)."""

from collections.abc import Mapping
from typing import NamedTuple

# The most events in a range: a run that is killed loses its work on one range, and a reader can
# skip a whole range.
MOST_EVENTS = 2_000_000


class Claim(NamedTuple):
    """The range of events that a store has claimed last, where, whether it is committed there, and
    what is pruned.

    `sha256` is the hash of its commit file. `last` is 0 before the first claim.
    """

    url: str = ""
    first: int = 0
    last: int = 0
    committed: bool = True
    sha256: str = ""
    pruned: int = 0


class Head(NamedTuple):
    """The last commit of a store in an archive; `last` is 0 if there is none."""

    first: int = 0
    last: int = 0
    sha256: str = ""


class Step(NamedTuple):
    """The next step: archive the events `first` to `last`, or only check them if they are
    `written`.
    """

    first: int
    last: int
    written: bool = False


def next_step(
    claim: Claim,
    head: Head,
    url: str,
    last_event: int,
    most: int = MOST_EVENTS,
) -> Step | None:
    """The next step of archiving to `url`; None when all events are there. ValueError with what
    is wrong.
    """
    if (
        not claim.committed
        and claim.url == url
        and (claim.first, claim.last) == (head.first, head.last)
    ):
        return Step(claim.first, claim.last, written=True)
    _check_head(claim, head, url)
    first = head.last + 1
    if first <= claim.pruned:
        raise ValueError(
            f"events {first} to {claim.pruned} are no longer in the store, and {url} does not have "
            "them: they were "
            f"archived to {claim.url}; archive there, or copy that archive first",
        )
    if not claim.committed and claim.first == first and claim.last <= last_event:
        return Step(first, claim.last)
    if first > last_event:
        return None
    return Step(first, min(last_event, first + most - 1))


def _check_head(claim: Claim, head: Head, url: str) -> None:
    done = claim.last if claim.committed else claim.first - 1
    if head.last > done:
        raise ValueError(
            f"{url} has events of this store up to {head.last}, but the store archived only up to "
            f"{max(done, 0)}: it "
            "was restored from a backup, or a copy of it is archived there too; archive it to "
            "another folder",
        )
    if head.last < done and claim.url == url:
        raise ValueError(
            f"{url} has events of this store up to {head.last}, but the store archived up to "
            f"{done} there: files are "
            "missing; bring them back",
        )
    if (
        claim.committed
        and claim.url == url
        and head.last == claim.last
        and head.sha256 != claim.sha256
    ):
        raise ValueError(
            f"the commit of events {head.first} to {head.last} in {url} is not the one that this "
            "store wrote; run "
            f"`mqsc archive verify {url}`",
        )


class Reader(NamedTuple):
    """Events that calls and commands read long after they were recorded: kinds, causes (none:
    all), and who reads.
    """

    kinds: frozenset[str]
    causes: frozenset[str]
    reads: str


# Each row is a module of `sql` that reads the history; tests/store/rules/test_event_index.py finds
# them all.
READERS: Mapping[str, Reader] = {
    "managers.last_end": Reader(
        frozenset({"CREATE", "END"}),
        frozenset(),
        "how a queue manager ended",
    ),
    "history.times_moved": Reader(
        frozenset({"REQUEUE", "FORWARD"}),
        frozenset(),
        "how often a message was moved",
    ),
    "channels.last_end": Reader(
        frozenset({"CHANNEL"}),
        frozenset({"ended", "failed", "retry", "stopped"}),
        "how a channel ended",
    ),
}
_ENDS_OF_UNITS = frozenset({"COMMIT", "BACKOUT"})
_BY_KIND = {kind: reader.causes for reader in READERS.values() for kind in reader.kinds}


class PastEvent(NamedTuple):
    """The facts of an event that is archived; `waits`: a message with its MsgId is in the store
    (NULL: no MsgId).
    """

    seq: int
    at: int
    qmgr: str
    kind: str
    cause: str | None
    unit: int | None
    waits: int | None


def is_needed(event: PastEvent, units: set[int]) -> bool:
    """Whether something in the store still needs the event, however old it is.

    `units` are the units of work of the needed events before it; the event's is added to them.
    """
    causes = _BY_KIND.get(event.kind)
    needed = (
        bool(event.waits)
        or (event.kind in _ENDS_OF_UNITS and event.unit in units)
        or (causes is not None and (not causes or event.cause in causes))
    )
    if needed and event.unit is not None:
        units.add(event.unit)
    return needed
