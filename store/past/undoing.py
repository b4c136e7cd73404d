"""Which messages were on queues after an event, from those that are there now: what later events
did is undone.

Only the later events are read, and then those before the moment until the puts of the messages that
are gone are found. CLEAR and MOVE do not say which messages they took, and messages of which a
MsgId, queue and time of put are the same cannot be told apart: their queues are `unclear`, and have
to be followed from the beginning (`messages`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import Any

from msgspec import Struct

from mqsc.store.past.messages import PastEvent
from mqsc.store.past.places import Queue
from mqsc.store.rules.message_trace import skip_of
from mqsc.store.sql.rows import UNIT_BITS, MessageState

# Owner and name of the queue, MsgId, time of the put.
Key = tuple[str, str, bytes, int | None]
_ENDS = frozenset({"EXPIRE", "DISCARD"})
_KEEPERS = frozenset({"TRIGGER", "DEAD_LETTER"})


class FormerMessage(Struct, eq=False):
    """A message of a queue as it was: its row, or the event that describes it if it is gone, and
    its state.

    `came` is the number of the event of its put, 0 if that has not been looked for. `is_kept`: it is
    a trigger message that stays when its unit of work is backed out.
    """

    key: Key
    row_id: int = 0
    event: int = 0
    sequence: int = 0
    state: int = MessageState.AVAILABLE
    unit: int | None = None
    backouts: int = 0
    came: int = 0
    is_changed: bool = False
    is_kept: bool = False


class _Units:
    """How units of work ended, as events are read backwards."""

    def __init__(self) -> None:
        # Whether each was backed out.
        self.ended: dict[int, bool] = {}
        # A message that skipped the backout of a unit of work belongs to another one since.
        self.carried: dict[tuple[int, bytes], int] = {}

    def end(self, event: PastEvent) -> None:
        unit = event.unit or 0
        self.ended[unit] = event.kind == "BACKOUT"
        if skip := skip_of(event.told):
            self.carried[unit, skip.msg_id] = skip.unit

    def of_get(self, event: PastEvent) -> int | None:
        """The unit of work that the message of a GET belonged to in the end."""
        unit = event.unit
        return (
            self.carried.get((unit, event.msg_id), unit)
            if unit is not None and event.is_marked
            else unit
        )


class Undone:
    """What the events after a moment did to messages, as they are undone from the last one to
    the first.
    """

    def __init__(self) -> None:
        # Messages that were there and are gone, by key: the event that removed them.
        self.gone: dict[Key, int] = {}
        self.new: Counter[Key] = Counter()
        # How often gets were backed out; messages that were got by a unit of work that is still
        # open.
        self.backouts: Counter[Key] = Counter()
        self.got: set[Key] = set()
        self.unclear: set[Queue] = set()
        # Owner and name of each queue that was put on or got from, and PUT or GET.
        self.uses: set[tuple[str, str, str]] = set()
        self.units = _Units()
        # The first unit of work of a connection that has a put or get.
        self._first: dict[int, int] = {}
        self._may_be_kept: dict[bytes, Key] = {}

    def undo(self, calls: Sequence[Sequence[Any]], others: Sequence[PastEvent]) -> None:
        """Undo ordinary calls, given by their columns (`Call`), and other events, from the last
        one to the first.
        """
        queues: dict[str, Queue] = {}
        for name, is_put in {*zip(*calls[1:3], strict=True)}:
            if name is not None:
                owner, _, queue = name.partition(" ")
                queues[name] = owner, queue
                self.uses.add((owner, queue, "PUT" if is_put else "GET"))
        waiting = [*others]
        after = waiting[-1].seq if waiting else 0
        for seq, name, is_put, put_at, unit, msg_id in zip(*map(reversed, calls), strict=True):
            while seq < after:
                self._undo_other(waiting.pop())
                after = waiting[-1].seq if waiting else 0
            if name is None:
                self.units.ended[unit or 0] = False
            elif is_put:
                self._undo_put((*queues[name], msg_id, put_at), unit)
            else:
                self._begin(unit)
                self._undo_get((*queues[name], msg_id, put_at), seq, unit)
        while waiting:
            self._undo_other(waiting.pop())

    def _begin(self, unit: int | None) -> None:
        if unit is not None:
            connection = unit >> UNIT_BITS
            if self._first.get(connection, unit) >= unit:
                self._first[connection] = unit

    def _undo_put(self, key: Key, unit: int | None) -> None:
        self._begin(unit)
        if unit is not None and self.units.ended.get(unit):
            self._may_be_kept[key[2]] = key
            self.backouts.pop(key, None)
        elif self.gone.pop(key, None) is None:
            self.new[key] += 1

    def _undo_get(self, key: Key, seq: int, unit: int | None) -> None:
        is_backed_out = unit is not None and self.units.ended.get(unit)
        if is_backed_out is None:
            self.got.add(key)
        elif is_backed_out:
            self.backouts[key] += 1
        else:
            if key in self.gone:
                self.unclear.add(key[:2])
            self.gone[key] = seq

    def _undo_other(self, event: PastEvent) -> None:
        key = event.qmgr, event.queue, event.msg_id, event.put_at
        if event.kind in ("PUT", "GET"):
            self.uses.add((event.qmgr, event.queue, event.kind))
        if event.kind == "PUT":
            self._undo_put(key, event.unit)
        elif event.kind == "GET":
            self._begin(event.unit)
            self._undo_get(key, event.seq, self.units.of_get(event))
        elif event.kind in ("COMMIT", "BACKOUT"):
            self.units.end(event)
        elif event.kind in _ENDS:
            # In a unit of work it describes a get; without the time of its put, a message was on no
            # queue.
            if event.unit is None and event.put_at is not None:
                self._undo_get(key, event.seq, None)
        elif event.kind in _KEEPERS:
            kept = self._may_be_kept.get(event.msg_id) if event.keeps else None
            if kept is not None and self.gone.pop(kept, None) is None:
                self.new[kept] += 1
        elif event.kind in ("CLEAR", "MOVE"):
            self.unclear.add((event.qmgr, event.queue))
            if event.kind == "MOVE":
                self.unclear.add(event.there)

    def may_have_begun(self) -> list[int]:
        """The units of work that ended, or are open, and may have begun before the moment."""
        first = self._first
        begun = {unit for unit in self.units.ended if unit <= first.get(unit >> UNIT_BITS, unit)}
        return sorted(begun | {unit for unit in first.values() if unit not in self.units.ended})

    def queues(self) -> set[Queue]:
        """The queues whose messages were changed."""
        return {key[:2] for keys in (self.gone, self.new, self.backouts, self.got) for key in keys}


class EarlierCalls:
    """The puts and gets, before the moment, in units of work that ended after it, from the last
    one back.
    """

    def __init__(self, units: Iterable[int]) -> None:
        self._wanted: dict[int, set[int]] = {}
        for unit in units:
            self._wanted.setdefault(unit >> UNIT_BITS, set()).add(unit)
        # Of a unit of work whose message went on in a wanted one: that message and the wanted one.
        self._carried: dict[tuple[int, bytes], int] = {}
        self.events: list[PastEvent] = []
        self.kept: set[bytes] = set()

    @property
    def connections(self) -> list[int]:
        """The connections whose events are still of interest."""
        return [*self._wanted]

    def _carriers(self) -> set[int]:
        return {unit for unit, _ in self._carried}

    def take(self, events: Iterable[tuple[Any, ...]]) -> None:
        """Take events of these connections, tuples with the values of PastEvent."""
        for event in starmap(PastEvent, events):
            unit = event.unit or 0
            wanted = self._wanted.get(unit >> UNIT_BITS, set())
            if event.kind == "BACKOUT":
                skip = skip_of(event.told)
                # It leaves that one when that is backed out, too.
                if skip and skip.unit in wanted - self._carriers():
                    self._carried[unit, skip.msg_id] = skip.unit
                    wanted.add(unit)
            elif event.kind in _KEEPERS:
                if event.keeps:
                    self.kept.add(event.msg_id)
            elif (unit, event.msg_id) in self._carried and event.is_marked:
                # Without its mark: it has skipped its backout.
                self.events.append(
                    event._replace(unit=self._carried[unit, event.msg_id], detail=None),
                )
            elif unit in wanted - self._carriers():
                self.events.append(event)
            elif unit < min(wanted, default=unit):
                # The units of work of a connection begin in the order of their numbers.
                self._wanted.pop(unit >> UNIT_BITS, None)


class Places:
    """Where messages that are gone were on their queues: `came` of each, from the events before the
    moment.

    The messages that are still on these queues get theirs too, unless they had come before all of
    those.
    """

    def __init__(self, messages: Iterable[FormerMessage]) -> None:
        self._still: dict[Key, list[FormerMessage]] = {}
        self._sought: dict[Key, FormerMessage] = {}
        self.unclear: set[Queue] = set()
        self._units = _Units()
        self._may_be_kept: dict[bytes, Key] = {}
        for message in messages:
            if message.row_id:
                self._still.setdefault(message.key, []).append(message)
            elif not message.came and self._sought.setdefault(message.key, message) is not message:
                self.unclear.add(message.key[:2])
        self.unclear |= {key[:2] for key in self._sought if key in self._still}
        self._forget_unclear()

    def _forget_unclear(self) -> None:
        for key in [key for key in self._sought if key[:2] in self.unclear]:
            del self._sought[key]

    @property
    def msg_ids(self) -> list[str]:
        """The MsgIds, in hexadecimal, of messages whose events are of interest; none when all
        are found.
        """
        if not self._sought:
            return []
        queues = {key[:2] for key in self._sought}
        return [*{key[2].hex() for key in (*self._sought, *self._still) if key[:2] in queues}]

    def take(self, events: Iterable[tuple[Any, ...]]) -> None:
        """Take events about these MsgIds, and all of BACKOUT and MOVE, from the last one back."""
        for event in starmap(PastEvent, events):
            if not self._sought:
                return
            key = event.qmgr, event.queue, event.msg_id, event.put_at
            if event.kind == "PUT":
                if event.unit is not None and self._units.ended.get(event.unit):
                    self._may_be_kept[event.msg_id] = key
                else:
                    self._arrive(key, event.seq)
            elif event.kind == "BACKOUT":
                self._units.end(event)
            elif event.kind in _KEEPERS:
                if event.keeps and event.msg_id in self._may_be_kept:
                    self._arrive(self._may_be_kept[event.msg_id], event.seq)
            elif event.kind == "MOVE":
                self.unclear.add(event.there)
                self._forget_unclear()
            elif key in self._sought and (
                event.kind == "GET" or (event.unit is None and event.put_at is not None)
            ):
                self._leave(event, self._sought[key])

    def _arrive(self, key: Key, seq: int) -> None:
        if key in self._sought:
            self._sought.pop(key).came = seq
        elif self._still.get(key):
            # The last of those that there are: they are in the order of their arrival.
            self._still[key].pop().came = seq

    def _leave(self, event: PastEvent, message: FormerMessage) -> None:
        unit = self._units.of_get(event)
        if unit is not None and self._units.ended.get(unit):
            message.backouts += 1
        elif unit is None or unit != message.unit:
            self.unclear.add(message.key[:2])
            self._forget_unclear()

    def not_found(self) -> set[Queue]:
        """The queues of messages whose puts no event is about."""
        return {key[:2] for key in self._sought}
