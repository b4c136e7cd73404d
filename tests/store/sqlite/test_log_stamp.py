from __future__ import annotations

import os
from pathlib import Path

from store.sqlite.files import settled_stamp

PAST, LATER = 1_000_000_000, 2_000_000_000


def log(tmp_path: Path, written_at: int) -> str:
    file = tmp_path / "x.db-wal"
    file.write_bytes(b"frames")
    os.utime(file, ns=(written_at, written_at))
    return str(tmp_path / "x.db")


def test_a_write_changes_it(tmp_path: Path) -> None:
    before = settled_stamp(log(tmp_path, PAST))
    assert before is not None
    assert settled_stamp(str(tmp_path / "x.db")) == before
    assert settled_stamp(log(tmp_path, LATER)) != before


def test_right_after_a_write_it_says_nothing(tmp_path: Path) -> None:
    path = log(tmp_path, PAST)
    os.utime(f"{path}-wal")
    assert settled_stamp(path) is None


def test_without_a_log_it_says_nothing(tmp_path: Path) -> None:
    assert settled_stamp(str(tmp_path / "x.db")) is None
    assert settled_stamp(None) is None
