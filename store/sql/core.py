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

from store.sql.rows import TABLES

if TYPE_CHECKING:
    from store.sql.schema import *
else:
    # What statements are written with.
    __all__ = [
        *TABLES,
        "ASKS_FOR_EXPIRY_REPORT", "BLANK", "COUNTS_TOWARDS_DEPTH", "GOT_IN_UNIT", "IN_UNIT", "ONE", "PUT_IN_UNIT",
        "READY", "UNLOCKED", "WITHOUT_BODY", "ZERO", "BindParameter", "ClauseElement", "Column", "ColumnElement",
        "Join", "Select", "after", "and_", "bindparam", "case", "columns_of", "constant", "delete", "expired",
        "expires_later", "func", "in_state", "insert", "insert_or_update_member", "is_blank_or_above", "is_past",
        "literal_column", "metadata", "not_", "not_expired", "one_of", "or_", "select", "text", "union", "union_all",
        "update", "values_of",
    ]  # fmt: skip


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
    return getattr(import_module(".schema", __package__), name)


if not TYPE_CHECKING:
    globals().update({name: StandIn(partial(_imported, name)) for name in __all__})
