"""Looks up events of the history, and waits for new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from store.admin.event_index import EventIndex
from store.engine.change_watch import Sleeper
from store.engine.state import StoreState
from store.rules import event_index, generic_names
from store.rules.event_index import Wanted
from store.rules.message_trace import TracedEvent, event_of
from store.sql import history, search
from store.sqlite.database import Reading

_UNLIMITED = -1


class EventSelection(NamedTuple):
    """Which events: about a queue (or a generic name such as `APP.*`), of a queue manager, unit or connection.

    From the time `since` up to, not including, `until` (microseconds UTC), of one of the kinds and causes. What is None
    or empty may be anything.
    """

    queue: str | None = None
    qmgr: str | None = None
    unit: int | None = None
    connection: int | None = None
    since: int | None = None
    until: int | None = None
    kinds: frozenset[str] = frozenset()
    causes: frozenset[str] = frozenset()

    def subject(self) -> EventSelection:
        """The same without times, kinds and causes."""
        return self._replace(since=None, until=None, kinds=frozenset(), causes=frozenset())

    def values(self) -> dict[str, Any]:
        """The selection as `store.sql.event_search` takes it."""
        named = ("low", "high")
        names = dict(zip(named, generic_names.prefix_range(self.queue), strict=True)) if self.queue else {}
        lists = {"kinds": sorted(self.kinds), "causes": sorted(self.causes)}
        single = {name: getattr(self, name) for name in ("qmgr", "unit", "connection", "since", "until")}
        return {
            **names,
            **{name: value for name, value in single.items() if value is not None},
            **{name: value for name, value in lists.items() if value},
        }

    def wanted(self) -> Wanted:
        """The same for the index, which may find too much, never too little."""
        is_name = self.queue is not None and not self.queue.endswith("*")
        groups = (
            [event_index.of_queue(str(self.queue))] if is_name else [],
            [] if self.unit is None else [event_index.of_unit(self.unit)],
            [] if self.connection is None else [event_index.of_connection(self.connection)],
            [event_index.of_kind(each) for each in self.kinds],
            [event_index.of_cause(each) for each in self.causes],
        )
        return Wanted(tuple(each for each in groups if each), self.since, self.until)


def _nothing() -> None:
    pass


def events(
    store: StoreState,
    selection: EventSelection,
    *,
    first: int = 1,
    last: int | None = None,
    inform: Callable[[], None] = _nothing,
) -> Iterator[TracedEvent]:
    """The events of a selection in order, from number `first` up to `last`, by default the last one now.

    `inform` is called if the index of the history lacks so much that this takes seconds.
    """
    values = selection.values()
    for low, high in EventIndex(store, inform).ranges(selection.wanted(), first=first, last=last):
        with Reading(store.database) as reading:
            rows = search.search(reading, low, high, values, _UNLIMITED)
        yield from map(event_of, rows)


def newest(
    store: StoreState,
    selection: EventSelection,
    most: int,
    *,
    last: int | None = None,
    inform: Callable[[], None] = _nothing,
) -> list[TracedEvent]:
    """The newest events of a selection up to number `last`, no more than `most`, in order."""
    values, found = selection.values(), list[TracedEvent]()
    if most == 0:
        return found
    for low, high in EventIndex(store, inform).ranges(selection.wanted(), last=last, newest_first=True):
        with Reading(store.database) as reading:
            rows = search.search(reading, low, high, values, most - len(found), newest_first=True)
        found += map(event_of, rows)
        if len(found) == most:
            break
    return found[::-1]


def chosen(store: StoreState, selection: EventSelection, numbers: Iterable[int]) -> set[int]:
    """Those of the events with these numbers that belong to a selection."""
    found: set[int] = set()
    ordered = sorted(numbers)
    for begin in range(0, len(ordered), event_index.SEGMENT):
        part = ordered[begin : begin + event_index.SEGMENT]
        with Reading(store.database) as reading:
            rows = search.search(reading, part[0], part[-1], {**selection.values(), "numbers": part}, _UNLIMITED)
        found |= {row[0] for row in rows}
    return found


def is_known(store: StoreState, selection: EventSelection, *, inform: Callable[[], None] = _nothing) -> bool:
    """Whether the queue exists, or there ever were events of the selection."""
    if selection.queue is not None and selection.unit is None and selection.connection is None:
        low, high = generic_names.prefix_range(selection.queue)
        with Reading(store.database) as reading:
            if search.queue_is_defined(reading, low, high, selection.qmgr):
                return True
    return bool(newest(store, selection.subject(), 1, inform=inform))


def last_event(store: StoreState) -> int:
    """The number of the last event of the store."""
    with Reading(store.database) as reading:
        return history.bound(reading)[0]


def wait_for_event(store: StoreState, last: int, look_up: Callable[[], None] = _nothing) -> None:
    """Wait until there is an event after number `last`, of whichever program.

    `look_up` is called again and again meanwhile; an exception that it raises ends the wait.
    """
    sleeper = Sleeper(lambda: last_event(store) > last)
    try:
        while not store.change_watch.pause(sleeper, float("inf")):
            look_up()
    finally:
        store.change_watch.end(sleeper)
