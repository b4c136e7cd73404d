"""Statements as functions: the body builds a statement in SQLAlchemy Core, a call executes its text.

The body runs only when the text is not known; then each parameter is a placeholder of its name. The texts of all
statements are kept in `__pycache__`, as compiled modules are, under a hash of the files that they are made from, and
are made again when a file has changed. So no command imports SQLAlchemy, unless it is the first after a change. A wheel
has the texts beside its modules.

A decorator says what a call returns. A call is given the transaction and then the values of the parameters; one whose
annotation is `list[...]` is bound as JSON, which `values_of` reads. A first parameter `cause` is the tuple `Cause`.
"""

from __future__ import annotations

import json
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from importlib import import_module
from operator import attrgetter, itemgetter, methodcaller
from pathlib import Path
from shutil import copymode
from types import FunctionType
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from store.sql.core import ClauseElement, bindparam, delete, metadata, select
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import CompiledText, Row, Statement

P = ParamSpec("P")
R = TypeVar("R")
Q = TypeVar("Q", bound=Queries)
Build = Callable[P, "ClauseElement"]

_FOLDER = Path(__file__).parent
NAME = "statements.json"
FILE = _FOLDER / "__pycache__" / NAME
# A module that makes statements with conditions chosen by a call has a function of this name for the most frequent.
USUAL = "usual_statements"
_DEFINITIONS = "definitions"
# Files outside this package from which the texts are made, too.
_OTHER_SOURCES = (
    "constants/constants.csv", "constants/table.py", "published.py", "published_columns.csv", "sqlite/statement.py",
    "table.py",
)  # fmt: skip

# For values that are lists; the driver has no adapter for them, because that would be the whole program's.
to_json = json.JSONEncoder().encode

_ALL, _FIRST = methodcaller("fetchall"), methodcaller("fetchone")

# When and where something happens to messages, `name` being that of the queue, and the user who caused it.
CAUSE = ("now", "qmgr", "name", "connection", "application", "user")
Cause = tuple[int, str, str, int | None, str, str]


class KnownStatement(Statement):
    """A statement whose text is looked up by a key that no other statement has; not built if it is found."""

    __slots__ = ("key",)

    def __init__(self, key: str, build: Callable[[], ClauseElement]) -> None:
        super().__init__(build)
        self.key = key

    def _compile(self) -> CompiledText:
        return _known_texts().get(self.key) or self.newly_compiled()

    def newly_compiled(self) -> CompiledText:
        return super()._compile()


def rows(row: Callable[..., R]) -> Callable[[Build[P]], Callable[Concatenate[Queries, P], list[R]]]:
    """A call returns every row."""
    make = _maker(row)
    return lambda build: _executing(build, _ALL, lambda found: list(map(make, found)))


def row(row: Callable[..., R]) -> Callable[[Build[P]], Callable[Concatenate[Queries, P], R | None]]:
    """A call returns the first row, or None."""
    make = _maker(row)
    return lambda build: _executing(build, _FIRST, make)


def one(row: Callable[..., R]) -> Callable[[Build[P]], Callable[Concatenate[Queries, P], R]]:
    """A call returns the row of a statement that always has one."""
    make = _maker(row)
    return lambda build: _executing(build, _FIRST, make)


def column(kind: type[R]) -> Callable[[Build[P]], Callable[Concatenate[Queries, P], list[R]]]:
    """A call returns the first column of every row."""
    return lambda build: _executing(build, _ALL, lambda found: list(map(itemgetter(0), found)))


def value(kind: Callable[..., R]) -> Callable[[Build[P]], Callable[Concatenate[Queries, P], R]]:
    """A call returns the first column of the first row; zero or blank if there is no row, or NULL in it."""

    def first(cursor: Any) -> R:
        found = cursor.fetchone()
        return kind() if found is None or found[0] is None else kind(found[0])

    return lambda build: _executing(build, first)


def tuples(build: Build[P]) -> Callable[Concatenate[Queries, P], list[Any]]:
    """A call returns every row as a tuple."""
    return _executing(build, _ALL)


def mapping(build: Build[P]) -> Callable[Concatenate[Queries, P], dict[Any, Any]]:
    """A call returns the second column of every row by the first."""
    return _executing(build, _ALL, dict)


def first_tuple(build: Build[P]) -> Callable[Concatenate[Queries, P], Any]:
    """A call returns the first row as a tuple, or None."""
    return _executing(build, _FIRST)


def exists(build: Build[P]) -> Callable[Concatenate[Queries, P], bool]:
    """A call returns whether there is a row."""
    return _executing(build, lambda cursor: cursor.fetchone() is not None)


def change(build: Build[P]) -> Callable[Concatenate[Transaction, P], int]:
    """A call returns how many rows it has changed."""
    return _executing(build, attrgetter("rowcount"))


