"""What events do to messages: which messages were on queues after an event, and what came to each
queue and went.

A message is known by the event of its put. CLEAR and MOVE are recorded with how many messages they
took, not which, so every event of a queue is followed, from its beginning. `--as-of` makes a state
of what is found here, and the audit compares it with what the store has and reports events that
contradict each other.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.past.ended_units import EndedUnits
from mqsc.store.past.places import PastMessage, Place, Queue
from mqsc.store.rules.message_trace import SKIPPED, is_marked

# The events that change what is on queues; EXPIRE and DISCARD in a unit describe a get.
KINDS = (
    "PUT",
    "GET",
    "COMMIT",
    "BACKOUT",
    "EXPIRE",
    "DISCARD",
    "CLEAR",
    "MOVE",
    "TRIGGER",
    "DEAD_LETTER",
)
_ENDS = {
    "EXPIRE": "expired",
    "DISCARD": "discarded",
    "DEAD_LETTER": "dead_lettered",
    "REQUEUE": "forwarded",
    "FORWARD": "forwarded",
}
# Outside a unit of work, these take the message off its queue.
_TAKES = frozenset({"EXPIRE", "DISCARD"})
_KEPT = frozenset({"FIRST", "DEPTH"})
# What BACKOUT says beside names of queues.
_SPECIAL = frozenset({SKIPPED, "kept message", "deleted queue"})
_NOTHING_UNDONE = {"puts": 0, "gets": 0}


class PastEvent(NamedTuple):
    """The columns of an event that matter here (`store.published`)."""

    seq: int
    kind: str
    qmgr: str
    queue: str
    target: str
    msg_id: bytes
    unit: int | None
    put_at: int | None
    detail: str | None
    cause: str | None = None
    rule: str | None = None
    expires_at: int | None = None

    @property
    def told(self) -> dict[str, Any]:
        """Its detail, a JSON object."""
        return dict(json.loads(self.detail)) if self.detail else {}

    @property
    def there(self) -> Queue:
        """The queue to which a MOVE takes messages."""
        return self.told.get("target_owner", self.qmgr), self.target or ""

    @property
    def is_marked(self) -> bool:
        """Whether MQGMO_MARK_SKIP_BACKOUT was given."""
        return is_marked(self.told)

    @property
    def keeps(self) -> bool:
        """Whether it is about a trigger message, or a dead letter in place of it, that stays when
        its unit of work is backed out: of type FIRST or DEPTH.
        """
        return self.told.get("type") in _KEPT


# An ordinary PUT, GET or COMMIT: its number; the owner and name of the queue as one text with a
# blank between them, or None for COMMIT; whether it is a put; time of the put, unit of work, and
# MsgId.
Call = tuple[int, str | None, bool, int | None, int | None, bytes]


class Fault(NamedTuple):
    """Something that cannot have happened: `what` in words, the events, and where, if that is
    known.
    """

    what: str
    events: tuple[int, ...]
    qmgr: str
    place: Place | None = None
    msg_id: bytes | None = None
    # It cannot have happened, whatever the history does not know.
    is_certain: bool = False


class PastQueues:
    """The messages on queues, as events are followed."""

    def __init__(
        self,
        fault: Callable[[Fault], None] = lambda fault: None,
        unknown: Callable[[str, str], str] = lambda owner, name: "",
    ) -> None:
        """`fault` is called with what cannot have happened; `unknown` says why nothing is known
        of a queue before.
        """
        self.places: dict[str, Place] = {}
        # What open units of work have put and got.
        self.units: dict[int, list[PastMessage]] = {}
        self._kept: dict[int, set[bytes]] = {}
        self.ended = EndedUnits()
        self._fault, self._unknown = fault, unknown

    def follow(self, event: PastEvent) -> None:
        """Follow the next event."""
        step = _STEPS.get(event.kind)
        if step is not None:
            step(self, event)

    def follow_calls(
        self,
        calls: Iterable[Call],
        others: Sequence[PastEvent],
        step: Callable[[PastEvent], None],
    ) -> None:
        """Follow ordinary calls, and give the other events to `step`, all in their order.

        With a step for each they would take twice as long, and three times as long to be read.
        """
        places = self.places
        units = self.units
        waiting = list(reversed(others))
        after = waiting[-1].seq if waiting else 1 << 63
        for seq, name, is_put, put_at, unit, msg_id in calls:
            while seq > after:
                step(waiting.pop())
                after = waiting[-1].seq if waiting else 1 << 63
            if name is None:
                self._end_unit(seq, unit)
                continue
            place = places.get(name) or self._place_named(name)
            same = place.messages.get(msg_id)
            if is_put:
                place.put += 1
                message = PastMessage(seq, msg_id, put_at, seq, unit, place)
                if same is None:
                    place.messages[msg_id] = [message]
                else:
                    same.append(message)
            else:
                place.got += 1
                if (
                    same is None
                    or len(same) > 1
                    or same[0].got_by is not None
                    or same[0].put_by is not None
                ):
                    message = self._taken_message(place, msg_id, unit, put_at, seq, "got")
                else:
                    message = same[0]
                if unit is None:
                    place.remove(message)
                elif same is not None and len(same) == 1:
                    message.got_by = unit
                else:
                    place.hold(message, unit)
            if unit is not None:
                ours = units.get(unit)
                if ours is None:
                    units[unit] = ours = []
                ours.append(message)
        while waiting:
            step(waiting.pop())

    def place(self, owner: str, name: str) -> Place:
        """What is known of a queue."""
        return self.places.get(f"{owner} {name}") or self._place_named(f"{owner} {name}")

    def held(self) -> set[tuple[PastMessage, int]]:
        """The messages that open units of work have got, and whose gets count as such, each with
        its unit.
        """
        return {
            (message, unit)
            for unit, message in self._in_units()
            if message.got_by == unit and not (message.is_settled or message.place.is_gone)
        }

    def _in_units(self) -> Iterator[tuple[int, PastMessage]]:
        for unit, messages in self.units.items():
            for message in messages:
                yield unit, message

    def on_queue(self, queue: Queue) -> list[PastMessage]:
        """The messages of a queue in the order of their arrival."""
        place = self.places.get(" ".join(queue))
        return place.in_order() if place else []

    def is_kept(self, message: PastMessage) -> bool:
        """Whether it is a trigger message that stays when its open unit of work is backed out."""
        return message.msg_id in self._kept.get(message.put_by or 0, ())

    def _place_named(self, both: str) -> Place:
        owner, _, name = both.partition(" ")
        place = self.places[both] = Place(owner, name, self._unknown(owner, name))
        return place

    # Single messages.

    def _put(self, event: PastEvent) -> None:
        place = self.place(event.qmgr, event.queue)
        place.put += 1
        message = PastMessage(event.seq, event.msg_id, event.put_at, event.seq, event.unit, place)
        place.add(message)
        if event.unit is not None:
            self.units.setdefault(event.unit, []).append(message)

    def _get(self, event: PastEvent) -> None:
        place = self.place(event.qmgr, event.queue)
        place.got += 1
        self._take(place, event, "got")

    def _take(self, place: Place, event: PastEvent, how: str) -> None:
        message = self._taken_message(place, event.msg_id, event.unit, event.put_at, event.seq, how)
        if event.unit is None:
            place.remove(message)
        else:
            place.hold(message, event.unit)
            message.is_marked = event.is_marked
            self.units.setdefault(event.unit, []).append(message)

    def _taken_message(
        self,
        place: Place,
        msg_id: bytes,
        unit: int | None,
        put_at: int | None,
        seq: int,
        how: str,
    ) -> PastMessage:
        """The message that an event took; of several with one MsgId, the one that was put at the
        same time.
        """
        first = None
        for message in place.messages.get(msg_id, ()):
            if message.got_by is None and (message.put_by is None or message.put_by == unit):
                if message.put_at == put_at:
                    return message
                first = first or message
        return first or self._unexpected(
            place,
            PastMessage(seq, msg_id, put_at, seq, None, place),
            how,
        )

    def _unexpected(self, place: Place, message: PastMessage, how: str) -> PastMessage:
        """A message that should not be there: one that CLEAR has left, one that was not
        known, or a fault.
        """
        left = place.presumed.get(message.msg_id)
        if left:
            message = left.pop()
            for instead in place.oldest():
                place.presumed.setdefault(instead.msg_id, []).append(instead)
                break
        elif place.guests:
            place.guests -= 1
        else:
            place.excess += 1
            what = f"{how}, but not on the queue then"
            self._fault(Fault(what, (message.seq,), place.owner, place, message.msg_id))
        place.add(message)
        return message

    def _end(self, event: PastEvent) -> None:
        """EXPIRE, DISCARD and others: of a message on a queue, or in a unit of work the
        description of a get.
        """
        if event.kind == "DEAD_LETTER":
            self._keep(event)
        # Without the time of its put, a message was on no queue: a channel carried it.
        if event.put_at is None or event.queue is None or event.msg_id is None:
            return
        place, name = self.place(event.qmgr, event.queue), _ENDS[event.kind]
        if event.unit is None and event.kind in _TAKES:
            place.other[name] += 1
            self._take(place, event, name)
            return
        same = [
            each
            for each in place.messages.get(event.msg_id, ())
            if each.got_by == (event.unit or 0)
        ]
        if same:
            place.got -= 1
            place.other[name] += 1
            # The last one, if each of them has ended in another way before.
            message = next((each for each in reversed(same) if not each.is_settled), same[-1])
            message.is_settled = True
        else:
            what = f"{name.replace('_', '-')} in a unit of work that had not got it"
            self._fault(Fault(what, (event.seq,), event.qmgr, place, event.msg_id))

    def _keep(self, event: PastEvent) -> None:
        if event.unit is not None and event.msg_id is not None and event.keeps:
            self._kept.setdefault(event.unit, set()).add(event.msg_id)

    # Units of work.

    def _commit(self, event: PastEvent) -> None:
        self._end_unit(event.seq, event.unit or 0)

    def _end_unit(self, seq: int, unit: Any) -> None:
        ours = self.units.pop(unit, None)
        self._kept.pop(unit, None)
        if self._ends_again(seq, unit, ""):
            return
        if ours is None:
            what = f"unit of work {unit} ends, but has no put or get, or has ended before"
            self._fault(Fault(what, (seq,), ""))
            return
        for message in ours:
            if message.got_by == unit:
                message.place.remove(message)
            elif message.put_by == unit:
                message.put_by = None

    def _ends_again(self, seq: int, unit: Any, qmgr: str) -> bool:
        """Note that a unit of work ends; whether it had ended before, which cannot be."""
        if self.ended.has(unit):
            what = f"unit of work {unit} ends, but has ended before"
            self._fault(Fault(what, (seq,), qmgr, is_certain=True))
            return True
        self.ended.add(unit)
        return False

    def _back_out(self, event: PastEvent) -> None:
        unit, detail = event.unit or 0, event.told
        ours, kept = self.units.pop(unit, []), self._kept.pop(unit, set())
        if self._ends_again(event.seq, event.unit, event.qmgr):
            return
        skipped = detail.get(SKIPPED)
        if isinstance(skipped, dict):
            # It goes on in another unit of work, also if its queue records no gets.
            self.units.setdefault(skipped.get("unit", 0), [])
        by_place: dict[int, list[PastMessage]] = {}
        for message in ours:
            if not message.place.is_gone:
                by_place.setdefault(id(message.place), []).append(message)
        there = {each[0].place.name: each for each in by_place.values()}
        for name in detail.keys() - there.keys() - _SPECIAL:
            # The queue may be a group's: then nothing is known of it under this name.
            place = self.places.get(f"{event.qmgr} {name}")
            if place is not None and detail[name] != _NOTHING_UNDONE and not self._is_shared(name):
                what = f"a backout undid calls in unit of work {unit} that are missing"
                self._fault(Fault(what, (event.seq,), event.qmgr, place))
        for name, messages in there.items():
            told = detail.get(name)
            self._undo(
                event,
                messages,
                told if isinstance(told, dict) else _NOTHING_UNDONE,
                kept,
                skipped,
            )

    def _is_shared(self, name: str) -> bool:
        return sum(each.name == name for each in self.places.values()) > 1

    def _undo(
        self,
        event: PastEvent,
        ours: list[PastMessage],
        told: Mapping[str, Any],
        kept: set[bytes],
        skipped: Any,
    ) -> None:
        """Undo the calls of a unit of work on one queue; `told` is how many the backout says
        that it undid.
        """
        place, unit = ours[0].place, event.unit or 0
        gets = [message for message in ours if message.got_by == unit]
        puts = [message for message in ours if message.put_by == unit and message.got_by != unit]
        stays = None
        if len(gets) == told.get("gets", 0) + 1 and isinstance(skipped, dict):
            same = [
                message
                for message in reversed(gets)
                if message.msg_id.hex() == skipped.get("msg_id")
            ]
            stays = max(same, key=lambda message: message.is_marked, default=None)
        undone = dict(_NOTHING_UNDONE)
        for message in puts:
            if message.msg_id in kept:
                message.put_by = None
                continue
            undone["puts"] += 1
            place.other["withdrawn"] += 1
            place.remove(message)
        if stays is not None:
            gets.remove(stays)
            stays.got_by, stays.is_marked = skipped.get("unit", 0), False
            self.units[stays.got_by or 0].append(stays)
        place.give_back(gets)
        undone["gets"] = len(gets)
        place.other["returned"] += len(gets)
        if any(undone[name] != told.get(name, 0) for name in undone):
            said, had = (
                f"{counts.get('puts', 0)} puts and {counts.get('gets', 0)} gets"
                for counts in (told, undone)
            )
            what = f"a backout undid {said}, but the unit had {had}"
            self._fault(Fault(what, (event.seq,), event.qmgr, place))

    # Many messages.

    def _clear(self, event: PastEvent) -> None:
        here, (number, got) = self.place(event.qmgr, event.queue), _numbers(event)
        is_all = self._leave(here, number, "cleared", event)
        if is_all:
            # Of those that units of work have got, all or none.
            held = [each for each in here.in_order() if each.got_by is not None]
            here.messages, here.guests = {}, 0
            if got:
                for message in held:
                    message.is_settled = True
                return
            for message in held:
                here.add(message)
            return
        for message in _first(here, number):
            here.presumed.setdefault(message.msg_id, []).append(message)
        if not here.leaving:
            here.presumed.clear()

    def _move(self, event: PastEvent) -> None:
        here, (number, _) = self.place(event.qmgr, event.queue), _numbers(event)
        there = self.place(*event.there)
        there.other["moved_in"] += number
        self._leave(here, number, "moved_out", event)
        if here.unknown:
            here.messages = {}
        moved = list(_first(here, number))
        for message in moved:
            message.came = event.seq
            there.add(message)
        there.guests += number - len(moved)

    def _leave(self, here: Place, number: int, name: str, event: PastEvent) -> bool:
        """Count the messages that leave at once; whether they are all that are there."""
        present = here.there()
        if number > present:
            here.excess += number - present
            what = f"{event.kind} of {number} messages, but the queue had {present}"
            self._fault(Fault(what, (event.seq,), event.qmgr, here))
        here.other[name] += number
        if number < present:
            return False
        here.leaving, here.presumed = [], {}
        return True


def _first(here: Place, number: int) -> Iterator[PastMessage]:
    """Remove and return the `number` oldest messages; fewer if others are not known."""
    taken = 0
    if number > 0:
        for message in here.oldest():
            taken += 1
            yield message
            if taken == number:
                return
    here.guests = max(here.guests - number + taken, 0)


def _numbers(event: PastEvent) -> tuple[int, int]:
    """How many messages CLEAR or MOVE took off a queue, and how many more units of work had got
    already.
    """
    detail = event.told
    all_, got = (
        each if isinstance(each, int) else 0
        for each in (detail.get("messages"), detail.get("got", 0))
    )
    return all_ - got, got


_STEPS: Mapping[str, Callable[[PastQueues, PastEvent], None]] = {
    "PUT": PastQueues._put,
    "GET": PastQueues._get,
    "COMMIT": PastQueues._commit,
    "BACKOUT": PastQueues._back_out,
    **dict.fromkeys(_ENDS, PastQueues._end),
    "TRIGGER": PastQueues._keep,
    "CLEAR": PastQueues._clear,
    "MOVE": PastQueues._move,
}
