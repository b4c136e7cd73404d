"""The search in the history, and its index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.engine.change_watch import Sleeper
from mqsc.store.engine.state import StoreState
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules import event_index, message_trace
from mqsc.store.rules.event_index import (
    BACKOUT_ON_ANY_QUEUE,
    EventFacts,
    SegmentEntry,
    Wanted,
    bounds_of,
    prints_of,
    segment_of,
)
from mqsc.store.rules.names import prefix_range
from mqsc.store.sql import history, search
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries

_UNLIMITED = -1


class EventSelection(NamedTuple):
    """A selection of events: about a queue (or a generic name such as `APP.*`), of a queue manager,
    unit or connection.

    From the time `since` up to, not including, `until` (microseconds UTC), of one of the kinds and
    causes. What is None or empty may be anything.
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
        """The selection as `store.sql.search` takes it."""
        named = ("low", "high")
        names = dict(zip(named, prefix_range(self.queue), strict=True)) if self.queue else {}
        lists = {"kinds": sorted(self.kinds), "causes": sorted(self.causes)}
        single = {
            name: getattr(self, name) for name in ("qmgr", "unit", "connection", "since", "until")
        }
        return {
            **names,
            **{name: value for name, value in single.items() if value is not None},
            **{name: value for name, value in lists.items() if value},
        }

    def wanted(self) -> Wanted:
        """The same for the index, which may find too much, never too little."""
        is_name = self.queue is not None and not self.queue.endswith("*")
        of_earlier_versions = [BACKOUT_ON_ANY_QUEUE] if "BACKOUT" in self.kinds else []
        groups = (
            [event_index.of_queue(str(self.queue)), BACKOUT_ON_ANY_QUEUE] if is_name else [],
            [] if self.unit is None else [event_index.of_unit(self.unit)],
            [] if self.connection is None else [event_index.of_connection(self.connection)],
            [*map(event_index.of_kind, self.kinds), *of_earlier_versions],
            [event_index.of_cause(each) for each in self.causes],
        )
        return Wanted(tuple(each for each in groups if each), self.since, self.until)


Inform = Callable[[], None]


def _nothing() -> None:
    pass


def events(
    store: StoreState,
    selection: EventSelection,
    *,
    first: int = 1,
    last: int | None = None,
    inform: Inform = _nothing,
) -> Iterator[message_trace.TracedEvent]:
    """The events of a selection in order, from number `first` up to `last`, by default the last one
    now.

    `inform` is called if the index of the history lacks so much that this takes seconds.
    """
    values = selection.values()
    for low, high in EventIndex(store, inform).ranges(selection.wanted(), first=first, last=last):
        rows = store.read(search.search, low, high, values, _UNLIMITED)
        yield from map(message_trace.event_of, rows)


def newest(
    store: StoreState,
    selection: EventSelection,
    most: int,
    *,
    last: int | None = None,
    inform: Inform = _nothing,
) -> list[message_trace.TracedEvent]:
    """The newest events of a selection up to number `last`, no more than `most`, in order."""
    values, events = selection.values(), list[message_trace.TracedEvent]()
    if most == 0:
        return events
    for low, high in EventIndex(store, inform).ranges(
        selection.wanted(),
        last=last,
        newest_first=True,
    ):
        rows = store.read(search.search, low, high, values, most - len(events), newest_first=True)
        events += map(message_trace.event_of, rows)
        if len(events) == most:
            break
    return events[::-1]


def chosen(store: StoreState, selection: EventSelection, numbers: Iterable[int]) -> set[int]:
    """Those of the events with these numbers that belong to a selection."""
    chosen_numbers: set[int] = set()
    ordered = sorted(numbers)
    for begin in range(0, len(ordered), event_index.SEGMENT):
        part = ordered[begin : begin + event_index.SEGMENT]
        rows = store.read(
            search.search,
            part[0],
            part[-1],
            {**selection.values(), "numbers": part},
            _UNLIMITED,
        )
        chosen_numbers |= {row[0] for row in rows}
    return chosen_numbers


def numbered(
    store: StoreState,
    numbers: Iterable[int],
) -> Iterator[message_trace.TracedEvent]:
    """The events with these numbers, which are in order."""
    for _, part in groupby(numbers, segment_of):
        of_segment = [*part]
        wanted = {"numbers": of_segment}
        rows = store.read(search.search, of_segment[0], of_segment[-1], wanted, _UNLIMITED)
        yield from map(message_trace.event_of, rows)


def is_known(store: StoreState, selection: EventSelection, *, inform: Inform = _nothing) -> bool:
    """Whether the queue exists, or there ever were events of the selection."""
    if selection.queue is not None and selection.unit is None and selection.connection is None:
        low, high = prefix_range(selection.queue)
        with Reading(store.database) as reading:
            if search.queue_is_defined(reading, low, high, selection.qmgr or ""):
                return True
    return bool(newest(store, selection.subject(), 1, inform=inform))


