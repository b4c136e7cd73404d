"""The history of messages that are still in their table: it is written from there, their values pass through nobody.

What the statements are given tells when, where and who.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, insert, literal_column, select

from store.sql.schema import event, message
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement

_m = message.c


class Cause(NamedTuple):
    """When something happens to messages of which queue, and by whom; every name is that of a parameter."""

    now: int
    qmgr: str
    name: str
    connection: int | None
    application: str
    user: str


_COLUMNS: Mapping[str, Any] = {
    "at": bindparam("now"),
    "qmgr": bindparam("qmgr"),
    "queue": bindparam("name"),
    "msg_id": _m.msg_id,
    "correl_id": _m.correl_id,
    "priority": _m.priority,
    "persistence": _m.persistence,
    "length": _m.length,
    "put_at": _m.put_at,
    "expires_at": _m.expires_at,
    "put_application": _m.put_appl_name,
    "put_user": _m.user_identifier,
    "connection": bindparam("connection"),
    "application": bindparam("application"),
    "user": bindparam("user"),
}


def told(kind: str, **more: Any) -> tuple[list[str], Select[Any]]:
    """The columns of an event of that kind, and what they hold of each message chosen."""
    columns = {**_COLUMNS, "kind": literal_column(f"'{kind}'"), **more}
    return list(columns), select(*(value.label(name) for name, value in columns.items()))


def _recording(order: str, kind: str, **more: Any) -> Statement:
    names, said = told(kind, unit=_m.unit, **more)
    chosen = said.where(_m.id.between(bindparam("first"), bindparam("last"))).order_by(_m.id)
    return Statement(insert(event).from_select(names, chosen), f"{' '.join(Cause._fields)} {order}")


_PUT = _recording("first last", "PUT")
_PUT_DEAD_LETTER = _recording("reason detail first last", "PUT", reason=bindparam("reason"), detail=bindparam("detail"))
_GOT = _recording("first last", "GET")


def put(tx: Transaction, cause: Cause, ids: range) -> None:
    """Record that these messages, one at least, were placed."""
    tx.run_positional(_PUT, *cause, ids[0], ids[-1])


def put_dead_letter(tx: Transaction, cause: Cause, id: int, reason: int, detail: str) -> None:
    """Record that a message was placed with what its dead-letter header says."""
    tx.run_positional(_PUT_DEAD_LETTER, *cause, reason, detail, id, id)


def got(tx: Transaction, cause: Cause, id: int) -> None:
    """Record that a message was got, before it is removed; that of a unit of work after it was reserved for it."""
    tx.run_positional(_GOT, *cause, id, id)
