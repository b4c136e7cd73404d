"""Names of objects that are defined, and of queues that the history mentions."""

from __future__ import annotations

from store.sql.clauses import literal
from store.sql.tables import event, object_
from store.sqlite.database import Queries
from store.sqlite.expressions import ColumnElement, bindparam, literal_column, or_, select
from store.sqlite.statement import Statement

_EVERY_QMGR = bindparam("qmgr") == literal("")
_DEFINED = Statement(
    select(object_.c.name)
    .distinct()
    .where(object_.c.namespace == bindparam("namespace"), or_(_EVERY_QMGR, object_.c.owner == bindparam("qmgr")))
)
# These kinds are about objects of every type, which is the target.
_ABOUT_QUEUES: ColumnElement[bool] = literal_column(
    "(kind NOT IN ('DEFINE', 'ALTER', 'SET', 'DELETE') OR target IN ('QLOCAL', 'QMODEL', 'QALIAS', 'QREMOTE'))"
)
_RECORDED = Statement(
    select(event.c.queue)
    .distinct()
    .where(event.c.queue.is_not(None), _ABOUT_QUEUES, or_(_EVERY_QMGR, event.c.qmgr == bindparam("qmgr")))
)


def defined(tx: Queries, qmgr: str, namespace: str = "queue") -> set[str]:
    """Return the names of all objects in a namespace, of one queue manager or, if that is blank, of all."""
    return {name for (name,) in tx.all(_DEFINED, {"qmgr": qmgr, "namespace": namespace})}


def recorded(tx: Queries, qmgr: str) -> set[str]:
    """Return the names of all queues in the history, which is read from its beginning to its end."""
    return {name for (name,) in tx.all(_RECORDED, {"qmgr": qmgr})}