def insertion(build: Build[P]) -> Callable[Concatenate[Transaction, P], int]:
    """A call returns the number of the new row."""
    return _executing(build, attrgetter("lastrowid"))


# Statements on the rows of a table that have given values in some columns. A call takes these values, in that order.


def find(row: Callable[..., R], table: str, *names: str) -> Callable[..., R | None]:
    """A call returns the row with these values, or None."""
    return _with_values("row", table, names, lambda found: select(found), _FIRST, _maker(row))


def find_all(row: Callable[..., R], table: str, *names: str, order: str) -> Callable[..., list[R]]:
    """A call returns every row with these values, ordered by other columns."""
    make = _maker(row)

    def ordered(found: Any) -> Any:
        return select(found).order_by(*(found.c[name] for name in order.split()))

    return _with_values("rows", table, names, ordered, lambda cursor: list(map(make, cursor.fetchall())))


def removal(table: str, *names: str) -> Callable[..., int]:
    """A call removes the rows with these values, and returns how many there were."""
    return _with_values("removal", table, names, lambda found: delete(found), attrgetter("rowcount"))


def _with_values(
    what: str,
    table: str,
    names: Sequence[str],
    begin: Callable[[Any], Any],
    result: Callable[[Any], Any],
    make: Callable[[Any], Any] | None = None,
) -> Callable[..., Any]:
    def build() -> Any:
        found = metadata.tables[table]
        return begin(found).where(*(found.c[name] == bindparam(f"{name}_") for name in names))

    statement = KnownStatement(" ".join((what, table, *names)), build)

    def execute(tx: Queries, *values: Any) -> Any:
        found = result(tx.execute(statement.text, values))
        return found if make is None or found is None else make(found)

    execute.statement = statement  # type: ignore[attr-defined]
    return execute


def for_each(tx: Transaction, change: Callable[..., int], values: Iterable[Row]) -> None:
    """Execute the statement of a function once for each tuple of values."""
    text, in_order = change.known()  # type: ignore[attr-defined]
    tx.execute_for_each(text, values if in_order is None else map(in_order, values))


def in_order(order: str) -> Callable[[Callable[..., ClauseElement]], KnownStatement]:
    """Not a function but the statement, for functions that every put and get calls, to save a third of a microsecond.

    `order`: the names of the parameters, as often and in the order as the text has them. ValueError when the text is
    first used and has another order.
    """
    return lambda build: _OrderedStatement(build, order)


class _OrderedStatement(KnownStatement):
    __slots__ = ("_order",)

    def __init__(self, build: Callable[..., ClauseElement], order: str) -> None:
        super().__init__(*_keyed(build)[:2])
        self._order = [f"{name}_" for name in order.split()]

    def _compile(self) -> CompiledText:
        compiled = super()._compile()
        if list(compiled.order) != self._order:
            raise ValueError(f"the order of the parameters is {' '.join(compiled.order)}: {compiled.text}")
        return compiled


def _maker(row: Any) -> Callable[[Any], Any]:
    if isinstance(row, type) and issubclass(row, tuple):
        # In half the time of a call with forty columns.
        return partial(tuple.__new__, row)
    return lambda values: row(*values)


def _keyed(build: Callable[..., ClauseElement]) -> tuple[str, Callable[[], ClauseElement], list[str]]:
    """The key of a statement, a function that builds it for placeholders, and the names of these."""
    names = _parameters(build)
    # With an underscore: in an UPDATE SQLAlchemy reserves the name of a column for its new value.
    places = [f"{name}_" for name in ((*CAUSE, *names[1:]) if names[:1] == ("cause",) else names)]

    def built() -> ClauseElement:
        given: tuple[Any, ...] = tuple(map(bindparam, places))
        return build(*given) if len(given) == len(names) else build(given[: len(CAUSE)], *given[len(CAUSE) :])

    # Without the name of the package, which is another one where it is installed.
    return f"{build.__module__.removeprefix(f'{__package__}.')}.{build.__name__}", built, places


def _parameters(build: Callable[..., ClauseElement]) -> tuple[str, ...]:
    return build.__code__.co_varnames[: build.__code__.co_argcount]


