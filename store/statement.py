"""SQL statements: written once in SQLAlchemy Core, compiled on first use, sent to the driver as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ClauseElement, Table, bindparam
from sqlalchemy.dialects import sqlite as sqlite_dialect

Row = tuple[Any, ...]
_DIALECT = sqlite_dialect.dialect(paramstyle="qmark")


class Statement:
    """A statement written in SQLAlchemy Core, compiled on first use and sent to the driver as text.

    Positional parameters: binding forty by name measured a third slower.
    """

    __slots__ = ("_core", "parameters", "text")
    # The SQL, with a question mark for every parameter.
    text: str
    # The values given by name, and the constants that the statement holds itself, in the order of the text.
    parameters: Callable[[Mapping[str, Any]], Any]

    def __init__(self, core: ClauseElement) -> None:
        self._core = core

    def __getattr__(self, name: str) -> Any:
        """Compile when text or parameters are first asked for: from then on they are plain attributes."""
        if name not in ("text", "parameters"):
            raise AttributeError(name)
        compiled = self._core.compile(dialect=_DIALECT)
        # Constants become parameters of their own; partial indexes need literals, so those are written with
        # literal_column and only harmless ones (NULLs, limits) remain here.
        names = getattr(compiled, "bind_names", {})
        constants = {name: bind.value for bind, name in names.items() if not bind.required}
        self.parameters = _in_order(tuple(getattr(compiled, "positiontup", None) or ()), constants)
        self.text = str(compiled)
        return getattr(self, name)


def _in_order(order: tuple[str, ...], constants: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Any]:
    if not order:
        return lambda given: ()
    if constants:
        return lambda given: tuple([given[name] if name in given else constants[name] for name in order])
    return itemgetter(*order) if len(order) > 1 else lambda given: (given[order[0]],)


class RowInsert:
    """An INSERT of rows in the order of `columns` that leaves NULLs out: one statement for every shape of row.

    For a NULL the driver looks for adapters in vain, which takes it as long as ten numbers; of the twenty values of an
    event half are NULL.
    """

    __slots__ = ("_columns", "_table", "_texts")

    def __init__(self, table: Table, columns: Sequence[str]) -> None:
        self._table = table
        self._columns = columns
        self._texts: dict[tuple[bool, ...], str] = {}

    def of(self, row: Row) -> tuple[str, list[Any]]:
        """The statement and its values for one row."""
        return self._text(_shape(row)), _present(row)

    def of_all(self, rows: Sequence[Row]) -> Iterator[tuple[str, list[list[Any]]]]:
        """Statements and the values for as many rows as follow one another in one shape, in the order of the rows."""
        for shape, alike in groupby(rows, _shape):
            yield self._text(shape), [_present(row) for row in alike]

    def _text(self, shape: tuple[bool, ...]) -> str:
        text = self._texts.get(shape)
        if text is None:
            present = [name for name, absent in zip(self._columns, shape, strict=True) if not absent]
            text = Statement(self._table.insert().values({name: bindparam(name) for name in present})).text
            self._texts[shape] = text
        return text


def _shape(row: Row) -> tuple[bool, ...]:
    """Which values are NULL."""
    return tuple([value is None for value in row])


def _present(row: Row) -> list[Any]:
    return [value for value in row if value is not None]
