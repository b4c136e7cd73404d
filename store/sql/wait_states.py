"""What waiting gets depend on, of many queues at once: if it has not changed, none of them need look again."""

from __future__ import annotations

import json
from collections.abc import Iterable

from store.sql.file_format import MessageState, condition_of
from store.sqlite.database import Queries
from store.sqlite.expressions import text
from store.sqlite.statement import Statement

# A queue, by its number, as a queue manager sees it; 0 for the queue manager alone.
Place = tuple[str, int]
PlaceState = tuple[object, ...]
# Above this the number of uncommitted messages is not counted to its end.
MOST_COUNTED = 1000

# The sequence number is raised by everything that makes a message available, except by the commit of a unit of work,
# which lowers the number of uncommitted messages.
_QUEUES = Statement(
    text(
        f"""SELECT queue.id, queue.version, queue.next_sequence,
       (SELECT count(*) FROM (SELECT 1 FROM message
         WHERE message.queue = queue.id AND message.{condition_of(MessageState.PUT)} LIMIT {MOST_COUNTED}))
  FROM json_each(:queues) AS wanted CROSS JOIN queue ON queue.id = wanted.value"""
    )
)
_MANAGERS = Statement(
    text(
        """SELECT name, version, run, state, clock_at FROM queue_manager
 WHERE name IN (SELECT value FROM json_each(:managers))"""
    )
)


def states_of(tx: Queries, places: Iterable[Place]) -> dict[Place, PlaceState]:
    """The state of each place. One that is missing must be taken for changed."""
    wanted = set(places)
    managers = {row[0]: row for row in tx.all(_MANAGERS, {"managers": json.dumps([*{name for name, _ in wanted}])})}
    rows = tx.all(_QUEUES, {"queues": json.dumps([*{queue for _, queue in wanted if queue}])})
    queues = {0: (), **{row[0]: row for row in rows if row[-1] < MOST_COUNTED}}
    return {
        (name, queue): (managers[name], queues[queue]) for name, queue in wanted if name in managers and queue in queues
    }
