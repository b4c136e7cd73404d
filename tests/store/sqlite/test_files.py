from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from store.client.api import open_store
from store.error import StoreError
from store.sqlite.files import create_private, make_folder, open_like


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_store_is_private_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    create_private(str(path))
    assert mode(path) == 0o600
    path.write_bytes(b"SQLite")
    path.chmod(0o640)
    create_private(str(path))
    assert mode(path) == 0o640


def test_a_store_in_a_missing_folder_cannot_be_created(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be created: No such file"):
        create_private(str(tmp_path / "missing" / "x.db"))


@pytest.mark.parametrize(("of_store", "of_folder"), [(0o600, 0o700), (0o640, 0o750), (0o664, 0o775)])
def test_files_beside_a_store_have_its_permissions(tmp_path: Path, of_store: int, of_folder: int) -> None:
    store = tmp_path / "x.db"
    store.touch()
    store.chmod(of_store)
    folder = tmp_path / "x.db.processes"
    make_folder(folder)
    assert mode(folder) == of_folder
    os.close(open_like(folder / "lock", store))
    assert mode(folder / "lock") == of_store


def test_a_file_that_exists_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_bytes(b"kept")
    path.chmod(0o640)
    os.close(open_like(path, tmp_path / "missing"))
    assert (path.read_bytes(), mode(path)) == (b"kept", 0o640)


@pytest.mark.parametrize(("contents", "what"), [(b"", "is empty"), (b"x", "holds a single byte")])
def test_an_empty_file_does_not_become_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contents: bytes, what: str
) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(contents)
    monkeypatch.setattr("store.sqlite.files.CREATION_SECONDS", 0.0)
    with pytest.raises(StoreError, match=f"the file {what}; delete it"):
        create_private(str(path))
    assert path.read_bytes() == contents


def test_a_lock_file_that_is_a_symbolic_link_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"kept")
    (tmp_path / "lock").symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="symbolic links"):
        open_like(tmp_path / "lock", tmp_path / "target")


@pytest.mark.parametrize(("of_store", "of_lock"), [(0o600, 0o600), (0o644, 0o600), (0o664, 0o660), (0o666, 0o666)])
def test_who_may_only_read_the_store_may_not_open_the_lock_of_writers(
    tmp_path: Path, of_store: int, of_lock: int
) -> None:
    store, lock = tmp_path / "x.db", tmp_path / "lock"
    store.touch()
    store.chmod(of_store)
    os.close(open_like(lock, store, for_writers=True))
    assert mode(lock) == of_lock
    lock.chmod(of_store)
    os.close(open_like(lock, store, for_writers=True))
    assert mode(lock) == of_lock


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser may give files away")
def test_a_folder_of_a_user_who_may_not_write_the_store_is_refused(tmp_path: Path) -> None:
    store, folder = tmp_path / "x.db", tmp_path / "x.db.processes"
    store.touch(0o600)
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    with pytest.raises(PermissionError):
        make_folder(folder)
    os.chown(store, 12345, 12345)
    make_folder(folder)


def test_a_symbolic_link_leads_to_the_store_of_the_file(tmp_path: Path) -> None:
    path, link = tmp_path / "x.db", tmp_path / "link.db"
    link.symlink_to("x.db")
    with open_store(f"sqlite:///{link}") as store:
        assert store.path == str(path)


def test_no_store_is_created_beside_the_log_of_a_file_that_is_missing(tmp_path: Path) -> None:
    Path(f"{tmp_path}/x.db-wal").write_bytes(b"frames")
    with pytest.raises(StoreError, match=r"its log .* is still there"):
        create_private(str(tmp_path / "x.db"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser may give files away")
def test_a_lock_file_of_a_user_who_may_not_write_the_store_is_refused(tmp_path: Path) -> None:
    store, lock = tmp_path / "x.db", tmp_path / "x.db.job-QM1"
    store.touch(0o600)
    lock.touch(0o666)
    os.chown(lock, 12345, 12345)
    with pytest.raises(PermissionError, match="belongs to user 12345, who may not write the store"):
        open_like(lock, store, for_writers=True)
    os.chown(store, 12345, 12345)
    os.close(open_like(lock, store, for_writers=True))
