"""The history of messages that are still in their table: it is written from there, their values pass through nobody.

What the statements are given tells who, when and where: now, qmgr, name (of the queue), connection, application, user.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, bindparam, insert, literal_column, select

from store.database import Transaction
from store.schema import event, message
from store.statement import Statement

_m = message.c
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


def _recording(kind: str, **more: Any) -> Statement:
    names, said = told(kind, unit=_m.unit, **more)
    return Statement(
        insert(event).from_select(names, said.where(_m.id.between(bindparam("first"), bindparam("last"))))
    )


_PUT = _recording("PUT")
_PUT_DEAD_LETTER = _recording("PUT", reason=bindparam("reason"), detail=bindparam("detail"))
_GOT = _recording("GET")


def put(tx: Transaction, who: Mapping[str, Any], ids: range) -> None:
    """Record that these messages, one at least, were placed."""
    tx.run(_PUT, {**who, "first": ids[0], "last": ids[-1]})


def put_dead_letter(tx: Transaction, who: Mapping[str, Any], id: int, reason: int, detail: str) -> None:
    """Record that a message was placed with what its dead-letter header says."""
    tx.run(_PUT_DEAD_LETTER, {**who, "first": id, "last": id, "reason": reason, "detail": detail})


def got(tx: Transaction, who: Mapping[str, Any], id: int) -> None:
    """Record that a message was got, before it is removed; that of a unit of work after it was reserved for it."""
    tx.run(_GOT, {**who, "first": id, "last": id})
