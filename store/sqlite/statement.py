"""SQL statements: written in SQLAlchemy Core, compiled on first use, sent to the driver as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ClauseElement, LargeBinary, Table, bindparam
from sqlalchemy.dialects import sqlite as sqlite_dialect

Row = tuple[Any, ...]
# The text of a statement with question marks, and their values.
BoundStatement = tuple[str, list[Any]]
_DIALECT = sqlite_dialect.dialect(paramstyle="qmark")


class Statement:
    """A statement in SQLAlchemy Core, compiled on first use and sent to the driver as text.

    The driver gets its parameters by position: binding forty by name took a third longer. Statements that every call
    executes declare the `order` of their parameters and are given plain values, without names.
    """

    __slots__ = ("_core", "_order", "parameters", "text")
    # The SQL, with a question mark for every parameter.
    text: str
    # Puts named values, and constants of the statement, in the order of the question marks.
    parameters: Callable[[Mapping[str, Any]], Any]

    def __init__(self, core: ClauseElement, order: str = "") -> None:
        self._core = core
        self._order = tuple(order.split())

    def __getattr__(self, name: str) -> Any:
        """Compile when `text` or `parameters` is first used; both are plain attributes afterwards.

        ValueError when the order of the parameters differs from the declared one.
        """
        if name not in ("text", "parameters"):
            raise AttributeError(name)
        compiled = self._core.compile(dialect=_DIALECT)
        # SQLAlchemy turns constants into parameters. Partial indexes need literals, which are written with
        # literal_column; only constants that no index depends on (NULL, limits) remain.
        names = getattr(compiled, "bind_names", {})
        constants = {name: bind.value for bind, name in names.items() if not bind.required}
        found = tuple(getattr(compiled, "positiontup", None) or ())
        if self._order and (found != self._order or constants):
            raise ValueError(f"the order of the parameters is {' '.join(found)}: {compiled}")
        self.parameters = _in_order(found, constants)
        self.text = str(compiled)
        return getattr(self, name)


def _in_order(order: tuple[str, ...], constants: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Any]:
    if not order:
        return lambda given: ()
    in_order: Callable[[Mapping[str, Any]], Any]
    in_order = itemgetter(*order) if len(order) > 1 else lambda given: (given[order[0]],)
    if constants:
        return lambda given: in_order({**constants, **given})
    return in_order


def insert_text(table: Table, names: Sequence[str]) -> str:
    """Return an INSERT of these columns in this order; SQLAlchemy would use the order of the table."""
    quoted = map(_DIALECT.identifier_preparer.quote, names)
    return f"INSERT INTO {table.name} ({', '.join(quoted)}) VALUES ({', '.join('?' * len(names))})"


class RowInsert:
    """An INSERT of rows whose values are in the order of `columns`; NULLs are omitted from the statement.

    The driver searches for an adapter for each NULL, which takes as long as ten numbers, and half of an event's twenty
    values are NULL. It also does so for bytes, but not for a bytearray.
    """

    __slots__ = ("_columns", "_table", "_templates")

    def __init__(self, table: Table, columns: Sequence[str]) -> None:
        self._table = table
        self._columns = columns
        # Keyed by which values are NULL: the SQL, a function that picks the other values out of a row, and the
        # positions of bytes among them.
        self._templates: dict[tuple[bool, ...], tuple[str, Callable[[Row], Row], tuple[int, ...]]] = {}

    def bind(self, row: Row) -> BoundStatement:
        text, pick, bytes_at = self._template(tuple([value is None for value in row]))
        values = list(pick(row))
        for position in bytes_at:
            values[position] = bytearray(values[position])
        return text, values

    def bind_all(self, rows: Sequence[Row]) -> Iterator[tuple[str, list[list[Any]]]]:
        """Yield statements in the order of the rows, each with the values of all consecutive rows that share it."""
        for text, bound in groupby(map(self.bind, rows), itemgetter(0)):
            yield text, [values for _, values in bound]

    def _template(self, nulls: tuple[bool, ...]) -> tuple[str, Callable[[Row], Row], tuple[int, ...]]:
        template = self._templates.get(nulls)
        if template is None:
            present = [index for index, is_null in enumerate(nulls) if not is_null]
            names = [self._columns[index] for index in present]
            text = Statement(self._table.insert().values({name: bindparam(name) for name in names})).text
            bytes_at = (at for at, name in enumerate(names) if isinstance(self._table.c[name].type, LargeBinary))
            template = self._templates[nulls] = text, itemgetter(*present), tuple(bytes_at)
        return template
