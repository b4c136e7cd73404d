"""Which objects name a queue in STREAMQ or DEST."""

from __future__ import annotations

from store.sql.tables import object_, queue
from store.sqlite.database import Queries
from store.sqlite.expressions import ColumnElement, bindparam, literal_column, select
from store.sqlite.statement import Statement

_ONE: ColumnElement[int] = literal_column("1")
_q, _o = queue.c, object_.c
_alias = queue.alias("alias")
_THROUGH_ALIAS = (
    select(_ONE)
    .select_from(_alias)
    .where(
        _alias.c.owner == bindparam("owner"),
        _alias.c.name == _q.stream_queue,
        _alias.c.type == literal_column("'QALIAS'"),
        _alias.c.target == bindparam("name"),
        _alias.c.target_is_topic == literal_column("0"),
    )
    .exists()
)
_STREAMING = Statement(
    select(_ONE)
    .where(
        _q.owner == bindparam("owner"),
        literal_column("queue.stream_queue <> ''"),
        (_q.stream_queue == bindparam("name")) | _THROUGH_ALIAS,
    )
    .limit(_ONE)
)
_SUBSCRIBING = Statement(
    select(_ONE)
    .where(
        _o.owner == bindparam("owner"),
        literal_column("namespace = 'sub'"),
        literal_column("json_extract(attributes, '$.DEST')") == bindparam("name"),
        literal_column("json_extract(attributes, '$.DESTCLAS') = 'PROVIDED'"),
        literal_column("json_extract(attributes, '$.DESTQMGR')").in_([literal_column("''"), bindparam("owner")]),
    )
    .limit(_ONE)
)


def is_stream_queue(tx: Queries, owner: str, name: str) -> bool:
    """Whether a queue has that name as its STREAMQ, directly or through an alias."""
    return tx.one(_STREAMING, {"owner": owner, "name": name}) is not None


def is_destination(tx: Queries, owner: str, name: str) -> bool:
    """Whether a subscription delivers to that local queue."""
    return tx.one(_SUBSCRIBING, {"owner": owner, "name": name}) is not None
