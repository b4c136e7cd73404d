"""A simple, slow model of triggering, written from the rows of triggering §3 and §4. Messages are
counted each time.

The state machine in test_trigger_model.py compares the store with it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.store.triggered_items import (
    DEPTH,
    EVERY,
    FIRST,
    MILLISECOND,
    NONE,
    Item,
    Triggers,
    settle,
    take_first,
)


@dataclass(eq=False)
class TriggeredQueue(Triggers):
    """A queue with its trigger attributes. `servers` are the connections that have it open for
    input.
    """

    name: str
    fifo: bool = False
    default_priority: int = 0
    servers: list[int] = field(default_factory=list)
    last_trigger: int | None = None

    @property
    def suitable(self) -> int:
        """n(Q): includes uncommitted puts, but not uncommitted gets."""
        return sum(item.rank >= self.priority for item in self.items if item.got_by is None)

    @property
    def holds_enough(self) -> bool:
        """Return whether there is a suitable message, or TRIGDPTH of them for DEPTH."""
        return self.suitable >= (self.depth if self.type == DEPTH else 1)


@dataclass(frozen=True)
class Pending:
    """A trigger message in a unit of work. `kept`: a backout does not remove it."""

    queue: str
    unit: int
    kept: bool


@dataclass
class TriggerModel:
    """Queues that trigger to one initiation queue, and the trigger messages made."""

    queues: dict[str, TriggeredQueue]
    interval: int
    now: int
    monitors: set[int] = field(default_factory=set)
    initq_puts: bool = True
    initq_gets: bool = True
    pending: list[Pending] = field(default_factory=list)
    readable: Counter[str] = field(default_factory=Counter)

    def put(self, name: str, priorities: list[int], unit: int | None) -> None:
        """Put messages one after the other (P1 to P13)."""
        queue = self.queues[name]
        for priority in priorities:
            item = Item(queue.default_priority if queue.fifo else priority, put_by=unit)
            before = queue.suitable
            queue.items.append(item)
            if (
                item.rank >= queue.priority
                and self.passes(queue)
                and self.number_is_right(queue, before)
            ):
                self.make(queue, unit)

    def number_is_right(self, queue: TriggeredQueue, before: int) -> bool:
        """Check C3 or C11."""
        if queue.type == FIRST:
            elapsed = None if queue.last_trigger is None else max(0, self.now - queue.last_trigger)
            return before == 0 or elapsed is None or elapsed >= self.interval * MILLISECOND
        return queue.type == EVERY or before >= queue.depth - 1

    def passes(self, queue: TriggeredQueue, *, gets: bool = True, monitor: bool = True) -> bool:
        """Check C4 to C10; C5 only if `gets`, and C8 only if `monitor`."""
        return (
            queue.on
            and queue.type != NONE
            and (queue.gets or not gets)
            and (bool(self.monitors) or not monitor)
            and (queue.type == EVERY or not queue.servers)
            and self.initq_puts
            and self.initq_gets
        )

    def make(self, queue: TriggeredQueue, unit: int | None = None) -> None:
        """Make a trigger message. DEPTH also turns TRIGGER off."""
        queue.last_trigger = self.now
        if unit is None:
            self.readable[queue.name] += 1
        else:
            self.pending.append(Pending(queue.name, unit, queue.type in (FIRST, DEPTH)))
        if queue.type == DEPTH:
            queue.on = False

    def get(self, name: str, unit: int | None) -> bool:
        """Get the first message in delivery order; return whether there was one."""
        return take_first(self.queues[name].items, unit)

    def end_unit(self, unit: int, *, backout: bool) -> None:
        """End a unit of work. This is not an event, but makes pending trigger messages readable
        or removes them.
        """
        ended = [each for each in self.pending if each.unit == unit]
        self.pending = [each for each in self.pending if each.unit != unit]
        self.readable.update(each.queue for each in ended if each.kept or not backout)
        for queue in self.queues.values():
            queue.items, put = settle(queue.items, unit, backout=backout)
            for item in put:
                item.put_by = None

    def close(self, name: str, server: int) -> None:
        """Close an input handle: O-CLOSE."""
        queue = self.queues[name]
        queue.servers.remove(server)
        if (
            not queue.servers
            and queue.type in (FIRST, DEPTH)
            and queue.holds_enough
            and self.passes(queue, gets=False)
        ):
            self.make(queue)

    def alter(self, name: str, values: dict[str, bool | int | str]) -> None:
        """Alter attributes: O-ALTER, or O-GET if that alone is an event. Makes at most one
        trigger message.
        """
        queue = self.queues[name]
        was = queue.settings
        enabled = not queue.gets and bool(values.get("gets"))
        for attribute, value in values.items():
            setattr(queue, attribute, value)
        changed = queue.settings.altered_from(was)
        if queue.holds_enough and (
            (queue.on and changed and self.passes(queue, monitor=False))
            or (enabled and self.passes(queue))
        ):
            self.make(queue)

    def alter_initq(self, *, puts: bool, gets: bool) -> None:
        """Alter the initiation queue: O-INITQ-PUT. Enabling gets is not an event (T61)."""
        enabled = puts and not self.initq_puts
        self.initq_puts, self.initq_gets = puts, gets
        if enabled:
            self.look_at_all()

    def open_monitor(self, monitor: int) -> None:
        """Open the initiation queue: O-OPEN if no other monitor has it open."""
        first = not self.monitors
        self.monitors.add(monitor)
        if first:
            self.look_at_all()

    def look_at_all(self) -> None:
        """Make a trigger message for each queue that holds enough messages."""
        for queue in self.queues.values():
            if queue.holds_enough and self.passes(queue):
                self.make(queue)
