"""Reads the messages of a queue page by page, including those that are locked or marked."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from store.sql.clauses import OF_QUEUE, READY, literal
from store.sql.rows import StoredMessage
from store.sql.tables import message
from store.sqlite.database import Queries
from store.sqlite.expressions import bindparam, literal_column, select
from store.sqlite.statement import Statement

_m = message.c
# Higher than the rank of any message, so the page after it is the first.
_ABOVE_ALL_RANKS = 10
# Two statements, because an index serves each of them; one with OR would read the queue from its head every time.
_AFTER = {
    "same rank": (_m.rank == bindparam("rank")) & (_m.sequence > bindparam("sequence")),
    "lower rank": _m.rank < bindparam("rank"),
}


class QueuePosition(NamedTuple):
    """The position of a message in its queue; a page begins after it."""

    rank: int = _ABOVE_ALL_RANKS
    sequence: int = -1


@lru_cache(maxsize=64)
def _page(after: str, size: int, most: int | None) -> Statement:
    # substr returns NULL for an empty BLOB.
    body = _m.body if most is None else literal_column(f"ifnull(substr(body, 1, {most}), x'')").label("body")
    columns = [_m[name] if name != "body" else body for name in StoredMessage._fields]
    chosen = select(*columns).where(OF_QUEUE, READY, _AFTER[after])
    ordered = chosen.where(_m.sequence < bindparam("before")).order_by(_m.rank.desc(), _m.sequence)
    return Statement(ordered.limit(literal(size)))


def page(
    tx: Queries, queue: int, after: QueuePosition, *, before: int, size: int, most: int | None = None
) -> list[StoredMessage]:
    """Return the next committed messages in delivery order whose sequence number is below `before`.

    `most` is how many bytes of data to read from each, None for all. A page of fewer than `size` is the last.
    """
    values = {"queue": queue, "rank": after.rank, "sequence": after.sequence, "before": before}
    found = tx.all(_page("same rank", size, most), values)
    if len(found) < size:
        found += tx.all(_page("lower rank", size, most), values)[: size - len(found)]
    return [StoredMessage._make(row) for row in found]
