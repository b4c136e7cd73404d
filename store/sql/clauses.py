"""Conditions on messages that many statements share, and literals.

SQLite uses a partial index only when the statement repeats its condition with the same literal, so conditions that
indexes depend on contain no parameters.
"""

from __future__ import annotations

from typing import Any

from store.constants import MQRO
from store.sql.file_format import MessageState, condition_of
from store.sql.tables import message
from store.sqlite.expressions import Column, ColumnElement, Select, bindparam, func, literal_column, or_, select

_m = message.c


def literal(value: int | str) -> ColumnElement[Any]:
    """Return a constant as a part of the SQL text, where a parameter would hide it from SQLite's planner."""
    return literal_column(f"{value:d}" if isinstance(value, int) else repr(value))


def in_state(state: MessageState) -> ColumnElement[bool]:
    return literal_column(condition_of(state))


ZERO, ONE = literal(0), literal(1)


def values_of(parameter: str) -> Select[Any]:
    """Return the values of a parameter that is a JSON array, for IN."""
    return select(func.json_each(bindparam(parameter)).table_valued("value").c.value)


def is_past(moment: Column[Any]) -> ColumnElement[bool]:
    """Return whether a moment has come at :now; a NULL one never does."""
    return moment.is_not(None) & (moment <= bindparam("now"))


OF_QUEUE = _m.queue == bindparam("queue")
READY = in_state(MessageState.AVAILABLE)
PUT_IN_UNIT = in_state(MessageState.PUT)
GOT_IN_UNIT = in_state(MessageState.GOT)
IN_UNIT: ColumnElement[bool] = literal_column("unit IS NOT NULL")
# A message that a unit of work has got no longer counts towards the depth, unless it is backed out (expiry X7).
COUNTS_TOWARDS_DEPTH: ColumnElement[bool] = literal_column(f"state <> {MessageState.GOT:d}")

UNLOCKED = _m.locked_by.is_(None)
UNLOCKED_FOR_HANDLE = or_(UNLOCKED, _m.locked_by == bindparam("handle"))

# `store.rules.expiry.is_expired` is the same rule in Python.
EXPIRED = is_past(_m.expires_at)
EXPIRES_LATER = _m.expires_at > bindparam("now")
NOT_EXPIRED = or_(_m.expires_at.is_(None), EXPIRES_LATER)
ASKS_FOR_EXPIRY_REPORT = _m.report.op("&")(literal(int(MQRO.EXPIRATION))) != ZERO
