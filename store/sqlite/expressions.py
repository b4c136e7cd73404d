"""SQLAlchemy Core, imported only when the text of a statement is not known yet.

Importing SQLAlchemy takes longer than a whole command, and a statement has the same text every time. So statements are
written with the names of SQLAlchemy as this module has them (`select`, `bindparam`, ...). An Expression only records
the calls. `identity` looks a known text up by them (`store.sqlite.known_texts`), and `evaluate` makes the calls if
there is none. Type checkers see SQLAlchemy itself.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import BindParameter as BindParameter
    from sqlalchemy import ClauseElement as ClauseElement
    from sqlalchemy import Column as Column
    from sqlalchemy import ColumnElement as ColumnElement
    from sqlalchemy import Select as Select
    from sqlalchemy import and_ as and_
    from sqlalchemy import bindparam as bindparam
    from sqlalchemy import case as case
    from sqlalchemy import delete as delete
    from sqlalchemy import exists as exists
    from sqlalchemy import func as func
    from sqlalchemy import insert as insert
    from sqlalchemy import literal_column as literal_column
    from sqlalchemy import not_ as not_
    from sqlalchemy import or_ as or_
    from sqlalchemy import select as select
    from sqlalchemy import text as text
    from sqlalchemy import union as union
    from sqlalchemy import union_all as union_all
    from sqlalchemy import update as update
    from sqlalchemy.dialects.sqlite import insert as sqlite_insert

    # An explicit export, for the type checker.
    __all__ = ["sqlite_insert"]
else:

    def __getattr__(name: str) -> Expression:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "sqlite_insert":
            return named("sqlalchemy.dialects.sqlite", "insert")
        return named("sqlalchemy", name)


class Expression:
    """A name, or an operation on expressions and plain values, for SQLAlchemy to carry out later."""

    __slots__ = ("_named", "_operands", "_operation")

    def __init__(self, operation: Callable[..., Any], operands: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        self._operation = operation
        # An iterator could be read only once.
        self._operands = tuple([[*each] if isinstance(each, Iterator) else each for each in operands])
        self._named = named

    def __getattr__(self, name: str) -> Expression:
        if name.startswith("__"):
            raise AttributeError(name)
        return Expression(getattr, (self, name), {})

    def __call__(self, *operands: Any, **named: Any) -> Expression:
        return Expression(operator.call, (self, *operands), named)

    def __getitem__(self, key: str) -> Expression:
        return Expression(operator.getitem, (self, key), {})

    def __clause_element__(self) -> Any:
        """Let SQLAlchemy use an expression among its own objects."""
        return evaluate(self)

    def __bool__(self) -> bool:
        raise TypeError("a condition of SQL is neither true nor false")

    # Python calls these on the class, so __getattr__ does not see them.
    __iter__ = None
    __hash__ = None  # type: ignore[assignment]


def _operator(operation: Callable[..., Any]) -> Callable[..., Expression]:
    return lambda *operands: Expression(operation, operands, {})


for _name in ("eq", "ne", "lt", "le", "gt", "ge", "and_", "or_", "invert", "add", "sub", "mul", "neg"):
    setattr(Expression, f"__{_name.rstrip('_')}__", _operator(getattr(operator, _name)))


def named(module: str, name: str) -> Expression:
    """Return what a module has under a name, without importing the module."""
    return Expression(_imported, (module, name), {})


def _imported(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


def evaluate(expression: Any) -> Any:
    """Carry out the operations; each expression is evaluated once, however often it occurs."""
    found: dict[int, Any] = {}

    def value(each: Any) -> Any:
        if isinstance(each, Expression):
            if id(each) not in found:
                found[id(each)] = each._operation(*map(value, each._operands), **value(each._named))
            return found[id(each)]
        if isinstance(each, Mapping):
            return {key: value(item) for key, item in each.items()}
        if isinstance(each, (list, tuple)):
            return type(each)(map(value, each))
        return each

    return value(expression)


def identity(expression: Expression) -> str:
    """Return a text that only expressions with the same meaning have.

    A repeated use of one expression counts as such: an alias is another table than a second alias that is made alike.
    """
    seen: dict[int, int] = {}

    def described(each: Any) -> str:
        if isinstance(each, Expression):
            if id(each) in seen:
                return f"#{seen[id(each)]}"
            seen[id(each)] = len(seen)
            operands = ",".join([described(operand) for operand in each._operands])
            more = described(each._named) if each._named else ""
            return f"{each._operation.__name__}({operands}{more})"
        if isinstance(each, Mapping):
            return f"{{{','.join([f'{key}:{described(item)}' for key, item in each.items()])}}}"
        if isinstance(each, (list, tuple)):
            return f"[{','.join([described(item) for item in each])}]"
        return repr(each)

    return described(expression)
