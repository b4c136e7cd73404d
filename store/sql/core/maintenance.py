"""Statements for `mqsc doctor` (counters compared with rows, gaps), archiving and pruning the
history, and imports.
"""

from __future__ import annotations

from sqlalchemy import ClauseElement, delete, insert, select, text, union

from mqsc.store.sql.core.conditions import IN_UNIT, ONE, READY, values_of
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    archive,
    event,
    import_position,
    imported_manager,
    imported_record,
    message,
)
from mqsc.store.sql.maintenance import PAST_COLUMNS
from mqsc.store.sql.rows import UNIT_BITS, MessageState

_e, _m = event.c, message.c
_r = imported_record.c
_g = imported_manager.c
_p = import_position.c


@statement
def wrong_depths() -> ClauseElement:
    return text(
        f"""SELECT queue.id, queue.owner, queue.name, queue.depth, count(message.id) AS found
  FROM queue LEFT JOIN message ON message.queue = queue.id AND message.state <> {MessageState.GOT:d}
 GROUP BY queue.id HAVING queue.depth <> found ORDER BY queue.owner, queue.name""",
    )


@statement
def damaged_definitions(limit: Placeholder) -> ClauseElement:
    return text(
        "SELECT owner, type, name FROM object WHERE NOT json_valid(attributes) ORDER BY owner, "
        "type, name LIMIT :limit_",
    )


@statement
def messages_without_queue() -> ClauseElement:
    return text("SELECT count(*) FROM message WHERE queue NOT IN (SELECT id FROM queue)")


@statement
def messages_without_unit() -> ClauseElement:
    return text(
        f"""SELECT (SELECT count(*) FROM message WHERE unit IS NOT NULL
   AND unit NOT IN (SELECT number FROM prepared_unit) AND unit >> {UNIT_BITS} NOT IN (SELECT id FROM connection))
   + (SELECT count(*) FROM message WHERE state <> {MessageState.AVAILABLE:d} AND unit IS NULL)""",
    )


# A column that names a row of another table, and the table. A row that is not there is damage. That
# of a message and its queue, and that of a unit of work, have statements of their own.
_REFERENCES = (
    ("message", "locked_by", "handle"),
    ("handle", "connection", "connection"),
    ("handle", "queue", "queue"),
    ("handle_path", "handle", "handle"),
    ("handle_path", "queue", "queue"),
    ("connection", "process", "process"),
)


def _lost_of(table: str, column: str, referenced: str) -> str:
    # Some columns have an index of the values that are not NULL only.
    return (
        f"SELECT '{table}', '{referenced}', count(*) FROM {table} WHERE {column} IS NOT NULL\n"
        f"   AND {column} NOT IN (SELECT id FROM {referenced})"
    )


_OWNERS = "SELECT name FROM queue_manager UNION ALL SELECT name FROM sharing_group"


@statement
def lost_references() -> ClauseElement:
    selects = [_lost_of(*each) for each in _REFERENCES]
    selects += [
        f"SELECT '{table}', 'queue_manager', count(*) FROM {table} WHERE owner NOT IN ({_OWNERS})"
        for table in ("queue", "object")
    ]
    return text("\n UNION ALL ".join(selects))


@statement
def orphaned_locks() -> ClauseElement:
    return text(
        """SELECT DISTINCT locked_by, queue FROM message
 WHERE locked_by IS NOT NULL AND locked_by NOT IN (SELECT id FROM handle)""",
    )


@statement
def orphaned_handles() -> ClauseElement:
    return text(
        """SELECT DISTINCT connection, qmgr FROM handle
 WHERE connection NOT IN (SELECT id FROM connection) ORDER BY connection""",
    )


@statement
def orphaned_connections() -> ClauseElement:
    return text(
        """SELECT id FROM connection WHERE process NOT IN (SELECT id FROM process) ORDER BY id""",
    )


@statement
def in_doubt() -> ClauseElement:
    return text(
        """SELECT prepared_unit.qmgr, prepared_unit.name, luwid, count(message.id),
       (SELECT min(file) FROM channel_status JOIN process ON process.id = channel_status.process
         WHERE channel_status.qmgr = prepared_unit.qmgr AND channel = prepared_unit.name)
  FROM prepared_unit LEFT JOIN message ON message.unit = number
 GROUP BY number ORDER BY prepared_unit.qmgr, number""",
    )


@statement
def history() -> ClauseElement:
    return text(
        """SELECT (SELECT count(*) FROM event WHERE seq > pruned), pruned + 1,
       (SELECT max(pruned, coalesce(max(seq), 0)) FROM event),
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0),
       (SELECT count(*) FROM event WHERE seq <= pruned)
  FROM (SELECT coalesce(max(pruned), 0) AS pruned FROM archive)""",
    )


@statement
def queue_managers() -> ClauseElement:
    return text("SELECT count(*) FROM queue_manager")


@statement
def connections_by_process() -> ClauseElement:
    return text(
        """SELECT process.file, count(connection.id) FROM process LEFT JOIN connection
       ON connection.process = process.id GROUP BY process.id ORDER BY process.id""",
    )


@statement
def archiving() -> ClauseElement:
    return select(archive).where()


@statement
def old_events(after: Placeholder, until: Placeholder, most: Placeholder) -> ClauseElement:
    # Each from an index, without the data of the messages.
    msg_ids = union(select(_m.msg_id).where(READY), select(_m.msg_id).where(IN_UNIT))
    query = select(
        *(_e[name] for name in PAST_COLUMNS[:-1]),
        _e.msg_id.in_(msg_ids).label(PAST_COLUMNS[-1]),
    )
    return query.where(_e.seq > after, _e.seq <= until).order_by(_e.seq).limit(most)


@statement
def remove_events(numbers: Placeholder) -> ClauseElement:
    return delete(event).where(_e.seq.in_(values_of(numbers)))


@statement
def known_records(fingerprints: Placeholder) -> ClauseElement:
    return select(_r.fingerprint).where(_r.fingerprint.in_(values_of(fingerprints)))


@statement
def add_record(fingerprint: Placeholder) -> ClauseElement:
    return insert(imported_record).values(fingerprint=fingerprint)


@statement
def is_imported(qmgr: Placeholder) -> ClauseElement:
    return select(ONE).select_from(imported_manager).where(_g.name == qmgr)


@statement
def add_imported_manager(qmgr: Placeholder) -> ClauseElement:
    return insert(imported_manager).prefix_with("OR IGNORE").values(name=qmgr)


@statement
def import_position_of(file: Placeholder) -> ClauseElement:
    return select(_p.state).where(_p.file == file)
