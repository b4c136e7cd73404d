"""The status of connections: open handles and the programs that hold them."""

from __future__ import annotations

from typing import Any, NamedTuple

from store.sql.clauses import ONE, literal
from store.sql.tables import connection, handle, object_, process, queue
from store.sqlite.database import Queries
from store.sqlite.expressions import Select, bindparam, func, or_, select
from store.sqlite.statement import Statement

_h, _c, _p, _q, _o = handle.c, connection.c, process.c, queue.c, object_.c


class OpenHandle(NamedTuple):
    """An open handle with its program; `file` is the liveness file of the process, blank for a store in memory, and
    `disposition` QSGDISP of the queue, blank for another object.
    """

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
    disposition: str
    # Of the handle, and of its connection.
    consumption: str
    connection_consumption: str


_HANDLES: Select[Any] = select(
    _h.id,
    func.coalesce(_q.name, literal("")),
    _h.object_name,
    _h.object_type,
    _h.options,
    _h.exclusive,
    _h.connection,
    _c.application,
    _c.user,
    func.coalesce(_p.file, literal("")),
    func.coalesce(_o.disposition, literal("")),
    _h.consumption,
    _c.consumption,
).select_from(
    handle.join(connection, _c.id == _h.connection)
    .outerjoin(queue, _q.id == _h.queue)
    .outerjoin(object_, (_o.owner == _q.owner) & (_o.namespace == literal("queue")) & (_o.name == _q.name))
    .outerjoin(process, _p.id == _c.process)
)
_HANDLES_ON_QUEUES = Statement(
    _HANDLES.where(
        _q.owner == bindparam("owner"),
        _h.qmgr == bindparam("qmgr"),
        _q.type == literal("QLOCAL"),
        _q.name >= bindparam("low"),
        _q.name < bindparam("high"),
        or_(_q.name > bindparam("low"), _h.id > bindparam("after")),
    )
    .order_by(_q.name, _h.id)
    .limit(bindparam("limit"))
)
_HANDLES_OF_CONNECTION = Statement(_HANDLES.where(_h.connection == bindparam("connection")).order_by(_h.id))


def handles_page(
    tx: Queries, owner: str, low: str, high: str, after: int, limit: int, qmgr: str = ""
) -> list[OpenHandle]:
    """Return up to `limit` handles of `qmgr` on local queues by queue name: at least `low`, below `high`.

    On the queue `low` itself, only handles with a greater number than `after`. A handle that was opened through an
    alias or a remote definition belongs to the local queue that it resolved to.
    """
    values = {"owner": owner, "qmgr": qmgr or owner, "low": low, "high": high, "after": after, "limit": limit}
    return [OpenHandle._make(row) for row in tx.all(_HANDLES_ON_QUEUES, values)]


def handles_of(tx: Queries, connection: int) -> list[OpenHandle]:
    """Return the open handles of a connection, oldest first."""
    return [OpenHandle._make(row) for row in tx.all(_HANDLES_OF_CONNECTION, {"connection": connection})]


class InputHandle(NamedTuple):
    """A handle that is open for input, with its queue manager and program."""

    qmgr: str
    exclusive: int
    connection: int
    application: str
    user: str
    file: str


_INPUT_HANDLES = Statement(
    select(_h.qmgr, _h.exclusive, _h.connection, _c.application, _c.user, func.coalesce(_p.file, literal("")))
    .select_from(handle.join(connection, _c.id == _h.connection).outerjoin(process, _p.id == _c.process))
    .where(_h.queue == bindparam("queue"), _h.input == ONE)
    .order_by(_h.id)
)


def input_handles_on(tx: Queries, queue: int) -> list[InputHandle]:
    """Return the handles of all queue managers that are open for input on a queue, oldest first."""
    return [InputHandle._make(row) for row in tx.all(_INPUT_HANDLES, {"queue": queue})]


class ConnectionStatusRow(NamedTuple):
    """A connection; `file` is the liveness file of its process, blank for a store in memory."""

    id: int
    application: str
    user: str
    file: str
    consumption: str


_CONNECTIONS = Statement(
    select(_c.id, _c.application, _c.user, func.coalesce(_p.file, literal("")), _c.consumption)
    .select_from(connection.outerjoin(process, _p.id == _c.process))
    .where(_c.qmgr == bindparam("qmgr"), _c.id >= bindparam("low"), _c.id < bindparam("high"))
    .order_by(_c.id)
    .limit(bindparam("limit"))
)


def connections_page(tx: Queries, qmgr: str, low: int, high: int, limit: int) -> list[ConnectionStatusRow]:
    """Return up to `limit` connections to a queue manager by number: at least `low`, below `high`."""
    values = {"qmgr": qmgr, "low": low, "high": high, "limit": limit}
    return [ConnectionStatusRow._make(row) for row in tx.all(_CONNECTIONS, values)]
