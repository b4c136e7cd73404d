"""The errors of SQLite in words."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from mqsc.store.sqlite.driver_errors import is_busy, is_database_failure, store_error_for

TEXTS = [
    ("file is not a database", "x.db is not a store: the file is not an SQLite database"),
    (
        "attempt to write a readonly database",
        "x.db cannot be written: attempt to write a readonly database",
    ),
    ("unable to open database file", "x.db cannot be opened: unable to open database file"),
    ("database or disk is full", "x.db cannot grow: the disk is full"),
    ("disk I/O error", "x.db cannot be read or written: the disk failed"),
    (
        "database disk image is malformed",
        "x.db is damaged, or the disk failed when it was read; `mqsc doctor` checks it",
    ),
    ("no such column: full_depth", "x.db is damaged; restore it from a copy"),
    ("something new", "x.db: something new"),
]


def test_failures_of_sqlite_are_told_in_words() -> None:
    told = [
        (text, str(store_error_for(sqlite3.OperationalError(text), "x.db"))) for text, _ in TEXTS
    ]
    assert [
        (text, words)
        for (text, words), (_, start) in zip(told, TEXTS, strict=True)
        if words.find(start)
    ] == []


def test_a_folder_and_a_store_in_memory_are_named_as_such(tmp_path: Path) -> None:
    cannot_open = sqlite3.OperationalError("unable to open database file")
    assert str(store_error_for(cannot_open, str(tmp_path))) == f"{tmp_path} is a folder, not a file"
    assert str(store_error_for(cannot_open, None)).startswith(
        "the store in memory cannot be opened",
    )
    missing = tmp_path / "none" / "x.db"
    assert str(store_error_for(cannot_open, str(missing))).endswith(
        f"opened: there is no folder {missing.parent}",
    )


def test_mistakes_in_statements_are_no_failures_of_the_database() -> None:
    failures = (sqlite3.OperationalError("no such table"), sqlite3.DatabaseError("malformed"))
    mistakes = (
        sqlite3.IntegrityError("UNIQUE"),
        sqlite3.ProgrammingError("closed"),
        ValueError(),
        None,
    )
    assert [is_database_failure(each, sqlite3) for each in (*failures, *mistakes)] == [True] * 2 + [
        False,
    ] * 4


def test_locks_of_others_are_busy() -> None:
    busy = ("database is locked", "database table is locked: event", "locking protocol")
    texts = (*busy, "no such column: locked_by", "disk is full")
    assert tuple(text for text in texts if is_busy(sqlite3.OperationalError(text))) == busy
