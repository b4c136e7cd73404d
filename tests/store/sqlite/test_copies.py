"""Copies of files that other programs write."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from mqsc.store.client.store import open_store
from mqsc.store.error import StoreError
from mqsc.store.sqlite.copies import copy_unchanged


def test_a_log_that_comes_and_goes_while_a_backup_is_copied(tmp_path: Path) -> None:
    """The copy is sound, or is refused because the file was written."""
    store, backup = tmp_path / "store.db", tmp_path / "backup.db"
    with open_store(f"sqlite:///{store}") as made:
        made.create_queue_manager("QM1")
    shutil.copy(store, backup)
    log = Path(f"{backup}-wal")
    has_ended = threading.Event()

    def write() -> None:
        while not has_ended.is_set():
            log.write_bytes(b"not a log")
            log.unlink(missing_ok=True)

    other = threading.Thread(target=write)
    other.start()
    copied, refused = 0, set()
    try:
        for number in range(100):
            target = tmp_path / f"{number}.db"
            target.touch()
            try:
                copy_unchanged(backup, target)
            except StoreError as error:
                refused.add(str(error))
                continue
            copied += 1
            with closing(sqlite3.connect(target)) as copy:
                assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        has_ended.set()
        other.join()
    assert copied
    assert refused <= {f"{backup} was written while it was read; try again"}
