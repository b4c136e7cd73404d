"""SQL statements: written once in SQLAlchemy Core, compiled on first use, sent to the driver as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ClauseElement, LargeBinary, Table, bindparam
from sqlalchemy.dialects import sqlite as sqlite_dialect

Row = tuple[Any, ...]
_DIALECT = sqlite_dialect.dialect(paramstyle="qmark")


class Statement:
    """A statement written in SQLAlchemy Core, compiled on first use and sent to the driver as text.

    Positional parameters: binding forty by name measured a third slower. What every call needs says their order itself,
    and is given values without names.
    """

    __slots__ = ("_core", "_order", "parameters", "text")
    # The SQL, with a question mark for every parameter.
    text: str
    # The values given by name, and the constants that the statement holds itself, in the order of the text.
    parameters: Callable[[Mapping[str, Any]], Any]

    def __init__(self, core: ClauseElement, order: str = "") -> None:
        self._core = core
        self._order = tuple(order.split())

    def __getattr__(self, name: str) -> Any:
        """Compile when text or parameters are first asked for: from then on they are plain attributes.

        ValueError when the parameters do not stand in the order that the statement was given.
        """
        if name not in ("text", "parameters"):
            raise AttributeError(name)
        compiled = self._core.compile(dialect=_DIALECT)
        # Constants become parameters of their own; partial indexes need literals, so those are written with
        # literal_column and only harmless ones (NULLs, limits) remain here.
        names = getattr(compiled, "bind_names", {})
        constants = {name: bind.value for bind, name in names.items() if not bind.required}
        found = tuple(getattr(compiled, "positiontup", None) or ())
        if self._order and (found != self._order or constants):
            raise ValueError(f"the parameters stand in the order {' '.join(found)}: {compiled}")
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
    """An INSERT of these columns in this order, which SQLAlchemy would change to that of the table."""
    quoted = map(_DIALECT.identifier_preparer.quote, names)
    return f"INSERT INTO {table.name} ({', '.join(quoted)}) VALUES ({', '.join('?' * len(names))})"


class RowInsert:
    """An INSERT of rows in the order of `columns` that leaves NULLs out: one statement for every shape of row.

    For a NULL the driver looks for adapters in vain, which takes it as long as ten numbers; of the twenty values of an
    event half are NULL. It does the same for bytes, not for a bytearray.
    """

    __slots__ = ("_columns", "_forms", "_table")

    def __init__(self, table: Table, columns: Sequence[str]) -> None:
        self._table = table
        self._columns = columns
        # By shape: the statement, what picks its values out of a row, and which of those are bytes.
        self._forms: dict[tuple[bool, ...], tuple[str, Callable[[Row], Row], tuple[int, ...]]] = {}

    def of(self, row: Row) -> tuple[str, list[Any]]:
        """The statement and its values for one row."""
        text, picked, bytes_at = self._form(tuple([value is None for value in row]))
        values = list(picked(row))
        for place in bytes_at:
            values[place] = bytearray(values[place])
        return text, values

    def of_all(self, rows: Sequence[Row]) -> Iterator[tuple[str, list[list[Any]]]]:
        """Statements and the values for as many rows as follow one another in one shape, in the order of the rows."""
        for text, alike in groupby(map(self.of, rows), itemgetter(0)):
            yield text, [values for _, values in alike]

    def _form(self, shape: tuple[bool, ...]) -> tuple[str, Callable[[Row], Row], tuple[int, ...]]:
        form = self._forms.get(shape)
        if form is None:
            present = [index for index, absent in enumerate(shape) if not absent]
            names = [self._columns[index] for index in present]
            text = Statement(self._table.insert().values({name: bindparam(name) for name in names})).text
            of_bytes = (place for place, name in enumerate(names) if isinstance(self._table.c[name].type, LargeBinary))
            form = self._forms[shape] = text, itemgetter(*present), tuple(of_bytes)
        return form
