"""Where imports go: the store, the queue manager for definitions and messages, and the history
for everything else.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from msgspec.json import encode
from msgspec.structs import replace

from mqsc.console.parameters import iso
from mqsc.console.target import opened_store, path_of_file
from mqsc.console.text.reasons import counted
from mqsc.imports.log_events import Origin
from mqsc.imports.recognition import Imported, ImportOptions, Remark
from mqsc.imports.source_text import ASSUMED
from mqsc.store.admin.imported_records import (
    FoundRecord,
    add_records,
    is_imported,
    new_records,
    own_names,
)
from mqsc.store.engine.state import StoreState
from mqsc.store.environment import MICROSECONDS, SystemClock
from mqsc.store.error import MissingStoreError
from mqsc.store.sql.rows import EventRow

if TYPE_CHECKING:
    from mqsc.store.client.store import Store

# Behind the name of a queue manager whose definitions were imported where the history has events of
# the real one.
COPY = ".COPY"
_PAGE = 500
# Times before 1990, or a day ahead, are not believed.
_EARLIEST, _AHEAD = 631_152_000 * MICROSECONDS, 86_400 * MICROSECONDS
_LOCAL = "its times have no zone and were taken for UTC; --timezone names the zone"


@contextmanager
def destination(options: ImportOptions, *, create: bool = True) -> Iterator[Store]:
    """The chosen store, with `create` a new one if it is missing; one in memory for a plan
    without a store.
    """
    from mqsc.store.client.store import open_store

    if options.store is not None:
        yield options.store
        return
    if options.plan and options.choices.store_is_missing():
        with open_store("sqlite://") as store:
            yield store
        return
    with opened_store(options.choices, create=create) as store:
        yield store


def check_store_of_named(options: ImportOptions) -> None:
    """StoreError if a queue manager is named, which has to exist, and there is no store."""
    choices = options.choices
    if choices.qmgr_name() is not None and choices.store_is_missing():
        raise MissingStoreError(path_of_file(choices))


class _UndoneError(Exception):
    """Rolls back what a plan did."""


def planned_or_done(
    options: ImportOptions,
    imported: Callable[[ImportOptions], Iterable[Imported]],
) -> Iterator[Imported]:
    """What comes of an import. A plan is one that is undone: each file finds what those before
    it brought.
    """
    if not options.plan:
        yield from imported(options)
        return
    outcomes = list[Imported]()
    with destination(options) as store, suppress(_UndoneError), store.database.one_transaction():
        outcomes += imported(replace(options, plan=False, store=store))
        raise _UndoneError
    yield from outcomes


def name_here(store: StoreState, qmgr: str) -> str:
    """The name of the queue manager of this store for the definitions and messages of a real
    one.
    """
    return f"{qmgr}{COPY}" if qmgr and is_imported(store, qmgr) else qmgr


class Recorder:
    """Records in the history what a file says, each record once, and tells the outcome; with
    `plan`, only the latter.

    `position` is what is kept with the records of a page, for `position_of`. Times after `latest`
    are not believed.
    """

    def __init__(
        self,
        store: StoreState,
        options: ImportOptions,
        outcome: Imported,
        source: str,
    ) -> None:
        own = own_names(store, options.defined)
        name, changed = options.choices.qmgr_name() or "", _changed(outcome.file)
        self.origin = Origin(source, outcome.file, name, options.renamed, own, changed)
        self.position: Callable[[], tuple[str, Mapping[str, Any]] | None] = lambda: None
        self.nameless = 0
        self._store = store
        self._plan = options.plan
        self._outcome = outcome
        self._page: list[FoundRecord] = []
        self._kinds, self._managers = Counter[str](), dict[str, None]()
        self._known = 0
        self._times: list[int] = []
        self.latest = SystemClock().now() + _AHEAD

    def take(self, record: FoundRecord) -> None:
        """Record it, perhaps only with the ones to come."""
        self._page.append(record._replace(events=[*map(self._believed, record.events)]))
        if len(self._page) >= _PAGE:
            self._flush()

    def end(self) -> None:
        """Record what is left, and fill in the outcome."""
        self._flush()
        outcome, file = self._outcome, self._outcome.file
        outcome.qmgr = ", ".join(self._managers)
        outcome.remarks += self.origin.apart(outcome.qmgr)
        outcome.counts = {f"{kind} event": number for kind, number in sorted(self._kinds.items())}
        if self._times:
            first, last = map(iso, self._times)
            outcome.remarks.append(Remark(file, f"from {first} to {last}"))
        if self._known:
            outcome.remarks.append(Remark(file, f"{counted(self._known, 'record')} already there"))
        if self.nameless:
            sentence = f"{counted(self.nameless, 'record')} of no queue manager; name it with -m"
            outcome.faults.append(Remark(file, sentence))

    def _believed(self, event: EventRow) -> EventRow:
        """An event, whose time is marked as unknown if it cannot be right."""
        detail = event.detail or ""
        if f'"zone":"{ASSUMED}"' in detail:
            said = Remark(self._outcome.file, _LOCAL)
            self._outcome.remarks += [] if said in self._outcome.remarks else [said]
        if _EARLIEST <= event.at <= self.latest:
            return event
        values = json.loads(detail)
        place = f"{self._outcome.file}:{values['line']}"
        self._outcome.remarks.append(Remark(place, f"the time {iso(event.at)} cannot be right"))
        return event._replace(detail=encode({**values, "precision": "unknown"}).decode())

    def _flush(self) -> None:
        page, self._page = self._page, []
        new = (
            new_records(self._store, page)
            if self._plan
            else add_records(self._store, page, self.position())
        )
        self._known += len(page) - len(new)
        events = [event for each in new for event in each.events]
        self._kinds.update(event.kind for event in events)
        self._managers.update(dict.fromkeys(event.qmgr for event in events))
        times = [*self._times, *(event.at for event in events)]
        self._times = [min(times), max(times)] if times else []


def _changed(path: str) -> int:
    """When a file was changed, microseconds UTC; 0 for the member of another file."""
    try:
        return os.stat(path).st_mtime_ns // 1000
    except OSError:
        return 0
