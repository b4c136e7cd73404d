"""The names of SQLAlchemy Core, of the tables and of shared conditions, for functions that build statements.

Importing SQLAlchemy takes longer than a whole command, and is needed only to build a statement. So each name here is a
stand-in that imports what it stands for when it is used: called, combined, or asked for an attribute. A module may
therefore use it only inside functions, except for the columns of a table (`message.c`). Type checkers see the original.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

# What statements are written with.
__all__ = [
    "ASKS_FOR_EXPIRY_REPORT", "BLANK", "COUNTS_TOWARDS_DEPTH", "GOT_IN_UNIT", "IN_UNIT", "ONE", "PUT_IN_UNIT",
    "READY", "UNLOCKED", "WITHOUT_BODY", "ZERO", "BindParameter", "ClauseElement", "Column", "ColumnElement",
    "Join", "Select", "after", "and_", "archive", "bindparam", "case", "channel_fault", "channel_host",
    "channel_status", "columns_of", "connection", "constant", "delete", "event", "event_segment",
    "expired", "expires_later", "func", "handle", "handle_path", "in_state", "insert", "insert_or_update_member",
    "is_blank_or_above", "is_past", "literal_column", "message", "not_", "not_expired", "object_", "one_of", "or_",
    "pending_refresh", "prepared_unit", "process", "queue", "queue_manager", "queue_member", "select",
    "sharing_group", "text", "union", "union_all", "update", "user_account", "values_of", "waiter",
]  # fmt: skip

if TYPE_CHECKING:
    from sqlalchemy import *

    from store.sql.schema import *


class StandIn:
    """Stands for what `find` returns, until it is used."""

    __slots__ = ("_find",)
    # SQLAlchemy asks before it calls __clause_element__.
    is_clause_element = False

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find

    def __getattr__(self, name: str) -> Any:
        return StandIn(lambda: self._find().c) if name == "c" else getattr(self._find(), name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._find()(*given, **named)

    def __getitem__(self, key: str) -> Any:
        return self._find()[key]

    def __clause_element__(self) -> Any:
        """Let SQLAlchemy use it among its own objects."""
        return self._find()


for _name in ("and_", "or_", "invert", "eq", "neg"):
    _operation = getattr(operator, _name)
    setattr(
        StandIn,
        f"__{_name.rstrip('_')}__",
        lambda stand_in, *other, _operation=_operation: _operation(stand_in._find(), *other),
    )


def _imported(name: str) -> Any:
    schema = import_module(".schema", __package__)
    return getattr(schema if hasattr(schema, name) else import_module("sqlalchemy"), name)


if not TYPE_CHECKING:
    globals().update({name: StandIn(partial(_imported, name)) for name in __all__})
