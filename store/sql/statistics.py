"""What is counted and watched of queues: status, statistics since a reset, who has what open."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, literal_column, or_, select, update

from store.sql.schema import connection, handle, message, object_, process, queue, queue_member
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_q, _n, _m, _o, _h, _c, _p = queue.c, queue_member.c, message.c, object_.c, handle.c, connection.c, process.c
_ZERO: ColumnElement[int] = literal_column("0")
# Later than any moment.
_NEVER: ColumnElement[int] = literal_column(str(2**62))
_HIGHEST_RANK = 9


def _first_put(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
    """When the first message of a queue that meets the conditions was put; _NEVER when none does."""
    first = select(_m.put_at).where(_m.queue == _WATCHED, *conditions).order_by(_m.sequence).limit(literal_column("1"))
    return func.coalesce(first.scalar_subquery(), _NEVER)


_WATCHED: ColumnElement[int] = bindparam("queue")
# One look at the index for each effective priority instead of a walk through the whole queue.
_OLDEST = Statement(
    select(
        func.nullif(
            func.min(
                *(
                    _first_put(_m.rank == literal_column(str(rank)), literal_column("state = 0"))
                    for rank in range(_HIGHEST_RANK + 1)
                ),
                _first_put(literal_column("state = 1")),
            ),
            _NEVER,
        )
    )
)


def oldest_put(tx: Queries, queue: int) -> int | None:
    """When the oldest message on a queue was put, committed or not (microseconds UTC); None for an empty queue."""
    return tx.value(_OLDEST, {"queue": queue})  # type: ignore[no-any-return]


class WatchedRow(NamedTuple):
    """A local queue with its statistics; `monitoring` is MONQ as its definition says it."""

    id: int
    name: str
    depth: int
    input_handles: int
    output_handles: int
    last_put_at: int | None
    last_get_at: int | None
    short_queue_time: int | None
    long_queue_time: int | None
    puts: int
    gets: int
    high_depth: int
    statistics_since: int
    monitoring: str


_WATCHED_PAGE = Statement(
    select(
        _q.id,
        _q.name,
        _q.depth,
        func.coalesce(_n.input_handles, _ZERO),
        func.coalesce(_n.output_handles, _ZERO),
        _q.last_put_at,
        _q.last_get_at,
        _q.short_queue_time,
        _q.long_queue_time,
        _q.puts,
        _q.gets,
        _q.high_depth,
        func.coalesce(_q.statistics_reset_at, _o.created_at),
        func.coalesce(func.json_extract(_o.attributes, literal_column("'$.MONQ'")), literal_column("'QMGR'")),
    )
    .select_from(
        queue.join(
            object_,
            (_o.owner == _q.owner) & (_o.namespace == literal_column("'queue'")) & (_o.name == _q.name),
        ).outerjoin(queue_member, (_n.queue == _q.id) & (_n.qmgr == _q.owner))
    )
    .where(
        _q.owner == bindparam("owner"),
        _q.type == literal_column("'QLOCAL'"),
        _q.name >= bindparam("low"),
        _q.name < bindparam("high"),
    )
    .order_by(_q.name)
    .limit(bindparam("limit"))
)


def page(tx: Queries, owner: str, low: str, high: str, limit: int) -> list[WatchedRow]:
    """Up to `limit` local queues by name: from `low`, below `high`."""
    values = {"owner": owner, "low": low, "high": high, "limit": limit}
    return [WatchedRow._make(row) for row in tx.all(_WATCHED_PAGE, values)]


def _among(numbers: str) -> Select[Any]:
    return select(func.json_each(bindparam(numbers)).table_valued("value").c.value)


_UNCOMMITTED = Statement(
    select(_m.queue, func.count())
    .where(_m.unit.is_not(None), literal_column("unit IS NOT NULL"), _m.queue.in_(_among("queues")))
    .group_by(_m.queue)
)


def uncommitted(tx: Queries, queues: Sequence[int]) -> dict[int, int]:
    """How many messages open units of work have put to or got from each of the queues; none of those without any."""
    return dict(tx.all(_UNCOMMITTED, {"queues": json.dumps(queues)}))


_RESET = Statement(
    update(queue)
    .where(_q.id == bindparam("queue_number"))
    .values(puts=_ZERO, gets=_ZERO, high_depth=_q.depth, statistics_reset_at=bindparam("now"))
)


def reset(tx: Transaction, queues: Sequence[int], now: int) -> None:
    """The statistics of these queues begin again."""
    tx.run_for_each(_RESET, [{"queue_number": number, "now": now} for number in queues])


class OpenHandle(NamedTuple):
    """An open handle with the program that holds it; `file` names the program's process, blank for one in memory."""

    id: int
    queue_name: str
    object_name: str
    object_type: str
    options: int
    exclusive: int
    connection: int
    application: str
    user: str
    file: str


_HANDLES: Select[Any] = select(
    _h.id,
    func.coalesce(_q.name, literal_column("''")),
    _h.object_name,
    _h.object_type,
    _h.options,
    _h.exclusive,
    _h.connection,
    _c.application,
    _c.user,
    func.coalesce(_p.file, literal_column("''")),
).select_from(
    handle.join(connection, _c.id == _h.connection)
    .outerjoin(queue, _q.id == _h.queue)
    .outerjoin(process, _p.id == _c.process)
)
_HANDLES_ON_QUEUES = Statement(
    _HANDLES.where(
        _q.owner == bindparam("owner"),
        _q.type == literal_column("'QLOCAL'"),
        _q.name >= bindparam("low"),
        _q.name < bindparam("high"),
        or_(_q.name > bindparam("low"), _h.id > bindparam("after")),
    )
    .order_by(_q.name, _h.id)
    .limit(bindparam("limit"))
)
_HANDLES_OF_CONNECTION = Statement(_HANDLES.where(_h.connection == bindparam("connection")).order_by(_h.id))


def handles_page(tx: Queries, owner: str, low: str, high: str, after: int, limit: int) -> list[OpenHandle]:
    """Up to `limit` handles on local queues by queue name: from `low`, below `high`.

    On the queue `low` itself those with a greater number than `after`. A handle that was opened through an alias or
    remote definition counts for the local queue it leads to.
    """
    values = {"owner": owner, "low": low, "high": high, "after": after, "limit": limit}
    return [OpenHandle._make(row) for row in tx.all(_HANDLES_ON_QUEUES, values)]


def handles_of(tx: Queries, connection: int) -> list[OpenHandle]:
    """The handles that a connection has open, oldest first."""
    return [OpenHandle._make(row) for row in tx.all(_HANDLES_OF_CONNECTION, {"connection": connection})]


class Connected(NamedTuple):
    """A connection; `file` names the process of its program, blank for a store in memory."""

    id: int
    application: str
    user: str
    file: str


_CONNECTIONS = Statement(
    select(_c.id, _c.application, _c.user, func.coalesce(_p.file, literal_column("''")))
    .select_from(connection.outerjoin(process, _p.id == _c.process))
    .where(_c.qmgr == bindparam("qmgr"), _c.id >= bindparam("low"), _c.id < bindparam("high"))
    .order_by(_c.id)
    .limit(bindparam("limit"))
)


def connections_page(tx: Queries, qmgr: str, low: int, high: int, limit: int) -> list[Connected]:
    """Up to `limit` connections to a queue manager by number: from `low`, below `high`."""
    values = {"qmgr": qmgr, "low": low, "high": high, "limit": limit}
    return [Connected._make(row) for row in tx.all(_CONNECTIONS, values)]
