"""SQL statements: written in SQLAlchemy Core, compiled in advance or on first use, sent to the driver as text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from store.sqlite.known_texts import CompiledText, known_text

if TYPE_CHECKING:
    from store.sqlite.expressions import ClauseElement

Row = tuple[Any, ...]
# The text of a statement with question marks, and their values.
BoundStatement = tuple[str, list[Any]]


class Statement:
    """A statement in SQLAlchemy Core, sent to the driver as text.

    The driver gets its parameters by position: binding forty by name took a third longer. Statements that every call
    executes declare the `order` of their parameters and are given plain values, without names.
    """

    __slots__ = ("_order", "core", "parameters", "text")
    # The SQL, with a question mark for every parameter.
    text: str
    # Puts named values, and constants of the statement, in the order of the question marks.
    parameters: Callable[[Mapping[str, Any]], Any]

    def __init__(self, core: ClauseElement, order: str = "") -> None:
        self.core = core
        self._order = tuple(order.split())

    def __getattr__(self, name: str) -> Any:
        """Find the text when `text` or `parameters` is first used; both are plain attributes afterwards.

        ValueError when the order of the parameters differs from the declared one.
        """
        if name not in ("text", "parameters"):
            raise AttributeError(name)
        compiled = known_text(self.core) or self.compiled()
        if self._order and (compiled.order != self._order or compiled.constants):
            raise ValueError(f"the order of the parameters is {' '.join(compiled.order)}: {compiled.text}")
        self.parameters = _in_order(compiled.order, compiled.constants)
        self.text = compiled.text
        return getattr(self, name)

    def compiled(self) -> CompiledText:
        """Return what SQLAlchemy makes of the statement."""
        from store.sqlite.compilation import compile_core

        return compile_core(self.core)


def _in_order(order: tuple[str, ...], constants: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Any]:
    if not order:
        return lambda given: ()
    in_order: Callable[[Mapping[str, Any]], Any]
    in_order = itemgetter(*order) if len(order) > 1 else lambda given: (given[order[0]],)
    if constants:
        return lambda given: in_order({**constants, **given})
    return in_order


@lru_cache(maxsize=512)
def insert_text(table: str, names: tuple[str, ...]) -> str:
    """Return an INSERT of these columns in this order."""
    quoted = ", ".join([f'"{name}"' for name in names])
    return f"INSERT INTO {table} ({quoted}) VALUES ({', '.join('?' * len(names))})"


@lru_cache(maxsize=512)
def update_text(table: str, names: tuple[str, ...], key: str) -> str:
    """Return an UPDATE of these columns, in this order, of the row with a key; it raises the version of the row."""
    changes = ", ".join([*(f'"{name}" = ?' for name in names), "version = version + 1"])
    return f"UPDATE {table} SET {changes} WHERE {key} = ?"


class RowInsert:
    """An INSERT of rows whose values are in the order of `columns`; NULLs are omitted from the statement.

    The driver searches for an adapter for each NULL, which takes as long as ten numbers, and half of an event's twenty
    values are NULL. It also does so for bytes, but not for a bytearray.
    """

    __slots__ = ("_blobs", "_columns", "_table", "_templates")

    def __init__(self, table: str, columns: Sequence[str], blobs: Collection[str]) -> None:
        self._table = table
        self._columns = columns
        # The columns that have bytes.
        self._blobs = blobs
        # Keyed by which values are NULL: the SQL, a function that picks the other values out of a row, and the
        # positions of bytes among them.
        self._templates: dict[tuple[bool, ...], tuple[str, Callable[[Row], Row], tuple[int, ...]]] = {}

    def bind(self, row: Row) -> BoundStatement:
        nulls = tuple([value is None for value in row])
        text, pick, bytes_at = self._templates.get(nulls) or self._template(nulls)
        values = list(pick(row))
        for position in bytes_at:
            values[position] = bytearray(values[position])
        return text, values

    def bind_named(self, row: Mapping[str, Any]) -> BoundStatement:
        """Likewise for a row given as values by the names of columns, which need not be all."""
        names: list[str] = []
        values: list[Any] = []
        for name, value in row.items():
            if value is not None:
                names.append(name)
                values.append(bytearray(value) if name in self._blobs else value)
        return insert_text(self._table, tuple(names)), values

    def bind_all(self, rows: Sequence[Row]) -> Iterator[tuple[str, list[list[Any]]]]:
        """Yield statements in the order of the rows, each with the values of all consecutive rows that share it."""
        for text, bound in groupby(map(self.bind, rows), itemgetter(0)):
            yield text, [values for _, values in bound]

    def _template(self, nulls: tuple[bool, ...]) -> tuple[str, Callable[[Row], Row], tuple[int, ...]]:
        present = [index for index, is_null in enumerate(nulls) if not is_null]
        names = tuple([self._columns[index] for index in present])
        bytes_at = tuple(at for at, name in enumerate(names) if name in self._blobs)
        template = self._templates[nulls] = insert_text(self._table, names), itemgetter(*present), bytes_at
        return template
