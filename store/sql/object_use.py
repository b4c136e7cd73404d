"""What keeps an object in use: open handles on it, and handles that resolved through it."""

from __future__ import annotations

from store.sql.clauses import ONE, literal
from store.sql.tables import handle, handle_path, queue
from store.sqlite.database import Transaction
from store.sqlite.expressions import bindparam, case, func, literal_column, select
from store.sqlite.statement import Statement

_h, _p = handle.c, handle_path.c

_OPEN_OF_KIND = Statement(
    select(ONE)
    .select_from(handle)
    .where(_h.qmgr == bindparam("qmgr"), _h.object_type == bindparam("type"), _h.object_name == bindparam("name"))
    .limit(ONE)
)
_OPENED_BY_NAME_ON_PATH = (
    select(ONE)
    .select_from(handle_path.alias("step").join(queue.alias("resolved"), literal_column("resolved.id = step.queue")))
    .where(literal_column("step.handle = handle.id"), literal_column("resolved.name = handle.object_name"))
    .exists()
)
_RESOLVED_AS_MANAGER_ALIAS = Statement(
    select(ONE)
    .select_from(handle_path.join(handle, _h.id == _p.handle))
    .where(_p.queue == bindparam("queue"), ~_OPENED_BY_NAME_ON_PATH)
    .limit(ONE)
)
_REMOTE = queue.alias("remote")
_BY_DEFAULT = Statement(
    select(func.coalesce(_REMOTE.c.id, _h.queue))
    .distinct()
    .select_from(
        handle.outerjoin(handle_path, _p.handle == _h.id).outerjoin(
            _REMOTE, (_REMOTE.c.id == _p.queue) & (_REMOTE.c.type == literal("QREMOTE"))
        )
    )
    .where(
        _h.queue == bindparam("queue"),
        _h.qmgr == bindparam("qmgr"),
        case(
            (_p.handle.is_(None), _h.object_name != bindparam("name")),
            else_=(_REMOTE.c.transmission_queue == literal("")) & (_REMOTE.c.remote_queue_manager != bindparam("name")),
        ),
    )
)


def is_open_of_kind(tx: Transaction, qmgr: str, type: str, name: str) -> bool:
    """Return whether a handle is open on an object that is not a queue: a process, a namelist."""
    return tx.one(_OPEN_OF_KIND, {"qmgr": qmgr, "type": type, "name": name}) is not None


def is_resolved_as_manager_alias(tx: Transaction, queue: int) -> bool:
    """Return whether a handle resolved through that remote definition as a queue-manager alias.

    Such a handle was opened under a name that no object it resolved through has.
    """
    return tx.one(_RESOLVED_AS_MANAGER_ALIAS, {"queue": queue}) is not None


def resolved_by_default(tx: Transaction, qmgr: str, queue: int, name: str) -> list[int]:
    """Return the queue objects through which handles reached the transmission queue `name` by default (DEFXMITQ).

    These are remote definitions that name no transmission queue, and, for handles that were opened with only a queue
    manager's name, the transmission queue itself.
    """
    return [row[0] for row in tx.all(_BY_DEFAULT, {"qmgr": qmgr, "queue": queue, "name": name})]
