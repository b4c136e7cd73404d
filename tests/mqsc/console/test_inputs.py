"""Which files a command refuses to read as a script."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from mqsc.console.inputs import is_store_file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A file that stands for a store, with a log."""
    file = tmp_path / "store.db"
    file.touch()
    (tmp_path / "store.db-wal").touch()
    return file


def test_the_files_of_a_store(store: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("store.db-wal")
    (tmp_path / "a.mqsc").touch()
    for name, is_of_store in (
        ("store.db", True),
        ("store.db-wal", True),
        ("link", True),
        ("store.db-shm", False),
        ("a.mqsc", False),
        ("none.mqsc", False),
        ("a\0b", False),
    ):
        assert is_store_file(f"{tmp_path}/{name}", str(store)) == is_of_store, name


def test_a_log_that_other_programs_make_and_remove(store: Path, tmp_path: Path) -> None:
    """It may vanish between any two looks at it."""
    script, log = tmp_path / "a.mqsc", Path(f"{store}-wal")
    script.touch()
    has_ended = threading.Event()

    def make_and_remove() -> None:
        while not has_ended.is_set():
            log.touch()
            os.unlink(log)

    other = threading.Thread(target=make_and_remove)
    log.unlink()
    other.start()
    try:
        assert not any(is_store_file(str(script), str(store)) for _ in range(3_000))
    finally:
        has_ended.set()
        other.join()
