"""The messages of a queue read page by page, whatever they are locked or marked for."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import bindparam, literal_column, select

from store.sql.rows import StoredMessage
from store.sql.schema import message
from store.sqlite.database import Queries
from store.sqlite.statement import Statement

_m = message.c
# Higher than any message's: a page that begins behind it begins at the head of the queue.
BEFORE_THE_HEAD = 10
# Two statements that an index answers each; one with OR would read the queue from its head every time.
_BEHIND = {
    "same rank": (_m.rank == bindparam("rank")) & (_m.sequence > bindparam("sequence")),
    "lower rank": _m.rank < bindparam("rank"),
}


class QueuePosition(NamedTuple):
    """A place in a queue, behind which a page begins."""

    rank: int = BEFORE_THE_HEAD
    sequence: int = -1


@lru_cache(maxsize=64)
def _page(behind: str, size: int, most: int | None) -> Statement:
    # SQLite's substr makes NULL of data without a byte.
    body = _m.body if most is None else literal_column(f"ifnull(substr(body, 1, {most}), x'')").label("body")
    columns = [column if column.name != "body" else body for column in message.columns]
    chosen = select(*columns).where(_m.queue == bindparam("queue"), literal_column("state = 0"), _BEHIND[behind])
    ordered = chosen.where(_m.sequence < bindparam("before")).order_by(_m.rank.desc(), _m.sequence)
    return Statement(ordered.limit(literal_column(str(size))))


def page(
    tx: Queries, queue: int, after: QueuePosition, *, before: int, size: int, most: int | None = None
) -> list[StoredMessage]:
    """The next committed messages in delivery order, at most `size`, whose sequence number is below `before`.

    `most` is how many bytes of their data are wanted, None for all. Fewer than `size` are the last ones.
    """
    values = {"queue": queue, "rank": after.rank, "sequence": after.sequence, "before": before}
    found = tx.all(_page("same rank", size, most), values)
    if len(found) < size:
        found += tx.all(_page("lower rank", size, most), values)[: size - len(found)]
    return [StoredMessage._make(row) for row in found]
