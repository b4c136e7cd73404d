"""What `mqsc doctor` reads: counters compared with rows, damaged definitions, gaps in the history."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.file_format import UNIT_BITS, MessageState
from store.sqlite.database import Queries
from store.sqlite.expressions import text
from store.sqlite.statement import Statement

_WRONG_DEPTHS = Statement(
    text(
        f"""SELECT queue.id, queue.owner, queue.name, queue.depth, count(message.id) AS found
  FROM queue LEFT JOIN message ON message.queue = queue.id AND message.state <> {MessageState.GOT:d}
 GROUP BY queue.id HAVING queue.depth <> found ORDER BY queue.owner, queue.name"""
    )
)
_DAMAGED = Statement(
    text(
        "SELECT owner, type, name FROM object WHERE NOT json_valid(attributes) ORDER BY owner, type, name LIMIT :limit"
    )
)
_ORPHANS = Statement(text("SELECT count(*) FROM message WHERE queue NOT IN (SELECT id FROM queue)"))
_WITHOUT_UNIT = Statement(
    text(
        f"""SELECT count(*) FROM message WHERE unit IS NOT NULL
   AND unit NOT IN (SELECT number FROM prepared_unit) AND unit >> {UNIT_BITS} NOT IN (SELECT id FROM connection)"""
    )
)
_IN_DOUBT = Statement(
    text(
        """SELECT prepared_unit.qmgr, prepared_unit.name, luwid, count(message.id),
       (SELECT min(file) FROM channel_status JOIN process ON process.id = channel_status.process
         WHERE channel_status.qmgr = prepared_unit.qmgr AND channel = prepared_unit.name)
  FROM prepared_unit LEFT JOIN message ON message.unit = number
 GROUP BY number ORDER BY prepared_unit.qmgr, number"""
    )
)
_HISTORY = Statement(
    text(
        """SELECT (SELECT count(*) FROM event WHERE seq > pruned), pruned + 1,
       (SELECT max(pruned, coalesce(max(seq), 0)) FROM event),
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)
  FROM (SELECT coalesce(max(pruned), 0) AS pruned FROM archive)"""
    )
)
_MANAGERS = Statement(text("SELECT count(*) FROM queue_manager"))
_CONNECTIONS = Statement(
    text(
        """SELECT process.file, count(connection.id) FROM process LEFT JOIN connection
       ON connection.process = process.id GROUP BY process.id ORDER BY process.id"""
    )
)


class WrongDepth(NamedTuple):
    """A queue whose depth differs from the number of its messages."""

    id: int
    qmgr: str
    queue: str
    depth: int
    messages: int


class History(NamedTuple):
    """The number of events that are not pruned, the first and the last, and the last number that was given out."""

    events: int
    first: int
    last: int
    counter: int


def wrong_depths(tx: Queries) -> list[WrongDepth]:
    """Return the queues whose depth is wrong; messages got by an open unit of work do not count."""
    return [WrongDepth._make(row) for row in tx.all(_WRONG_DEPTHS)]


def damaged_definitions(tx: Queries, limit: int) -> list[tuple[str, str, str]]:
    """Return (queue manager, type, name) of objects whose attributes are not JSON."""
    return [tuple(row) for row in tx.all(_DAMAGED, {"limit": limit})]


def messages_without_queue(tx: Queries) -> int:
    return int(tx.value(_ORPHANS))


def messages_without_unit(tx: Queries) -> int:
    """Return how many messages belong to a unit of work of no connection that is not in doubt either."""
    return int(tx.value(_WITHOUT_UNIT))


class InDoubtRow(NamedTuple):
    """A unit in doubt, and the liveness file of the process that runs the channel of its name, if one does."""

    qmgr: str
    name: str
    luwid: str
    messages: int
    file: str | None


def in_doubt(tx: Queries) -> list[InDoubtRow]:
    return [InDoubtRow._make(row) for row in tx.all(_IN_DOUBT)]


def history(tx: Queries) -> History:
    return History._make(tx.one(_HISTORY))


def queue_managers(tx: Queries) -> int:
    return int(tx.value(_MANAGERS))


def connections_by_process(tx: Queries) -> list[tuple[str, int]]:
    """Return the liveness file of each process, and its number of connections."""
    return [(str(file), int(count)) for file, count in tx.all(_CONNECTIONS)]
