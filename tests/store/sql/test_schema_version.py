"""A store's file is created, accepted or refused by its version; for upgrades see tests/store/sqlite/migrations."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store.client.api import open_store
from store.error import StoreError
from store.sql.rows import APPLICATION_ID, SCHEMA_VERSION
from store.sql.schema import metadata


def execute(path: Path, *statements: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            found += database.execute(statement).fetchall()
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.db"


def test_a_new_file_has_the_tables_and_numbers(path: Path) -> None:
    open_store(f"sqlite:///{path}").close()
    tables = execute(path, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    assert {name for (name,) in tables} == {*metadata.tables}
    assert execute(path, "PRAGMA user_version", "PRAGMA application_id") == [(SCHEMA_VERSION,), (APPLICATION_ID,)]


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE t (a)"],
        ["PRAGMA user_version = 1"],
        [f"PRAGMA user_version = {SCHEMA_VERSION}"],
        [f"PRAGMA user_version = {SCHEMA_VERSION}", f"PRAGMA application_id = {APPLICATION_ID + 1}"],
    ],
)
def test_the_database_of_another_program_is_refused_and_unchanged(path: Path, statements: list[str]) -> None:
    look = "SELECT name FROM sqlite_master", "PRAGMA user_version", "PRAGMA application_id"
    execute(path, *statements)
    before = execute(path, *look)
    with pytest.raises(StoreError, match="not a store: another program created this SQLite database"):
        open_store(f"sqlite:///{path}")
    assert execute(path, *look) == before


def test_a_newer_schema_is_refused(path: Path) -> None:
    open_store(f"sqlite:///{path}").close()
    execute(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StoreError, match=f"its schema is {SCHEMA_VERSION + 1}, this one knows {SCHEMA_VERSION}"):
        open_store(f"sqlite:///{path}")