def _executing(
    build: Callable[..., ClauseElement], result: Callable[[Any], Any], make: Callable[[Any], Any] | None = None
) -> Callable[..., Any]:
    """Return the function; `result` takes a value out of the cursor, and `make` converts it to the call's result."""
    names, defaults = _parameters(build), build.__defaults__ or ()
    default_of = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    key, built, places = _keyed(build)
    statement = KnownStatement(key, built)
    is_caused = len(places) > len(names)
    lists = {f"{name}_" for name in names if str(build.__annotations__.get(name)).startswith("list[")}
    text, count = "", len(names)
    in_order: Callable[[Row], Row] | None = None

    def known() -> tuple[str, Callable[[Row], Row] | None]:
        nonlocal text, in_order
        order = statement.values_in_order(places)
        # Another thread takes both when there is a text.
        in_order = _with_json([name in lists for name in places], order) if lists else order
        text = statement.text
        return text, in_order

    def execute(tx: Queries, *given: Any, **named: Any) -> Any:
        if named or len(given) != count:
            rest = [named.pop(each) if each in named else default_of[each] for each in names[len(given) :]]
            given += tuple(rest)
            if named or len(given) != count:
                raise TypeError(f"{build.__name__}() takes each of {', '.join(names)} once")
        if is_caused:
            given = given[0] + given[1:]
        if not text:
            known()
        found = result(tx.execute(text, given if in_order is None else in_order(given)))
        return found if make is None or found is None else make(found)

    execute.__name__, execute.__doc__, execute.__module__ = build.__name__, build.__doc__, build.__module__
    execute.statement, execute.known = statement, known  # type: ignore[attr-defined]
    return execute


def _with_json(is_list: Sequence[bool], in_order: Callable[[Row], Row] | None) -> Callable[[Row], Row]:
    def encoded(values: Row) -> Row:
        row = tuple([to_json(value) if is_one else value for value, is_one in zip(values, is_list, strict=True)])
        return row if in_order is None else in_order(row)

    return encoded


def definitions() -> Sequence[str]:
    """Return the statements that create what a new store has."""
    return (_known_texts().get(_DEFINITIONS) or _compiled_definitions()).order


@cache
def _known_texts() -> dict[str, CompiledText]:
    for file in (_FOLDER / NAME, FILE):
        # There may be none, or another version wrote it: it is written anew.
        with suppress(OSError, ValueError):
            found, texts = msgspec.json.decode(file.read_bytes(), type=tuple[str, dict[str, CompiledText]])
            if found == _SOURCES:
                return texts
    if not _SOURCES or not os.access(FILE.parent if FILE.parent.exists() else _FOLDER, os.W_OK):
        # Each statement is compiled when it is used, which takes longer.
        return {}
    texts = compile_all()
    with suppress(OSError):
        # A source that has changed since this program imported it has other texts.
        if hash_of_sources(_FOLDER) == _SOURCES:
            write(FILE, _SOURCES, texts)
    return texts


def hash_of_sources(folder: Path) -> str:
    """Return a hash of all files from which the texts are made, given the folder of this module; OSError."""
    # An editor's lock of a file is a link that leads nowhere, and has a dot before the name.
    own = sorted(file for file in folder.glob("*.py") if not file.name.startswith("."))
    files = [*own, *(folder.parent / name for name in _OTHER_SOURCES)]
    return blake2b(b"\0".join([file.read_bytes() for file in files]), digest_size=16).hexdigest()


# Of the files as this program imports them; blank when one cannot be read.
_SOURCES = ""
with suppress(OSError):
    _SOURCES = hash_of_sources(_FOLDER)


def compile_all() -> dict[str, CompiledText]:
    """Compile every statement, and those that create the tables; return the texts by key."""
    texts = {_DEFINITIONS: _compiled_definitions()}
    texts.update((each.key, each.newly_compiled()) for each in all_statements())
    return texts


def all_statements() -> Iterator[KnownStatement]:
    """Yield the statements that functions of this package have, and the usual ones of modules that make more."""
    for found in pkgutil.iter_modules([str(_FOLDER)]):
        module = import_module(f"{__package__}.{found.name}")
        for each in vars(module).values():
            if isinstance(each, KnownStatement):
                yield each
            elif isinstance(each, FunctionType) and hasattr(each, "statement"):
                yield each.statement
        yield from vars(module).get(USUAL, tuple)()


def write(file: Path, sources: str, texts: dict[str, CompiledText]) -> None:
    """Write the texts under the hash of their sources; a program that reads the file meanwhile sees all or nothing."""
    from tempfile import TemporaryDirectory  # takes longer to import than the texts to read

    file.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=file.parent) as folder:
        draft = Path(folder, file.name)
        draft.write_bytes(msgspec.json.format(msgspec.json.encode((sources, texts)), indent=0))
        copymode(__file__, draft)
        os.replace(draft, file)


def _compiled_definitions() -> CompiledText:
    from store.sql.schema import definitions  # imports SQLAlchemy

    return CompiledText("", [*definitions()], {})


if __name__ == "__main__":
    # The module's own class, not that of `__main__`, is the one of the statements.
    from store.sql.statements import compile_all

    # The wheel is built with the folder in which it has these sources, whose imports are others.
    given = Path(sys.argv[1]) if sys.argv[1:] else None
    write(given / NAME if given else FILE, hash_of_sources(given or _FOLDER), compile_all())
