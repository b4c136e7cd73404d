"""The end of the history, compared with the state of the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mqsc.store.past.messages import PastQueues
from mqsc.store.past.places import Place
from mqsc.store.sql.rows import MessageState

_WITHOUT_UNIT: Mapping[int, str] = {
    MessageState.PUT: "is put and not committed, but belongs to no unit of work",
    MessageState.GOT: "is got and not committed, but belongs to no unit of work",
}


class MessageThere(NamedTuple):
    """A message of the store: owner and name of its queue, MsgId, and the unit of work that has
    put or got it.

    `is_locked_by_nobody`: it is locked by a handle that does not exist.
    """

    qmgr: str
    queue: str
    msg_id: bytes
    unit: int | None
    state: int
    is_locked_by_nobody: int = 0

    @property
    def is_got(self) -> bool:
        """Whether a unit of work has got it."""
        return self.state == MessageState.GOT

    @property
    def contradiction(self) -> str:
        """What its state and its unit of work say about each other that cannot be; blank for
        nothing.
        """
        if self.state not in set(MessageState):
            return f"has the state {self.state}, which does not exist"
        if self.unit is None:
            return _WITHOUT_UNIT.get(self.state, "")
        is_in_unit = self.state in _WITHOUT_UNIT
        return (
            ""
            if is_in_unit
            else f"belongs to unit of work {self.unit}, which has neither put nor got it"
        )


class QueueThere(NamedTuple):
    """A local queue now: its depth, how many messages the store has, and whether its puts and
    gets are recorded.
    """

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
        return dict(
            Counter(
                (message.qmgr, message.queue) for message in self.messages if not message.is_got
            )
        )


class Finding(NamedTuple):
    """Something that cannot be: `what` in words, where, about which message, and the numbers of
    the events.
    """

    what: str
    qmgr: str = ""
    queue: str = ""
    msg_id: bytes | None = None
    events: tuple[int, ...] = ()


def compared(followed: PastQueues, there: StateThere) -> Iterator[Finding]:
    """What differs between the messages after the last event and those of the store."""
    for queue in there.queues:
        if queue.depth != queue.messages:
            what = f"CURDEPTH is {queue.depth}, but {queue.messages} messages are on the queue"
            yield Finding(what, queue.qmgr, queue.queue)
    rows: dict[tuple[str, str], Counter[bytes]] = {}
    in_units: Counter[tuple[Place, int, bytes, bool]] = Counter()
    for message in there.messages:
        if message.is_locked_by_nobody:
            what = "is locked by a handle that does not exist, so no get or browse finds it"
            yield Finding(what, message.qmgr, message.queue, message.msg_id)
        if message.contradiction:
            yield Finding(message.contradiction, message.qmgr, message.queue, message.msg_id)
        if not message.is_got:
            rows.setdefault((message.qmgr, message.queue), Counter())[message.msg_id] += 1
        if message.unit is not None:
            in_units[
                followed.place(message.qmgr, message.queue),
                message.unit,
                message.msg_id,
                not message.is_got,
            ] += 1
    for key in rows:
        followed.place(*key)
    for place in list(followed.places.values()):
        stored = rows.get((place.owner, place.name))
        is_empty = not (place.messages or stored or place.is_counted())
        if not (place.unknown or is_empty):
            yield from _of_place(place, stored or Counter())
    yield from _of_units(followed, in_units)


def _of_place(place: Place, rows: Counter[bytes]) -> Iterator[Finding]:
    where = place.owner, place.name
    expected = Counter(
        {
            msg_id: number
            for msg_id, same in place.messages.items()
            if (number := sum(each.got_by is None for each in same))
        },
    )
    if place.is_counted():
        if expected.total() + place.guests != rows.total():
            what = (
                f"{expected.total() + place.guests} messages should be there, but {rows.total()} "
                "are"
            )
            yield Finding(
                f"{what}; CLEAR or MOVE took or brought some, so it is not known which",
                *where,
            )
        return
    for msg_id, number in (expected - rows).items():
        yield Finding(f"should be there{_times(number)}, but is not", *where, msg_id)
    for msg_id in rows - expected:
        wrong = (
            f" instead of {expected[msg_id]}" if expected[msg_id] else ", but no event put it there"
        )
        yield Finding(f"is there{_times(rows[msg_id])}{wrong}", *where, msg_id)


def _of_units(
    followed: PastQueues,
    in_units: Counter[tuple[Place, int, bytes, bool]],
) -> Iterator[Finding]:
    recorded = Counter(
        (each.place, unit, each.msg_id, each.got_by is None)
        for unit, ours in followed.units.items()
        for each in ours
        if not each.place.is_gone
    )
    for where, messages in (
        ("open in the history, but not in the store", recorded - in_units),
        ("open in the store, but not in the history", in_units - recorded),
    ):
        for place, unit, msg_id, is_put in messages:
            call = "put" if is_put else "got"
            what = f"was {call} by unit of work {unit}, which is {where}"
            if not place.unknown:
                yield Finding(what, place.owner, place.name, msg_id)


def _times(number: int) -> str:
    return "" if number == 1 else f" {number} times"
