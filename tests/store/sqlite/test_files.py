"""Files of a store: their permissions, the stamp of the log, and the reserve for a full disk."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import pytest

from mqsc.store.client.store import open_store
from mqsc.store.error import StoreError
from mqsc.store.sqlite import driver
from mqsc.store.sqlite.files import (
    create_private,
    file_size,
    first_page,
    is_missing,
    make_folder,
    open_like,
)
from mqsc.store.sqlite.reserve import LARGE, SMALL, SMALL_STORE, Reserve
from mqsc.store.sqlite.stamps import settled_stamp


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """An empty file in the place of a store, which others may not read."""
    path = tmp_path / "x.db"
    path.touch(0o600)
    return path


def test_a_new_store_is_private_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    create_private(str(path))
    assert mode(path) == 0o600
    umask = os.umask(0o777)
    try:
        create_private(str(tmp_path / "y.db"))
    finally:
        os.umask(umask)
    assert mode(tmp_path / "y.db") == 0o600
    path.write_bytes(b"SQLite")
    path.chmod(0o640)
    create_private(str(path))
    assert mode(path) == 0o640


def test_where_no_store_can_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a missing folder, in the place of an empty file, and beside the log of a file that is
    missing.
    """
    with pytest.raises(StoreError, match="cannot be created: No such file"):
        create_private(str(tmp_path / "missing" / "x.db"))
    monkeypatch.setattr("mqsc.store.sqlite.files.CREATION_SECONDS", 0.0)
    path = tmp_path / "x.db"
    for contents, what in ((b"", "is empty"), (b"x", "holds a single byte")):
        path.write_bytes(contents)
        with pytest.raises(StoreError, match=f"the file {what}; delete it"):
            create_private(str(path))
        assert path.read_bytes() == contents
    path.rename(f"{path}-wal")
    with pytest.raises(StoreError, match=r"its log .* is still there"):
        create_private(str(path))


@pytest.mark.parametrize(
    ("of_store", "of_folder"),
    [(0o600, 0o700), (0o640, 0o750), (0o664, 0o775)],
)
def test_files_beside_a_store_have_its_permissions(
    store: Path,
    of_store: int,
    of_folder: int,
) -> None:
    store.chmod(of_store)
    folder = Path(f"{store}.processes")
    make_folder(folder)
    os.close(open_like(folder / "lock", store))
    assert (mode(folder), mode(folder / "lock")) == (of_folder, of_store)


@pytest.mark.parametrize(
    ("of_store", "of_lock"),
    [(0o600, 0o600), (0o644, 0o600), (0o664, 0o660), (0o666, 0o666)],
)
def test_who_may_only_read_the_store_may_not_open_the_lock_of_writers(
    store: Path,
    of_store: int,
    of_lock: int,
) -> None:
    lock = store.with_suffix(".lock")
    store.chmod(of_store)
    for _ in range(2):
        os.close(open_like(lock, store, for_writers=True))
        assert mode(lock) == of_lock
        lock.chmod(of_store)


def test_a_new_file_appears_with_the_first_page_that_sqlite_writes(tmp_path: Path) -> None:
    """A program that is killed meanwhile leaves none; where the system cannot do this, the file
    is empty at first.
    """
    ours, theirs = tmp_path / "ours.db", tmp_path / "theirs.db"
    create_private(str(ours), first_page())
    library = driver.sqlite_library()
    for path in (theirs, ours):
        connection = driver.open_connection(library, str(path))
        if path == theirs:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL").fetchall()
        for pragma in driver.PRAGMAS:
            connection.execute(pragma).fetchall()
        connection.close()
    # Without the numbers of changes and of the version of SQLite.
    first, second = (
        page[:24] + page[28:92] + page[100:] for page in map(Path.read_bytes, (ours, theirs))
    )
    assert first == second


def test_a_lock_file_that_exists_is_opened_as_it_is_but_no_symbolic_link(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_bytes(b"kept")
    path.chmod(0o640)
    os.close(open_like(path, tmp_path / "missing"))
    assert (path.read_bytes(), mode(path)) == (b"kept", 0o640)
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(OSError, match="symbolic links"):
        open_like(tmp_path / "link", path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser may give files away")
def test_a_folder_or_lock_of_a_user_who_may_not_write_the_store_is_refused(store: Path) -> None:
    folder, lock = Path(f"{store}.processes"), Path(f"{store}.job-QM1")
    folder.mkdir()
    lock.touch(0o666)
    for each in (folder, lock):
        os.chown(each, 12345, 12345)
    with pytest.raises(PermissionError):
        make_folder(folder)
    with pytest.raises(PermissionError, match="belongs to user 12345, who may not write the store"):
        open_like(lock, store, for_writers=True)
    os.chown(store, 12345, 12345)
    make_folder(folder)
    os.close(open_like(lock, store, for_writers=True))


def test_a_symbolic_link_leads_to_the_store_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to("x.db")
    with open_store(f"sqlite:///{tmp_path}/link.db") as opened:
        assert opened.path == f"{tmp_path}/x.db"


def test_the_stamp_of_the_log_changes_with_a_write(tmp_path: Path) -> None:
    """Right after a write, and without a log, it says nothing."""
    log, path = tmp_path / "x.db-wal", str(tmp_path / "x.db")
    assert (settled_stamp(path), settled_stamp(None)) == (None, None)
    stamps = []
    for written_at in (1_000_000_000, 1_000_000_000, 2_000_000_000):
        log.write_bytes(b"frames")
        os.utime(log, ns=(written_at, written_at))
        stamps.append(settled_stamp(path))
    assert stamps[0] == stamps[1] is not None
    assert stamps[2] not in (None, stamps[0])
    os.utime(log)
    assert settled_stamp(path) is None


def reserve(folder: Path) -> Reserve:
    """Return the reserve of a small store."""
    (folder / "test.db").write_bytes(bytes(4096))
    return Reserve(str(folder / "test.db"))


def test_a_reserve_grows_with_the_store(tmp_path: Path) -> None:
    kept = reserve(tmp_path)
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


def test_a_reserve_is_released_once_and_kept_again_with_the_permissions_of_the_store(
    tmp_path: Path,
) -> None:
    kept = reserve(tmp_path)
    (tmp_path / "test.db").chmod(0o660)
    kept.keep()
    assert mode(tmp_path / "test.db.reserve") == 0o660
    assert (kept.release(), kept.release()) == (SMALL, 0)
    kept.keep()
    assert kept.size == SMALL


def test_where_there_is_less_room_a_reserve_is_smaller(tmp_path: Path) -> None:
    kept = reserve(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300 << 10, limits[1]))
    try:
        kept.keep()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert kept.size == SMALL // 2


def test_without_a_folder_there_is_no_reserve(tmp_path: Path) -> None:
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


def test_a_file_is_missing_only_if_the_system_says_so(tmp_path: Path) -> None:
    file = tmp_path / "test.db"
    file.touch()
    names = (file, tmp_path / "none.db", file / "inside", f"{tmp_path}/\0")
    assert [is_missing(each) for each in names] == [False, True, True, True]
    with pytest.raises(StoreError, match="cannot be read or written: File name too long"):
        is_missing(tmp_path / ("x" * 300))


def test_a_file_that_is_not_there_has_no_bytes(tmp_path: Path) -> None:
    file = tmp_path / "store.db-wal"
    file.write_bytes(b"log")
    assert file_size(file) == 3
    file.unlink()
    assert file_size(file) == 0
    assert file_size(f"{file}/below") == 0
    assert file_size("a\0b") == 0
