"""What an audit finds: the messages of the history compared with those of the store, and what a finding says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from store.past.messages import PastQueues
from store.past.places import Place

_TAKES = frozenset({"GET", "EXPIRE", "DISCARD"})
# Of the numbers of a message's events, the last ones are shown.
_SHOWN = 8


class MessageThere(NamedTuple):
    """A message of the store: owner and name of its queue, MsgId, and the unit of work that has put or got it."""

    qmgr: str
    queue: str
    msg_id: bytes
    unit: int | None
    is_got: bool


class QueueThere(NamedTuple):
    """A local queue now: its depth, how many messages the store has, and whether its puts and gets are recorded."""

    qmgr: str
    queue: str
    depth: int
    messages: int
    recorded: bool


class StateThere(NamedTuple):
    """What the store holds after the event `last`; events up to `pruned` are no longer there.

    `counter` is the last number that was ever given to an event.
    """

    messages: list[MessageThere]
    queues: list[QueueThere]
    pruned: int
    last: int
    counter: int

    def numbers(self) -> dict[tuple[str, str], int]:
        """How many messages are on each queue, without those that units of work have got."""
        return dict(Counter((each.qmgr, each.queue) for each in self.messages if not each.is_got))


class Finding(NamedTuple):
    """Something that cannot be: `what` in words, where, about which message, and the numbers of the events."""

    what: str
    qmgr: str = ""
    queue: str = ""
    msg_id: bytes | None = None
    events: tuple[int, ...] = ()


class QueueSums(NamedTuple):
    """The sums of a queue by CAME and WENT, and how many were there at the end; `unknown` says why they prove nothing.

    `by_count`: at the end, CLEAR or MOVE had taken or brought messages whose MsgIds are not known.
    """

    qmgr: str
    queue: str
    sums: Mapping[str, int]
    there: int
    unknown: str
    by_count: bool


# The end of the history and the state of the store.


def compared(followed: PastQueues, there: StateThere) -> Iterator[Finding]:
    """What differs between the messages after the last event and those of the store."""
    for queue in there.queues:
        if queue.depth != queue.messages:
            what = f"CURDEPTH is {queue.depth}, but {queue.messages} messages are on the queue"
            yield Finding(what, queue.qmgr, queue.queue)
    rows: dict[tuple[str, str], Counter[bytes]] = {}
    in_units: Counter[tuple[Place, int, bytes, bool]] = Counter()
    for each in there.messages:
        if not each.is_got:
            rows.setdefault((each.qmgr, each.queue), Counter())[each.msg_id] += 1
        if each.unit is not None:
            in_units[followed.place(each.qmgr, each.queue), each.unit, each.msg_id, not each.is_got] += 1
    for key in rows:
        followed.place(*key)
    for place in list(followed.places.values()):
        if not place.unknown:
            yield from _of_place(place, rows.get((place.owner, place.name), Counter()))
    yield from _of_units(followed, in_units)


def _of_place(place: Place, rows: Counter[bytes]) -> Iterator[Finding]:
    where = place.owner, place.name
    expected = Counter(
        {
            msg_id: number
            for msg_id, same in place.messages.items()
            if (number := sum(each.got_by is None for each in same))
        }
    )
    if place.is_counted():
        if expected.total() + place.guests != rows.total():
            what = f"{expected.total() + place.guests} messages should be there, but {rows.total()} are"
            yield Finding(f"{what}; CLEAR or MOVE took or brought some, so it is not known which", *where)
        return
    for msg_id, number in (expected - rows).items():
        yield Finding(f"should be there{_times(number)}, but is not", *where, msg_id)
    for msg_id in rows - expected:
        wrong = f" instead of {expected[msg_id]}" if expected[msg_id] else ", but no event put it there"
        yield Finding(f"is there{_times(rows[msg_id])}{wrong}", *where, msg_id)


def _of_units(followed: PastQueues, in_units: Counter[tuple[Place, int, bytes, bool]]) -> Iterator[Finding]:
    recorded = Counter(
        (each.place, unit, each.msg_id, each.got_by is None)
        for unit, ours in followed.units.items()
        for each in ours
        if not each.place.is_gone
    )
    for sign, found in (("", recorded - in_units), ("not ", in_units - recorded)):
        for place, unit, msg_id, is_put in found:
            call = "put" if is_put else "got"
            what = f"unit of work {unit} that {call} it is {sign}open in the history, but {sign and 'is '}"
            what += "in the store" if sign else "not in the store"
            if not place.unknown:
                yield Finding(what, place.owner, place.name, msg_id)


def _times(number: int) -> str:
    return "" if number == 1 else f" {number} times"


# Findings for people.

Numbers = Mapping[bytes, Sequence[tuple[int, str, str, str | None]]]


def explained(findings: Sequence[Finding], numbers: Numbers, first: int, end: int) -> Iterator[Finding]:
    """The findings about events from `first` and before `end`, with the numbers of all events about their messages.

    `numbers`: the events of a MsgId as number, kind, queue manager and queue.
    """
    for each in findings:
        about = [row for row in numbers.get(each.msg_id or b"", ()) if row[2:] == (each.qmgr, each.queue)]
        found = _explained(each, about)
        if not found.events or any(first <= seq < end for seq in found.events):
            yield found


def _explained(finding: Finding, about: Sequence[tuple[int, str, str, str | None]]) -> Finding:
    """A finding about an event that took a message which was not there: ended twice, before its put, or without one."""
    seqs = tuple(sorted({*finding.events, *(row[0] for row in about)}))
    what = finding.what
    if what.endswith("not on the queue then") and finding.events:
        puts = [seq for seq, kind, *_ in about if kind == "PUT"]
        ends = [seq for seq, kind, *_ in about if kind in _TAKES and seq < finding.events[0]]
        if ends and any(seq < finding.events[0] for seq in puts):
            what = f"{what}: event {ends[-1]} had ended it already"
        elif puts and min(puts) > finding.events[0]:
            what = f"{what}: its PUT is later"
        elif not puts:
            what = f"{what}: it was never put there"
    return finding._replace(what=what, events=seqs[-_SHOWN:])
