"""Statements for `mqsc doctor` (counters compared with rows, gaps), archiving and pruning the
history, and imports.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_column, first_row, first_value, only_row
from mqsc.store.sql.rows import ArchiveRow, ImportPositionRow
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)
# The state of the last range claimed when it is in the archive.
COMMITTED = "COMMITTED"


class WrongDepth(NamedTuple):
    """A queue whose depth differs from the number of its messages."""

    id: int
    qmgr: str
    queue: str
    depth: int
    messages: int


def wrong_depths(tx: Queries) -> list[WrongDepth]:
    """Return the queues whose depth is wrong; messages got by an open unit of work do not count."""
    return every_row(WrongDepth, tx.execute(SQL["wrong_depths"], ()))


def damaged_definitions(tx: Queries, limit: int) -> list[Any]:
    """Return (queue manager, type, name) of objects whose attributes are not JSON."""
    return tx.execute(SQL["damaged_definitions"], (limit,)).fetchall()


def messages_without_queue(tx: Queries) -> int:
    return first_value(int, tx.execute(SQL["messages_without_queue"], ()))


def messages_without_unit(tx: Queries) -> int:
    """Return how many messages are put or got in a unit of work of no connection that is not in
    doubt either.
    """
    return first_value(int, tx.execute(SQL["messages_without_unit"], ()))


class LostReference(NamedTuple):
    """How many rows of a table name a row of another table that does not exist."""

    table: str
    referenced: str
    number: int


def lost_references(tx: Queries) -> list[LostReference]:
    """Return these numbers for the references between messages, handles, connections, processes,
    queues and queue managers, also those that are 0.
    """
    return every_row(LostReference, tx.execute(SQL["lost_references"], ()))


class OrphanedLock(NamedTuple):
    """A handle that does not exist, and a queue of which it holds the lock of a message."""

    handle: int
    queue: int


def orphaned_locks(tx: Queries) -> list[OrphanedLock]:
    return every_row(OrphanedLock, tx.execute(SQL["orphaned_locks"], ()))


class OrphanedHandles(NamedTuple):
    """A connection that does not exist but has handles, and their queue manager."""

    connection: int
    qmgr: str


def orphaned_handles(tx: Queries) -> list[OrphanedHandles]:
    return every_row(OrphanedHandles, tx.execute(SQL["orphaned_handles"], ()))


def orphaned_connections(tx: Queries) -> list[int]:
    """Return the connections whose process is not registered."""
    return first_column(tx.execute(SQL["orphaned_connections"], ()))


class InDoubtRow(NamedTuple):
    """A unit in doubt, and the liveness file of the process that runs the channel of its name,
    if one does.
    """

    qmgr: str
    name: str
    luwid: str
    messages: int
    file: str | None


def in_doubt(tx: Queries) -> list[InDoubtRow]:
    """Return the units in doubt of all queue managers."""
    return every_row(InDoubtRow, tx.execute(SQL["in_doubt"], ()))


class History(NamedTuple):
    """The number of events that are not pruned, the first and the last, the last number that was
    given out, and how many of the events before the first pruning has left.
    """

    events: int
    first: int
    last: int
    counter: int
    left: int


def history(tx: Queries) -> History:
    return only_row(History, tx.execute(SQL["history"], ()))


def queue_managers(tx: Queries) -> int:
    return first_value(int, tx.execute(SQL["queue_managers"], ()))


def connections_by_process(tx: Queries) -> list[Any]:
    """Return the liveness file of each process, and its number of connections."""
    return tx.execute(SQL["connections_by_process"], ()).fetchall()


def archiving(tx: Queries) -> ArchiveRow | None:
    """Return the row about the store's archive, or None."""
    return first_row(ArchiveRow, tx.execute(SQL["archiving"], ()))


def not_archived(identity: str) -> ArchiveRow:
    """Return the row of a store with that UUID that was never archived."""
    return ArchiveRow(
        number=1,
        store=identity,
        state=COMMITTED,
        url="",
        first=0,
        last=0,
        sha256="",
        pruned=0,
    )


def write_archiving(tx: Transaction, row: ArchiveRow) -> None:
    tx.replace("archive", row)


# The fields of `store.rules.archive_ranges.PastEvent`; the last says whether a message with the MsgId
# is in the store.
PAST_COLUMNS = ("seq", "at", "qmgr", "kind", "cause", "unit", "waits")


def old_events(tx: Queries, after: int, until: int, most: int) -> list[Any]:
    """Return PAST_COLUMNS of the first `most` events numbered after `after` and up to `until`,
    in order.
    """
    return tx.execute(SQL["old_events"], (after, until, most)).fetchall()


def remove_events(tx: Transaction, numbers: list[int]) -> int:
    """Remove the events with these numbers."""
    return tx.execute(SQL["remove_events"], (json_list(numbers),)).rowcount


def known_records(tx: Queries, fingerprints: list[str]) -> list[str]:
    """Return those of the fingerprints whose records were imported."""
    return first_column(tx.execute(SQL["known_records"], (json_list(fingerprints),)))


def _add_record(tx: Transaction, fingerprint: str) -> int:
    return tx.execute(SQL["add_record"], (fingerprint,)).lastrowid


def add_records(tx: Transaction, fingerprints: Iterable[str]) -> None:
    """Add the fingerprints of records that are imported now."""
    tx.execute_for_each(SQL["add_record"], ((each,) for each in fingerprints))


def is_imported(tx: Queries, qmgr: str) -> bool:
    """Return whether events of a queue manager of this name were imported."""
    return tx.execute(SQL["is_imported"], (qmgr,)).fetchone() is not None


def add_imported_manager(tx: Transaction, qmgr: str) -> int:
    """Record that events of a queue manager are imported; nothing happens if it is known."""
    return tx.execute(SQL["add_imported_manager"], (qmgr,)).lastrowid


def import_position_of(tx: Queries, file: str) -> str:
    """Return the state in which the import of a file was left, or blank."""
    return first_value(str, tx.execute(SQL["import_position_of"], (file,)))


def keep_import_position(tx: Transaction, file: str, state: str) -> None:
    """Keep the state in which the import of a file is left, for `import_position_of`."""
    tx.replace("import_position", ImportPositionRow(file, state))
