"""Statements for `mqsc doctor` (counters compared with rows, gaps), archiving and pruning the history, and imports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from store.sql.core import *
from store.sql.rows import UNIT_BITS, ArchiveRow, ImportPositionRow, MessageState
from store.sql.statements import change, column, exists, find, for_each, insertion, one, rows, tuples, value
from store.sqlite.database import Transaction

_e, _m = event.c, message.c
_r, _g, _p = imported_record.c, imported_manager.c, import_position.c


class WrongDepth(NamedTuple):
    """A queue whose depth differs from the number of its messages."""

    id: int
    qmgr: str
    queue: str
    depth: int
    messages: int


@rows(WrongDepth)
def wrong_depths() -> ClauseElement:
    """Return the queues whose depth is wrong; messages got by an open unit of work do not count."""
    return text(
        f"""SELECT queue.id, queue.owner, queue.name, queue.depth, count(message.id) AS found
  FROM queue LEFT JOIN message ON message.queue = queue.id AND message.state <> {MessageState.GOT:d}
 GROUP BY queue.id HAVING queue.depth <> found ORDER BY queue.owner, queue.name"""
    )


@tuples
def damaged_definitions(limit: int) -> ClauseElement:
    """Return (queue manager, type, name) of objects whose attributes are not JSON."""
    return text(
        "SELECT owner, type, name FROM object WHERE NOT json_valid(attributes) ORDER BY owner, type, name LIMIT :limit_"
    )


@value(int)
def messages_without_queue() -> ClauseElement:
    return text("SELECT count(*) FROM message WHERE queue NOT IN (SELECT id FROM queue)")


@value(int)
def messages_without_unit() -> ClauseElement:
    """Return how many messages are put or got in a unit of work of no connection that is not in doubt either."""
    return text(
        f"""SELECT (SELECT count(*) FROM message WHERE unit IS NOT NULL
   AND unit NOT IN (SELECT number FROM prepared_unit) AND unit >> {UNIT_BITS} NOT IN (SELECT id FROM connection))
   + (SELECT count(*) FROM message WHERE state <> {MessageState.AVAILABLE:d} AND unit IS NULL)"""
    )


class InDoubtRow(NamedTuple):
    """A unit in doubt, and the liveness file of the process that runs the channel of its name, if one does."""

    qmgr: str
    name: str
    luwid: str
    messages: int
    file: str | None


@rows(InDoubtRow)
def in_doubt() -> ClauseElement:
    """Return the units in doubt of all queue managers."""
    return text(
        """SELECT prepared_unit.qmgr, prepared_unit.name, luwid, count(message.id),
       (SELECT min(file) FROM channel_status JOIN process ON process.id = channel_status.process
         WHERE channel_status.qmgr = prepared_unit.qmgr AND channel = prepared_unit.name)
  FROM prepared_unit LEFT JOIN message ON message.unit = number
 GROUP BY number ORDER BY prepared_unit.qmgr, number"""
    )


class History(NamedTuple):
    """The number of events that are not pruned, the first and the last, and the last number that was given out."""

    events: int
    first: int
    last: int
    counter: int


@one(History)
def history() -> ClauseElement:
    return text(
        """SELECT (SELECT count(*) FROM event WHERE seq > pruned), pruned + 1,
       (SELECT max(pruned, coalesce(max(seq), 0)) FROM event),
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)
  FROM (SELECT coalesce(max(pruned), 0) AS pruned FROM archive)"""
    )


@value(int)
def queue_managers() -> ClauseElement:
    return text("SELECT count(*) FROM queue_manager")


@tuples
def connections_by_process() -> ClauseElement:
    """Return the liveness file of each process, and its number of connections."""
    return text(
        """SELECT process.file, count(connection.id) FROM process LEFT JOIN connection
       ON connection.process = process.id GROUP BY process.id ORDER BY process.id"""
    )


# Return the row about the store's archive, or None.
archiving = find(ArchiveRow, "archive")


def write_archiving(tx: Transaction, row: ArchiveRow) -> None:
    tx.replace("archive", row)


# The fields of `store.rules.event_index.PastEvent`; the last says whether a message with the MsgId is in the store.
PAST_COLUMNS = ("seq", "at", "qmgr", "kind", "cause", "unit", "waits")


@tuples
def old_events(after: int, until: int, most: int) -> ClauseElement:
    """Return PAST_COLUMNS of the first `most` events numbered after `after` and up to `until`, in order."""
    # Each from an index, without the data of the messages.
    msg_ids = union(select(_m.msg_id).where(READY), select(_m.msg_id).where(IN_UNIT))
    found = select(*(_e[name] for name in PAST_COLUMNS[:-1]), _e.msg_id.in_(msg_ids).label(PAST_COLUMNS[-1]))
    return found.where(_e.seq > after, _e.seq <= until).order_by(_e.seq).limit(most)


@change
def remove_events(numbers: list[int]) -> ClauseElement:
    """Remove the events with these numbers."""
    return delete(event).where(_e.seq.in_(values_of(numbers)))


# What was imported from files of other queue managers.


@column(str)
def known_records(fingerprints: list[str]) -> ClauseElement:
    """Return those of the fingerprints whose records were imported."""
    return select(_r.fingerprint).where(_r.fingerprint.in_(values_of(fingerprints)))


@insertion
def _add_record(fingerprint: str) -> ClauseElement:
    return insert(imported_record).values(fingerprint=fingerprint)


def add_records(tx: Transaction, fingerprints: Iterable[str]) -> None:
    """Add the fingerprints of records that are imported now."""
    for_each(tx, _add_record, ((each,) for each in fingerprints))


@exists
def is_imported(qmgr: str) -> ClauseElement:
    """Return whether events of a queue manager of this name were imported."""
    return select(ONE).select_from(imported_manager).where(_g.name == qmgr)


@insertion
def add_imported_manager(qmgr: str) -> ClauseElement:
    """Record that events of a queue manager are imported; nothing happens if it is known."""
    return insert(imported_manager).prefix_with("OR IGNORE").values(name=qmgr)


@value(str)
def import_position_of(file: str) -> ClauseElement:
    """Return the state in which the import of a file was left, or blank."""
    return select(_p.state).where(_p.file == file)


def keep_import_position(tx: Transaction, file: str, state: str) -> None:
    """Keep the state in which the import of a file is left, for `import_position_of`."""
    tx.replace("import_position", ImportPositionRow(file, state))
