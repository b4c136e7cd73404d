"""Files of a store: their permissions, the stamp of the log, and the reserve for a full disk."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import pytest

from store import open_store
from store.client.api import open_store
from store.error import StoreError
from store.sqlite.files import LARGE, SMALL, SMALL_STORE, Reserve, create_private, make_folder, open_like, settled_stamp


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