def last_event(store: StoreState) -> int:
    """The number of the last event of the store."""
    return int(store.read(history.bound)[0])


def wait_for_event(store: StoreState, last: int, look_up: Inform = _nothing) -> None:
    """Wait until there is an event after number `last`, of whichever program.

    `look_up` is called again and again meanwhile; an exception that it raises ends the wait.
    """
    sleeper = Sleeper(lambda: last_event(store) > last)
    try:
        while not store.change_watch.pause(sleeper, float("inf")):
            look_up()
    finally:
        store.change_watch.end(sleeper)


# Which parts of the history may hold an event: from the index, to which every reader adds what it
# misses.

# Entries in one read.
PAGE = 32
# How long to wait for another program that writes; the entry can be made another time.
PATIENCE_SECONDS = 1.0
# A reader that has made so many says so: it takes some seconds.
MANY = 100


def _entry_of(tx: Queries, segment: int) -> SegmentEntry:
    """The entry of the events that are there now."""
    first, last = bounds_of(segment)
    earliest, latest = search.times(tx, first, last)
    ids, units = search.ids(tx, first, last), search.units(tx, first, last)
    facts = map(EventFacts._make, search.facts(tx, first, last))
    backed_out_on = search.queues_backed_out(tx, first, last)
    return SegmentEntry(segment, earliest, latest, prints_of(ids, units, facts, backed_out_on))


def make_again(store: StoreState, segment: int) -> None:
    """Make the entry of a segment anew after events were removed; nothing if it has none.

    Otherwise the index would keep 38 KB of each segment whose events are gone.
    """
    with Transaction(store.database, durable=False) as tx:
        if search.remove_entry(tx, segment):
            search.add_entry(tx, *_entry_of(tx, segment))


class EventIndex:
    """The index of a store's history, as one reader uses it.

    `inform` is called once if many entries must be made. A store that cannot be written is read
    without adding any.
    """

    def __init__(self, store: StoreState, inform: Inform = _nothing) -> None:
        self._store = store
        self._inform = inform
        self._entries_made = 0
        self._is_writable = True

    def ranges(
        self,
        wanted: Wanted,
        *,
        first: int = 1,
        last: int | None = None,
        newest_first: bool = False,
    ) -> Iterator[tuple[int, int]]:
        """The numbers of the first and last event of each segment that may hold what is wanted, in
        order.

        From event `first` up to `last`, by default the last one now. The groups of `wanted` may
        change meanwhile.
        """
        low, high = self._store.read(search.bounds)
        complete = segment_of(high + 1)
        low, high = max(low, first), high if last is None else min(high, last)
        if low > high:
            return
        pages = range(segment_of(low), segment_of(high) + 1, PAGE)
        for page in reversed(pages) if newest_first else pages:
            until = min(page + PAGE, segment_of(high) + 1)
            for entry in self._entries(page, until, complete, newest_first):
                if isinstance(entry, int) or wanted.may_be_in(entry):
                    begin, end = bounds_of(entry if isinstance(entry, int) else entry.segment)
                    yield max(begin, low), min(end, high)

    def make_next(self, after: int = -1) -> int | None:
        """Make the entry of the first complete segment after `after` that has none, unless the
        store cannot be written.

        Returns the last segment that is known to have an entry, as all since `after` have; None if
        there is nothing to make now.
        """
        with Reading(self._store.database) as reading:
            low, high = search.bounds(reading)
            missing = search.first_missing(
                reading,
                max(segment_of(low), after + 1),
                segment_of(high + 1),
            )
        if missing is None or not self._is_writable:
            return None
        self._make(missing)
        return missing

    def _entries(
        self,
        first: int,
        until: int,
        complete: int,
        newest_first: bool,
    ) -> Iterator[SegmentEntry | int]:
        """The entries of the segments from `first` to before `until`; the number of one that has
        none.
        """
        known = {
            row[0]: SegmentEntry(*row) for row in self._store.read(search.entries, first, until - 1)
        }
        segments = range(first, until)
        for segment in reversed(segments) if newest_first else segments:
            entry = known.get(segment)
            if entry is None and segment < complete and self._is_writable:
                entry = self._make(segment)
            yield segment if entry is None else entry

    def _make(self, segment: int) -> SegmentEntry:
        with Reading(self._store.database) as reading:
            entry = _entry_of(reading, segment)
        self._add(entry)
        self._entries_made += 1
        if self._entries_made == MANY:
            self._inform()
        return entry

    def _add(self, entry: SegmentEntry) -> None:
        """Add an entry to the index; without one, that segment is read at every look-up."""
        database = self._store.database
        patience, database.busy_timeout = database.busy_timeout, PATIENCE_SECONDS
        try:
            with Transaction(database, durable=False) as tx:
                search.add_entry(tx, *entry)
        except StoreError:
            # A disk that is full, or a file that cannot be written.
            self._is_writable = False
        except MQError as error:
            if error.reason != MQRC.RESOURCE_PROBLEM:
                raise
            self._is_writable = False
        finally:
            database.busy_timeout = patience
