"""The driver: failures in words, and the name of a queue manager, found with it alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from store.client.api import QueueManager
from store.sqlite.driver import is_busy, is_database_failure, name_of_queue_manager, store_error_for

TEXTS = [
    ("file is not a database", "x.db is not a store: the file is not an SQLite database"),
    ("attempt to write a readonly database", "x.db cannot be written: the file, its folder or the file system"),
    ("unable to open database file", "x.db cannot be opened: no such folder"),
    ("database or disk is full", "x.db cannot grow: the disk is full"),
    ("disk I/O error", "x.db cannot be read or written: the disk failed"),
    ("database disk image is malformed", "x.db is damaged; restore it from a copy"),
    ("no such column: full_depth", "x.db is damaged; restore it from a copy"),
    ("something new", "x.db: something new"),
]


def test_failures_of_sqlite_are_told_in_words() -> None:
    told = [(text, str(store_error_for(sqlite3.OperationalError(text), "x.db"))) for text, _ in TEXTS]
    assert [(text, words) for (text, words), (_, start) in zip(told, TEXTS, strict=True) if words.find(start)] == []


def test_a_folder_and_a_store_in_memory_are_named_as_such(tmp_path: Path) -> None:
    cannot_open = sqlite3.OperationalError("unable to open database file")
    assert str(store_error_for(cannot_open, str(tmp_path))) == f"{tmp_path} is a folder, not a file"
    assert str(store_error_for(cannot_open, None)).startswith("the store in memory cannot be opened")


@pytest.mark.parametrize(
    ("error", "is_failure"),
    [
        (sqlite3.OperationalError("no such table"), True),
        (sqlite3.DatabaseError("malformed"), True),
        (sqlite3.IntegrityError("UNIQUE"), False),
        (sqlite3.ProgrammingError("closed"), False),
        (ValueError(), False),
        (None, False),
    ],
    ids=repr,
)
def test_mistakes_in_statements_are_no_failures_of_the_database(error: Exception | None, is_failure: bool) -> None:
    assert is_database_failure(error, sqlite3) is is_failure


@pytest.mark.parametrize(
    ("text", "busy"),
    [
        ("database is locked", True),
        ("database table is locked: event", True),
        ("no such column: locked_by", False),
        ("locking protocol", True),
        ("disk is full", False),
    ],
)
def test_locks_of_others_are_busy(text: str, busy: bool) -> None:
    assert is_busy(sqlite3.OperationalError(text)) is busy


def test_the_default_one_and_a_named_one(qmgr: QueueManager) -> None:
    path = qmgr.store.path or ""
    qmgr.store.create_queue_manager("QM2")
    assert [name_of_queue_manager(path, name) for name in (None, "QM2", "QM3")] == ["QM1", "QM2", None]


@pytest.mark.parametrize("content", [b"", b"no database" * 100])
def test_what_is_no_store(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(content)
    assert name_of_queue_manager(str(path), None) is None
    assert name_of_queue_manager(str(tmp_path / "none" / "x.db"), None) is None


def test_another_program_s_database(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    assert name_of_queue_manager(str(path), "QM1") is None
