"""The driver: failures in words, and the name of a queue manager, found with it alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.sqlite.first_look import name_of_queue_manager


def test_the_default_one_and_a_named_one(qmgr: QueueManager) -> None:
    path = qmgr.store.path or ""
    qmgr.store.create_queue_manager("QM2")
    assert [name_of_queue_manager(path, name) for name in (None, "QM2", "QM3")] == [
        "QM1",
        "QM2",
        None,
    ]


def test_what_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    for content in (b"", b"no database" * 100):
        path.write_bytes(content)
        assert name_of_queue_manager(str(path), None) is None
    assert name_of_queue_manager(str(tmp_path / "none" / "x.db"), None) is None
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
    assert name_of_queue_manager(str(tmp_path / "other.db"), "QM1") is None
