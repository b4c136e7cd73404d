"""Dynamic queues that were deleted while programs had them open: they stay until these close them."""

from __future__ import annotations

from mqsc.store.engine.dynamic_queues import DEFINITION_TYPES
from mqsc.store.past.event_ranges import GROWTH, backwards
from mqsc.store.past.places import Queue
from mqsc.store.sql import past, queues
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction


def mark_deleted(tx: Transaction, moment: int, deleted: set[Queue]) -> None:
    """Mark the dynamic queues as deleted whose deletion had been asked for while other programs had
    them open.

    `deleted`: queues that are new in the copy. Only these and the queues that are marked now can
    have been marked.
    """
    sought = deleted | {(owner, name) for owner, name, _ in past.deleted_queues(tx)}
    past.forget_creators(tx)
    numbers = {key: queue.id for key in sought if (queue := _dynamic_queue(tx, key)) is not None}
    marked: list[int] = []
    for first, last in backwards(1, moment, growth=GROWTH):
        if not numbers:
            break
        names = sorted({name for _, name in numbers})
        for owner, name, kind in past.deletions(tx, first, last, names):
            number = numbers.pop((owner, name), None)
            if number is not None and kind == "CLOSE":
                marked.append(number)
    past.mark_as_deleted(tx, marked)


def _dynamic_queue(tx: Transaction, key: Queue) -> QueueRow | None:
    queue = queues.by_name(tx, *key)
    is_dynamic = queue is not None and queue.definition_type in DEFINITION_TYPES.values()
    return queue if is_dynamic else None
