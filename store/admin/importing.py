"""Imported events: appended to the history under the name of their queue manager, each record once.

A record is known by its fingerprint. The fingerprints, the events and the position in the file are one transaction, so
that an import that was killed goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from store.engine.state import QueueManagerState, StoreState
from store.error import ImportedNameError
from store.sql import history, maintenance, managers, messages, queues
from store.sql.rows import EventRow
from store.sqlite.database import Queries, Reading, Transaction


class FoundRecord(NamedTuple):
    """A record of a file: its fingerprint, and the events that it becomes, perhaps none."""

    fingerprint: str
    events: Sequence[EventRow]


def _refuse_own_name(tx: Queries, qmgr: str) -> None:
    group = managers.group(tx)
    if managers.by_name(tx, qmgr) is not None or (group is not None and group.name == qmgr):
        raise ImportedNameError(
            f"{qmgr} is a queue manager of this store, and imported events are kept apart from its own; "
            "give another name with --as"
        )


def new_records(store: StoreState, found: Iterable[FoundRecord]) -> list[FoundRecord]:
    """Those of the records that were not imported yet; ImportedNameError as from `add_records`."""
    listed = list(found)
    with Reading(store.database) as reading:
        for qmgr in {row.qmgr for each in listed for row in each.events}:
            _refuse_own_name(reading, qmgr)
        known = maintenance.known_records(reading, (each.fingerprint for each in listed))
    return [each for each in listed if each.fingerprint not in known]


def add_records(
    store: StoreState, found: Sequence[FoundRecord], position: tuple[str, Mapping[str, Any]] | None = None
) -> list[FoundRecord]:
    """Record the events of those of the records that are new, and return these.

    `position` is a file and the state in which its import is left, for `position_of`. ImportedNameError if a queue
    manager or a group of the store has the name of one of the events.
    """
    with Transaction(store.database, durable=False) as tx:
        known = maintenance.known_records(tx, (each.fingerprint for each in found))
        new = [each for each in found if each.fingerprint not in known]
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
    with Reading(store.database) as reading:
        found = maintenance.import_position_of(reading, file)
    return json.loads(found) if found else {}


def set_backout_counts(store: StoreState, qmgr: str, queue: str, counts: Iterable[tuple[bytes, int]]) -> None:
    """Set the backout counts of messages on a local queue, by MsgId, as they were where the messages come from."""
    with Transaction(store.database, durable=False) as tx:
        found = queues.visible(tx, QueueManagerState(store, qmgr).call_context(tx).qmgr, queue)
        if found is not None:
            for msg_id, backouts in counts:
                messages.set_backout_count(tx, found.id, msg_id, backouts)
