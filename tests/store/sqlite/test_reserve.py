"""The reserve for a full disk: its size, and that it is allocated only if there is space."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from store import open_store
from store.error import StoreError
from store.sqlite.files import LARGE, SMALL, SMALL_STORE, Reserve


def reserve(folder: Path, used: int) -> Reserve:
    """Return the reserve of a store of that size."""
    (folder / "test.db").write_bytes(bytes(used))
    return Reserve(str(folder / "test.db"))


def test_it_grows_with_the_store(tmp_path: Path) -> None:
    kept = reserve(tmp_path, 4096)
    assert kept.size == 0
    kept.keep()
    assert kept.size == SMALL
    (tmp_path / "test.db-wal").write_bytes(bytes(SMALL_STORE))
    kept.keep()
    assert kept.size == LARGE
    assert (tmp_path / "test.db.reserve").stat().st_blocks * 512 >= LARGE
    (tmp_path / "test.db-wal").unlink()
    kept.keep()
    assert kept.size == LARGE


def test_it_is_released_once_and_kept_again(tmp_path: Path) -> None:
    kept = reserve(tmp_path, 4096)
    kept.keep()
    assert kept.release() == SMALL
    assert kept.release() == 0
    kept.keep()
    assert kept.size == SMALL


def test_it_has_the_permissions_of_the_store(tmp_path: Path) -> None:
    kept = reserve(tmp_path, 4096)
    (tmp_path / "test.db").chmod(0o660)
    kept.keep()
    assert (tmp_path / "test.db.reserve").stat().st_mode & 0o777 == 0o660


def test_where_there_is_less_room_it_is_smaller(tmp_path: Path) -> None:
    kept = reserve(tmp_path, 4096)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300 << 10, limits[1]))
    try:
        kept.keep()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert kept.size == SMALL // 2


def test_without_a_folder_there_is_none(tmp_path: Path) -> None:
    Reserve(str(tmp_path / "missing" / "test.db")).keep()
    assert not (tmp_path / "missing").exists()


def test_a_file_that_is_refused_gets_no_reserve(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    (tmp_path / "text.db").write_text("no store")
    (tmp_path / "one.db").write_bytes(bytes(4096))
    (tmp_path / "two.db").hardlink_to(tmp_path / "one.db")
    before = sorted(tmp_path.iterdir())
    for name in ("folder", "text", "one"):
        with pytest.raises(StoreError), open_store(f"sqlite:///{tmp_path}/{name}.db", create=False):
            pass
    assert sorted(tmp_path.iterdir()) == before
