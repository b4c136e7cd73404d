"""The records of files of other queue managers that the history has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.engine.state import StoreState
from mqsc.store.error import ImportedNameError
from mqsc.store.sql import history, maintenance, managers
from mqsc.store.sql.rows import EventRow
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries


class FoundRecord(NamedTuple):
    """A record of a file: its fingerprint, and the events that it becomes, perhaps none."""

    fingerprint: str
    events: Sequence[EventRow]


def own_names(store: StoreState, defined: Iterable[str] = ()) -> frozenset[str]:
    """The names that imported events cannot have: those of the queue managers of the store and of
    their group.

    `defined` are queue managers that are about to be created, unless the history has imported
    events of their name.
    """
    with Reading(store.database) as reading:
        group = managers.group(reading)
        names = {each.name for each in managers.all(reading)}
        names.update(each for each in defined if not maintenance.is_imported(reading, each))
    return frozenset(names if group is None else names | {group.name})


def is_imported(store: StoreState, qmgr: str) -> bool:
    """Whether events of a queue manager of this name were imported, so that none can have it
    here.
    """
    return bool(store.read(maintenance.is_imported, qmgr))


def _refuse_own_name(tx: Queries, qmgr: str) -> None:
    group = managers.group(tx)
    if managers.by_name(tx, qmgr) is not None or (group is not None and group.name == qmgr):
        raise ImportedNameError(
            f"{qmgr} is a queue manager of this store, and imported events are kept apart from its "
            "own; "
            "give another name with --rename",
        )


def new_records(store: StoreState, records: Iterable[FoundRecord]) -> list[FoundRecord]:
    """Those of the records that were not imported yet; ImportedNameError as from `add_records`."""
    listed = list(records)
    with Reading(store.database) as reading:
        for qmgr in {row.qmgr for each in listed for row in each.events}:
            _refuse_own_name(reading, qmgr)
        known = {*maintenance.known_records(reading, [each.fingerprint for each in listed])}
    return [each for each in listed if each.fingerprint not in known]


def add_records(
    store: StoreState,
    records: Sequence[FoundRecord],
    position: tuple[str, Mapping[str, Any]] | None = None,
) -> list[FoundRecord]:
    """Record the events of those of the records that are new, and return these.

    `position` is a file and the state in which its import is left, for `position_of`.
    ImportedNameError if a queue manager or a group of the store has the name of one of the events.
    """
    with Transaction(store.database, durable=False) as tx:
        known = {*maintenance.known_records(tx, [each.fingerprint for each in records])}
        new = [each for each in records if each.fingerprint not in known]
        rows = [row for each in new for row in each.events]
        for qmgr in {row.qmgr for row in rows}:
            _refuse_own_name(tx, qmgr)
            maintenance.add_imported_manager(tx, qmgr)
        maintenance.add_records(tx, (each.fingerprint for each in new))
        history.append_all(tx, rows)
        if position is not None:
            maintenance.keep_import_position(tx, position[0], json.dumps(position[1]))
    return new


def position_of(store: StoreState, file: str) -> dict[str, Any]:
    """The state in which the import of a file was left, empty for one that was never imported."""
    found = store.read(maintenance.import_position_of, file)
    return json.loads(found) if found else {}
