"""Checks of a database file: damaged pages, lost references, values of another type, an altered
schema.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from mqsc.store.sqlite.driver import DriverConnection, open_connection, sqlite_library
from mqsc.store.sqlite.driver_errors import is_driver_failure

# What `typeof` may say about the values of a column, by its declared type.
_FITTING = {
    "INTEGER": "('integer', 'null')",
    "TEXT": "('text', 'null')",
    "BLOB": "('blob', 'null')",
}
# SQLite makes objects with this prefix itself, and lets nobody else do so.
_OBJECTS = (
    "SELECT name, type, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER "
    "BY name"
)
_ROOTS = "SELECT rootpage, type, name FROM sqlite_master WHERE rootpage > 0"
_NO_LIMIT = 1000
_MALFORMED = "database disk image is malformed"
_SAYING_NOTHING = frozenset(("ok", "*** in database main ***"))
_COLUMNS = 'SELECT name, type, "notnull", pk FROM pragma_table_info(?)'


class SchemaObject(NamedTuple):
    """A table, index, view or trigger. A table is described by its columns, anything else by its
    SQL.
    """

    type: str
    columns: Mapping[str, tuple[str, int, int]]
    sql: str


Schema = Mapping[str, SchemaObject]


def schema_made_by(definitions: Iterable[str]) -> Schema:
    """The schema that these statements create."""
    connection = open_connection(sqlite_library(), None)
    try:
        for definition in definitions:
            connection.execute(definition)
        return _schema_of(connection)
    finally:
        connection.close()


def _schema_of(connection: DriverConnection) -> Schema:
    schema = {}
    for name, type, sql in connection.execute(_OBJECTS).fetchall():
        columns = {
            row[0]: tuple(row[1:]) for row in connection.execute(_COLUMNS, (name,)).fetchall()
        }
        # The blanks and quotes of an upgraded store differ from those of a new one.
        text = re.sub(r'["\s]+|(?<=[(),])\s+', "", sql or "") if type != "table" else ""
        schema[name] = SchemaObject(type, columns, text)
    return schema


def faults_that_last(look: Callable[[], list[str]]) -> list[str]:
    """What a second look at a file finds, if the first finds anything.

    A disk may fail for a moment, and a backup would be older than the file. SQLite has many
    sentences for a page that the system did not return, and uses some of them for damage too.
    """
    return look() and look()


def damage(connection: DriverConnection, limit: int) -> list[str]:
    """What SQLite's checks of the whole file find, at most `limit` sentences, which name pages
    and tables.
    """
    roots: dict[str, str] = {}
    _sentences(
        connection,
        _ROOTS,
        _NO_LIMIT,
        lambda row: roots.setdefault(str(row[0]), f"{row[1]} {row[2]}"),
    )
    sentences = _sentences(
        connection,
        f"PRAGMA integrity_check({limit})",
        limit,
        lambda row: str(row[0]),
    )
    if sentences and sentences[-1] == _MALFORMED:
        # SQLite gave up without a word about the place.
        for name in [name for name in roots.values() if name.startswith("table ")]:
            table = name.removeprefix("table ")
            last = _sentences(
                connection,
                f'PRAGMA integrity_check("{table}")',
                limit,
                lambda row: str(row[0]),
            )[-1:]
            sentences += [f"{name} cannot be read" for each in last if each == _MALFORMED]
    lost = _sentences(
        connection,
        "PRAGMA foreign_key_check",
        limit,
        lambda row: f"row {row[1]} of table {row[0]} refers to a missing row of {row[2]}",
    )
    lines = [
        line
        for each in sentences + lost
        for line in each.splitlines()
        if line not in _SAYING_NOTHING
    ]
    named = [
        re.sub(r"^Tree (\d+)\b", lambda tree: roots.get(tree[1], tree[0]), line) for line in lines
    ]
    # The general sentence only if there is no other.
    places = [each for each in dict.fromkeys(named) if each != _MALFORMED]
    return (places or named[:1])[:limit]


def schema_faults(
    connection: DriverConnection,
    expected: Schema,
    *,
    optional: Container[str] = (),
    is_older: bool = False,
) -> list[str]:
    """How the schema differs from the expected one, of which the `optional` objects may be missing.

    `is_older`: an upgrade will add what is missing.
    """
    try:
        actual_schema = _schema_of(connection)
    except Exception as error:
        return [f"the schema cannot be read: {_said(error)}"]
    faults = [
        f"the {each.type} {name} is not part of a store"
        for name, each in actual_schema.items()
        if name not in expected
    ]
    for name, each in expected.items():
        actual = actual_schema.get(name)
        if actual is None:
            faults += [] if is_older or name in optional else [f"the {each.type} {name} is missing"]
        elif not (actual == each or (is_older and actual.columns.items() <= each.columns.items())):
            faults.append(f"the {actual.type} {name} is not as it was created")
    return faults


def wrong_values(connection: DriverConnection, schema: Schema, limit: int) -> list[str]:
    """The columns of tables that hold values of another type, at most `limit` sentences."""
    sentences: list[str] = []
    for table, definition in schema.items():
        if definition.type == "table":
            types = {name: declared for name, (declared, _, _) in definition.columns.items()}
            sentences += _sentences(
                connection,
                _count_wrong(table, types),
                1,
                partial(_wrong_columns, table, types),
            )
    return [each for each in sentences if each][:limit]


def _count_wrong(table: str, types: Mapping[str, str]) -> str:
    counts = (
        f"""sum(typeof("{name}") NOT IN {_FITTING[declared]})""" for name, declared in types.items()
    )
    return f'SELECT {", ".join(counts)} FROM "{table}"'


def _wrong_columns(table: str, columns: Iterable[str], counts: Iterable[int | None]) -> str:
    wrong = [name for name, count in zip(columns, counts, strict=True) if count]
    return f"table {table} has values of a wrong type in {', '.join(wrong)}" if wrong else ""


def _sentences(
    connection: DriverConnection,
    statement: str,
    limit: int,
    sentence_of: Callable[[Any], str],
) -> list[str]:
    """A sentence for each row. If the file is too damaged to go on, the last is SQLite's error."""
    sentences: list[str] = []
    try:
        with closing(connection.execute(statement)) as cursor:
            while len(sentences) < limit and (row := cursor.fetchone()) is not None:
                sentences.append(sentence_of(row))
    except Exception as error:
        sentences.append(_said(error))
    return sentences


def _said(error: Exception) -> str:
    if not is_driver_failure(error, sqlite_library()):
        raise error
    return str(error)
