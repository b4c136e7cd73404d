"""Which parts of the history may hold an event: from the index, to which every reader adds what it misses."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from store.constants import MQRC
from store.engine.state import StoreState
from store.error import MQError, StoreError
from store.rules.event_index import EventFacts, SegmentEntry, Wanted, bounds_of, prints_of, segment_of
from store.sql import search
from store.sqlite.database import Reading, Transaction

# Entries in one read.
PAGE = 32
# How long to wait for another program that writes; the entry can be made another time.
PATIENCE_SECONDS = 1.0
# A reader that has made so many says so: it takes some seconds.
MANY = 100


class EventIndex:
    """The index of a store's history, as one reader uses it.

    `inform` is called once if many entries must be made. A store that cannot be written is read without adding any.
    """

    def __init__(self, store: StoreState, inform: Callable[[], None] = lambda: None) -> None:
        self._store = store
        self._inform = inform
        self._made = 0
        self._is_writable = True

    def ranges(
        self, wanted: Wanted, *, first: int = 1, last: int | None = None, newest_first: bool = False
    ) -> Iterator[tuple[int, int]]:
        """The numbers of the first and last event of each segment that may hold what is wanted, in order.

        From event `first` up to `last`, by default the last one now. The groups of `wanted` may change meanwhile.
        """
        with Reading(self._store.database) as reading:
            low, high = search.bounds(reading)
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
        """Make the entry of the first complete segment after `after` that has none, unless the store cannot be written.

        Returns the last segment that is known to have an entry, as all since `after` have; None if there is nothing to
        make now.
        """
        with Reading(self._store.database) as reading:
            low, high = search.bounds(reading)
            missing = search.first_missing(reading, max(segment_of(low), after + 1), segment_of(high + 1))
        if missing is None or not self._is_writable:
            return None
        self._make(missing)
        return missing

    def _entries(self, first: int, until: int, complete: int, newest_first: bool) -> Iterator[SegmentEntry | int]:
        """The entries of the segments from `first` to before `until`; the number of one that has none."""
        with Reading(self._store.database) as reading:
            known = {row[0]: SegmentEntry(*row) for row in search.entries(reading, first, until - 1)}
        segments = range(first, until)
        for segment in reversed(segments) if newest_first else segments:
            found = known.get(segment)
            if found is None and segment < complete and self._is_writable:
                found = self._make(segment)
            yield segment if found is None else found

    def _make(self, segment: int) -> SegmentEntry:
        first, last = bounds_of(segment)
        with Reading(self._store.database) as reading:
            earliest, latest = search.times(reading, first, last)
            ids, units = search.ids(reading, first, last), search.units(reading, first, last)
            facts = map(EventFacts._make, search.facts(reading, first, last))
        made = SegmentEntry(segment, earliest, latest, prints_of(ids, units, facts))
        self._add(made)
        self._made += 1
        if self._made == MANY:
            self._inform()
        return made

    def _add(self, made: SegmentEntry) -> None:
        """Add an entry to the index; without one, that segment is read at every look-up."""
        database = self._store.database
        patience, database.busy_timeout = database.busy_timeout, PATIENCE_SECONDS
        try:
            with Transaction(database, durable=False) as tx:
                search.add_entry(tx, *made)
        except StoreError:
            # A disk that is full, or a file that cannot be written.
            self._is_writable = False
        except MQError as error:
            if error.reason != MQRC.RESOURCE_PROBLEM:
                raise
            self._is_writable = False
        finally:
            database.busy_timeout = patience
