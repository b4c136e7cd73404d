"""The name of a queue manager, found with the driver alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from store.client.api import QueueManager
from store.sqlite.driver import name_of_queue_manager


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
