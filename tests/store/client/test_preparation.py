"""The tables of a store: created once, and never in a file of another kind."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from store.client.preparation import prepare
from store.error import StoreError
from store.sql.schema import APPLICATION_ID, SCHEMA_VERSION, metadata
from store.sqlite.database import Reading
from store.sqlite.database_file import Database


def test_a_new_file_gets_every_table_and_the_version(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "new.db"))
    prepare(database)
    prepare(database)
    with Reading(database) as reading:
        numbers = reading.pragma("user_version"), reading.pragma("application_id")
    database.close()
    assert numbers == (SCHEMA_VERSION, APPLICATION_ID)
    with sqlite3.connect(tmp_path / "new.db") as plain:
        found = {name for (name,) in plain.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    plain.close()
    assert set(metadata.tables) <= found


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("CREATE TABLE t (a)", "is an SQLite database of something else"),
        ("PRAGMA user_version = 1", "is an SQLite database of something else"),
        (f"PRAGMA user_version = {SCHEMA_VERSION}; PRAGMA application_id = 7", "is an SQLite database of something"),
        (
            f"PRAGMA user_version = {SCHEMA_VERSION + 1}; PRAGMA application_id = {APPLICATION_ID}",
            f"its schema is {SCHEMA_VERSION + 1}, this one knows {SCHEMA_VERSION}",
        ),
    ],
)
def test_a_file_of_another_kind_is_refused_and_stays_as_it_is(tmp_path: Path, script: str, said: str) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as plain:
        plain.executescript(script)
    plain.close()
    database = Database(str(path))
    with pytest.raises(StoreError, match=said):
        prepare(database)
    database.close()
    with sqlite3.connect(path) as plain:
        tables = [name for (name,) in plain.execute("SELECT name FROM sqlite_master")]
    plain.close()
    assert tables == (["t"] if "TABLE" in script else [])
