"""SQL statements: written in SQLAlchemy Core, sent to the driver as text with its values in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sqlalchemy import ClauseElement

Row = tuple[Any, ...]


class CompiledText(NamedTuple):
    """The SQL with question marks, the names of the parameters in their order, and the values of constant ones."""

    text: str
    order: Sequence[str]
    constants: Mapping[str, Any]


class Statement:
    """A statement in SQLAlchemy Core, given as such or as a function that builds it; compiled when it is first used."""

    __slots__ = ("_core", "compiled", "parameters", "text")
    compiled: CompiledText
    # The SQL, with a question mark for every parameter.
    text: str
    # Puts named values, and constants of the statement, in the order of the question marks.
    parameters: Callable[[Mapping[str, Any]], Sequence[Any]]

    def __init__(self, core: ClauseElement | Callable[[], ClauseElement]) -> None:
        self._core = core

    def __getattr__(self, name: str) -> Any:
        """Compile the statement when one of these attributes is first used; they are plain attributes afterwards."""
        if name not in ("compiled", "parameters", "text"):
            raise AttributeError(name)
        compiled = self.compiled = self._compile()
        self.text = compiled.text
        self.parameters = _picker(compiled)
        return getattr(self, name)

    def _compile(self) -> CompiledText:
        return compile_core(self._core() if callable(self._core) else self._core)

    def values_in_order(self, names: Sequence[str]) -> Callable[[Row], Row] | None:
        """Return a function that puts values, given in the order of `names`, in that of the question marks.

        None if they are in that order.
        """
        order, constants = self.compiled.order, self.compiled.constants
        if list(order) == list(names):
            return None
        given = {name: index for index, name in enumerate((*names, *constants))}
        pick, fixed = _picks([given[name] for name in order]), tuple(constants.values())
        return (lambda values: pick(values + fixed)) if fixed else pick


def _picker(compiled: CompiledText) -> Callable[[Mapping[str, Any]], Row]:
    pick, constants = _picks(compiled.order), compiled.constants
    return (lambda given: pick({**constants, **given})) if constants else pick


def _picks(keys: Sequence[Any]) -> Callable[[Any], Row]:
    """Return a function that picks the values at these keys or indexes from its argument."""
    if len(keys) > 1:
        return itemgetter(*keys)
    return lambda given: tuple([given[key] for key in keys])


def compile_core(core: ClauseElement) -> CompiledText:
    """Return the text of a statement and its parameters."""
    from sqlalchemy.dialects import sqlite

    compiled: Any = core.compile(dialect=sqlite.dialect(paramstyle="qmark"))
    # SQLAlchemy turns constants into parameters. Partial indexes need literals, which are written with literal_column;
    # only constants that no index depends on (NULL, limits) remain.
    names = getattr(compiled, "bind_names", {})
    constants = {name: bind.value for bind, name in names.items() if not bind.required}
    return CompiledText(str(compiled), tuple(getattr(compiled, "positiontup", None) or ()), constants)


@lru_cache(maxsize=512)
def insert_text(table: str, names: tuple[str, ...], *, instead: str = "") -> str:
    """Return an INSERT of these columns in this order; `instead` is the clause for an existing row, as OR REPLACE."""
    quoted = ", ".join([f'"{name}"' for name in names])
    return f"INSERT {instead} INTO {table} ({quoted}) VALUES ({', '.join('?' * len(names))})"


@lru_cache(maxsize=512)
def update_text(table: str, names: tuple[str, ...], key: str) -> str:
    """Return an UPDATE of these columns, in this order, of the row with a key; it raises the version of the row."""
    changes = ", ".join([*(f'"{name}" = ?' for name in names), "version = version + 1"])
    return f"UPDATE {table} SET {changes} WHERE {key} = ?"
