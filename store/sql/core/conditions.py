"""Conditions and constants that many statements share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, Table, func, literal_column, or_, select
from sqlalchemy.dialects.sqlite import Insert, insert as sqlite_insert

from mqsc.store.constants import MQRO
from mqsc.store.sql.core.schema import message, queue_member
from mqsc.store.sql.rows import MessageState, StoredMessage, condition_of

# SQLite uses a partial index only when the statement repeats its condition with the same constant,
# so conditions that indexes depend on contain no parameters.


def constant(value: int | str) -> ColumnElement[Any]:
    """Return a constant as a part of the SQL text, where a parameter would hide it from SQLite's
    planner.
    """
    return literal_column(f"{value:d}" if isinstance(value, int) else repr(value))


def in_state(state: MessageState) -> ColumnElement[bool]:
    return literal_column(condition_of(state))


ZERO, ONE = constant(0), constant(1)
BLANK = constant("")


def one_of(column: Column[Any], *values: str) -> ColumnElement[bool]:
    """Return whether a column has one of these constant values."""
    return column.in_(map(constant, values))


def values_of(listed: Any) -> Select[Any]:
    """Return the values of a parameter that is a list, for IN."""
    return select(func.json_each(listed).table_valued("value").c.value)


def is_blank_or_above(high: Any, name: Column[Any]) -> ColumnElement[bool]:
    """Return whether a name is below an upper limit; a blank limit is none."""
    return or_(high == BLANK, name < high)


def is_past(moment: Column[Any], now: int) -> ColumnElement[bool]:
    """Return whether a moment has come; a NULL one never does."""
    return moment.is_not(None) & (moment <= now)


_m = message.c
READY = in_state(MessageState.AVAILABLE)
PUT_IN_UNIT = in_state(MessageState.PUT)
GOT_IN_UNIT = in_state(MessageState.GOT)
IN_UNIT: ColumnElement[bool] = literal_column("unit IS NOT NULL")
# A message that a unit of work has got no longer counts towards the depth, unless it is backed out
# (expiry X7).
COUNTS_TOWARDS_DEPTH: ColumnElement[bool] = literal_column(f"state <> {MessageState.GOT:d}")
UNLOCKED = _m.locked_by.is_(None)
ASKS_FOR_EXPIRY_REPORT = _m.report.op("&")(constant(int(MQRO.EXPIRATION))) != ZERO
# All columns of a message except the data.
WITHOUT_BODY = [
    _m[name] if name != "body" else literal_column("x''").label("body")
    for name in StoredMessage._fields
]


# `store.rules.expiry.is_expired` is the same rule in Python.
def expired(now: int) -> ColumnElement[bool]:
    return is_past(_m.expires_at, now)


def expires_later(now: int) -> ColumnElement[bool]:
    return _m.expires_at > now


def not_expired(now: int) -> ColumnElement[bool]:
    return or_(_m.expires_at.is_(None), expires_later(now))


def after(rank: int, sequence: int) -> ColumnElement[bool]:
    """Return whether a message has the same rank and is later on its queue."""
    return (_m.rank == rank) & (_m.sequence > sequence)


def columns_of(table: Table, row: type) -> list[Column[Any]]:
    """Return the columns that have the names of the fields of a row."""
    return [table.c[name] for name in row.__annotations__]


def insert_or_update_member(
    id: int,
    qmgr: str,
    values: Mapping[str, Any],
    changes: Mapping[str, Any],
) -> Insert:
    """Return the INSERT of a row of queue_member with these values, or the UPDATE of the one
    that there is.
    """
    key = {"queue": id, "qmgr": qmgr}
    added = sqlite_insert(queue_member).values(**key, **values)
    return added.on_conflict_do_update(index_elements=[*key], set_=changes)
