"""Which messages were on queues after an event of the history, from the events up to it.

A message is known by the event of its put. The history counts what CLEAR and MOVE removed, so every event of a queue
is followed, from its beginning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

# The events that change what is on queues, in the order of `PastEvent`; EXPIRE and DISCARD in a unit describe a get.
KINDS = ("PUT", "GET", "COMMIT", "BACKOUT", "EXPIRE", "DISCARD", "CLEAR", "MOVE", "TRIGGER", "DEAD_LETTER")
# Trigger messages of these types, and dead letters in place of them, stay when the unit of work that caused them is
# backed out.
_KEPT = frozenset({"FIRST", "DEPTH"})

# The owner, a queue manager or a queue-sharing group, and the name.
Queue = tuple[str, str]


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


class PastMessage(Struct, eq=False):
    """A message: the number of the event of its put, and of the event by which it came to its queue.

    `put_by` and `got_by` are the open units of work that put and got it, None for none.
    """

    seq: int
    msg_id: bytes
    put_at: int | None
    came: int
    put_by: int | None
    got_by: int | None = None
    backouts: int = 0


class PastQueues:
    """The messages on queues, as events are followed."""

    def __init__(self) -> None:
        # By MsgId, which several messages may have.
        self._queues: dict[Queue, dict[bytes, list[PastMessage]]] = {}
        # What open units of work have put and got.
        self._units: dict[int, list[tuple[Queue, PastMessage]]] = {}
        self._kept: set[bytes] = set()
        self._steps = {
            "PUT": self._put,
            "GET": self._get,
            "COMMIT": self._commit,
            "BACKOUT": self._back_out,
            "EXPIRE": self._discard,
            "DISCARD": self._discard,
            "CLEAR": self._clear,
            "MOVE": self._move,
            "TRIGGER": self._trigger,
            "DEAD_LETTER": self._trigger,
        }

    def follow(self, events: Iterable[PastEvent]) -> None:
        """Follow events in their order."""
        steps = self._steps
        for event in events:
            steps[event.kind](event)

    def on_queue(self, queue: Queue) -> list[PastMessage]:
        """The messages of a queue in the order of their arrival."""
        found = self._queues.get(queue, {}).values()
        return sorted((each for several in found for each in several), key=lambda each: (each.came, each.seq))

    def _put(self, event: PastEvent) -> None:
        message = PastMessage(event.seq, event.msg_id, event.put_at, event.seq, event.unit)
        queue = event.qmgr, event.queue
        self._add(queue, message)
        if event.unit is not None:
            self._units.setdefault(event.unit, []).append((queue, message))

    def _add(self, queue: Queue, message: PastMessage) -> None:
        self._queues.setdefault(queue, {}).setdefault(message.msg_id, []).append(message)

    def _remove(self, queue: Queue, message: PastMessage) -> None:
        same = self._queues.get(queue, {}).get(message.msg_id, [])
        # CLEAR may have removed it before.
        if message in same:
            same.remove(message)
        if not same:
            self._queues.get(queue, {}).pop(message.msg_id, None)

    def _get(self, event: PastEvent) -> None:
        queue = event.qmgr, event.queue
        same = self._queues.get(queue, {}).get(event.msg_id, ())
        units = None, event.unit
        there = [each for each in same if each.got_by is None and each.put_by in units]
        # Of several with one MsgId, the one that was put at the same time.
        message = next((each for each in there if each.put_at == event.put_at), there[0] if there else None)
        if message is None:
            return
        if event.unit is None:
            self._remove(queue, message)
        else:
            message.got_by = event.unit
            self._units.setdefault(event.unit, []).append((queue, message))

    def _discard(self, event: PastEvent) -> None:
        # Without the time of its put, a message was on no queue: a channel carried it.
        if event.unit is None and event.put_at is not None:
            self._get(event)

    def _commit(self, event: PastEvent) -> None:
        unit = event.unit or 0
        for queue, message in self._units.pop(unit, ()):
            if message.got_by == unit:
                self._remove(queue, message)
            elif message.put_by == unit:
                message.put_by = None

    def _back_out(self, event: PastEvent) -> None:
        unit = event.unit or 0
        skipped = _detail(event).get("skipped message", {})
        marked = bytes.fromhex(skipped["msg_id"]) if skipped else b""
        for queue, message in self._units.pop(unit, ()):
            if message.put_by == unit:
                if message.msg_id in self._kept:
                    message.put_by = None
                else:
                    self._remove(queue, message)
            elif message.got_by == unit and message.msg_id == marked:
                message.got_by = skipped["unit"]
                self._units.setdefault(message.got_by or 0, []).append((queue, message))
            elif message.got_by == unit:
                message.got_by = None
                message.backouts += 1

    def _clear(self, event: PastEvent) -> None:
        self._queues.pop((event.qmgr, event.queue), None)

    def _move(self, event: PastEvent) -> None:
        source, owner = (event.qmgr, event.queue), _detail(event).get("target_owner", event.qmgr)
        for message in self.on_queue(source):
            if message.put_by is None and message.got_by is None:
                self._remove(source, message)
                message.came = event.seq
                self._add((owner, event.target), message)

    def _trigger(self, event: PastEvent) -> None:
        if _detail(event).get("type") in _KEPT:
            self._kept.add(event.msg_id)


def _detail(event: PastEvent) -> Mapping[str, Any]:
    return json.loads(event.detail) if event.detail else {}
