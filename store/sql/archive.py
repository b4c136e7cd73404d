"""What the store knows of its archive, and old events as pruning reads and removes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from store.sql.clauses import IN_UNIT, READY, values_of
from store.sql.rows import ArchiveRow
from store.sql.tables import archive, event, message
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, insert, select, union
from store.sqlite.statement import Statement

_e, _m = event.c, message.c
_READ = Statement(select(archive))
_WRITE = Statement(
    insert(archive).prefix_with("OR REPLACE").values({name: bindparam(name) for name in ArchiveRow._fields})
)


def read(tx: Queries) -> ArchiveRow | None:
    row = tx.one(_READ)
    return None if row is None else ArchiveRow._make(row)


def write(tx: Transaction, row: ArchiveRow) -> None:
    tx.run(_WRITE, row._asdict())


# The fields of `store.rules.archiving.PastEvent`; the last says whether a message with the MsgId is in the store.
COLUMNS = ("seq", "at", "qmgr", "kind", "cause", "unit", "waits")

# Each from an index, without the data of the messages.
_MSG_IDS = union(select(_m.msg_id).where(READY), select(_m.msg_id).where(IN_UNIT))
_OLD = Statement(
    select(*(_e[name] for name in COLUMNS[:-1]), _e.msg_id.in_(_MSG_IDS).label(COLUMNS[-1]))
    .where(_e.seq > bindparam("after"), _e.seq <= bindparam("until"))
    .order_by(_e.seq)
    .limit(bindparam("most"))
)
_REMOVE = Statement(delete(event).where(_e.seq.in_(values_of("listed"))))


def old_events(tx: Queries, after: int, until: int, most: int) -> list[tuple[Any, ...]]:
    """Return the values of COLUMNS of the first `most` events numbered after `after` and up to `until`, in order."""
    return list(tx.all(_OLD, {"after": after, "until": until, "most": most}))


def remove(tx: Transaction, numbers: Sequence[int]) -> None:
    """Remove the events with these numbers."""
    tx.run(_REMOVE, {"listed": json.dumps(numbers)})
