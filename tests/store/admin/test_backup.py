"""Backups: a verified copy of a store made while programs use it, and the store replaced by such a copy."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from mqsc.store.admin.backup import back_up, restore
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.error import StoreError
from mqsc.store.message import GetMessageOptions
from mqsc.store.sql.rows import SCHEMA_VERSION
from mqsc.store.sqlite.copies import partial_file
from mqsc.store.sqlite.locks import SingleInstanceLock, lock_beside
from tests.conftest import START
from tests.store.admin.looking import put, queue_row

ASIDE = ".before-20231114T221320Z"


@pytest.fixture
def filled(qmgr: QueueManager, tmp_path: Path) -> Path:
    """A closed store whose queue Q holds the message `kept`."""
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    put(qmgr, "Q", b"kept")
    return tmp_path / "test.db"


def bodies(path: Path) -> list[str]:
    """Get all messages of Q and return their data."""
    with (
        open_store(f"sqlite:///{path}") as store,
        store.queue_manager("QM1").connect() as connection,
    ):
        handle = connection.open("Q", MQOO.INPUT_SHARED)
        depth = queue_row(store.queue_manager("QM1"), "Q").depth
        return [handle.get().body.decode() for _ in range(depth)]


def test_a_backup_is_one_private_file_that_one_program_writes(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    made = back_up(store, copy)
    content = copy.read_bytes()
    assert made == (len(content), hashlib.sha256(content).hexdigest())
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert bodies(copy) == ["kept"]
    copy = tmp_path / "copy.db"
    with partial_file(copy, None), pytest.raises(StoreError, match="another program is writing"):
        back_up(store, copy)
    # One that a killed program has left is replaced.
    (tmp_path / ".copy.db.mqsc-partial").write_text("left")
    back_up(store, copy)
    assert bodies(copy) == ["kept"]


def test_what_is_replaced_only_when_asked_and_what_never(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    copy, own = tmp_path / "copy.db", tmp_path / "copy.db.partial"
    for file in (copy, own):
        file.write_text("mine")
    with pytest.raises(StoreError, match="exists already"):
        back_up(store, copy)
    assert copy.read_text() == "mine"
    back_up(store, copy, replace=True)
    assert (bodies(copy), own.read_text()) == (["kept"], "mine")
    with pytest.raises(StoreError, match="the store itself"):
        back_up(store, filled, replace=True)
    with (
        open_store(f"sqlite:///{tmp_path / 'other.db'}"),
        pytest.raises(StoreError, match="programs use"),
    ):
        back_up(store, tmp_path / "other.db", replace=True)
    with pytest.raises(StoreError, match="cannot be created"):
        back_up(store, tmp_path / "missing" / "copy.db")
    assert not (tmp_path / "missing").exists()


def test_a_damaged_store_gives_no_backup(store: Store, filled: Path, tmp_path: Path) -> None:
    store.close()
    damage(filled)
    with open_store(f"sqlite:///{filled}") as damaged, pytest.raises(StoreError, match="damaged"):
        back_up(damaged, tmp_path / "copy.db")
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == []


def damage(path: Path) -> None:
    """Overwrite a page in the middle of the file."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 4096 // 2 * 4096)
        file.write(b"\xff" * 4096)


def test_a_restore_keeps_the_new_state_aside(
    store: Store,
    qmgr: QueueManager,
    filled: Path,
    tmp_path: Path,
) -> None:
    back_up(store, tmp_path / "copy.db")
    put(qmgr, "Q", b"lost")
    filled.chmod(0o660)
    store.close()
    restored = restore(str(filled), tmp_path / "copy.db", START)
    assert (restored.aside, stat.S_IMODE(filled.stat().st_mode)) == (
        Path(f"{filled}{ASIDE}"),
        0o660,
    )
    assert (bodies(filled), bodies(Path(f"{filled}{ASIDE}"))) == (["kept"], ["kept", "lost"])
    again = restore(str(filled), tmp_path / "copy.db", START)
    assert again.aside == Path(f"{filled}{ASIDE}-2")
    assert bodies(filled) == ["kept"]


def test_work_open_in_a_backup_is_backed_out(
    store: Store,
    qmgr: QueueManager,
    filled: Path,
    tmp_path: Path,
) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
    handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
    back_up(store, tmp_path / "copy.db")
    connection.disconnect()
    store.close()
    restore(str(filled), tmp_path / "copy.db", START)
    assert bodies(filled) == ["kept"]


def test_a_missing_or_damaged_store_is_restored(store: Store, filled: Path, tmp_path: Path) -> None:
    back_up(store, tmp_path / "copy.db")
    store.close()
    filled.unlink()
    assert restore(str(filled), tmp_path / "copy.db", START).aside is None
    assert bodies(filled) == ["kept"]
    filled.write_bytes(b"rubbish" * 1000)
    Path(f"{filled}-wal").write_bytes(b"old")
    assert restore(str(filled), tmp_path / "copy.db", START).aside == Path(f"{filled}{ASIDE}")
    assert (Path(f"{filled}{ASIDE}-wal").read_bytes(), bodies(filled)) == (b"old", ["kept"])


def test_a_restore_is_refused_while_the_store_is_in_use(
    store: Store,
    qmgr: QueueManager,
    filled: Path,
) -> None:
    """By a connection, a program that only has it open, or `serve`, whose lock is seen even if
    the store is damaged.
    """
    copy = filled.with_name("copy.db")
    back_up(store, copy)
    connection = qmgr.connect()
    refused(filled, copy, f"in use by process {os.getpid()}")
    connection.disconnect()
    # The liveness file stays until the store is closed.
    refused(filled, copy, f"in use by process {os.getpid()}")
    store.close()
    with open_store(f"sqlite:///{filled}") as opened:
        opened.queue_managers()
        refused(filled, copy, "another program has it open")
    lock = SingleInstanceLock(lock_beside(str(filled), "serve", "QM1"), filled)
    assert lock.acquire()
    refused(filled, copy, "holds test.db.serve-QM1")
    lock.release()
    restore(str(filled), copy, START)


def refused(path: Path, copy: Path, sentence: str) -> None:
    """Check that the restore fails with this message and changes no file."""
    before = sorted(path.parent.iterdir())
    identity = path.stat().st_ino
    with pytest.raises(StoreError, match=sentence):
        restore(str(path), copy, START)
    assert path.stat().st_ino == identity
    assert [file.name for file in path.parent.iterdir() if file not in before] in (
        [],
        ["test.db.recovery"],
    )


def test_only_a_sound_copy_of_a_store_is_restored(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy.db"
    back_up(store, copy)
    store.close()
    (tmp_path / "text.db").write_text("text " * 1000)
    (tmp_path / "empty.db").write_bytes(b"")
    refused(filled, tmp_path / "missing.db", "there is no file")
    refused(filled, filled, "the store itself")
    refused(filled, tmp_path / "text.db", "not an SQLite database")
    refused(filled, tmp_path / "empty.db", "not a copy of a store")
    set_version(copy, SCHEMA_VERSION + 1)
    refused(filled, copy, "newer version")
    set_version(copy, SCHEMA_VERSION)
    damage(copy)
    refused(filled, copy, "damaged")
    assert bodies(filled) == ["kept"]


def set_version(path: Path, number: int) -> None:
    """Write PRAGMA user_version into the file's header."""
    with path.open("r+b") as file:
        file.seek(60)
        file.write(number.to_bytes(4, "big"))


def test_the_names_of_files_beside_a_store_are_refused(
    store: Store,
    filled: Path,
    tmp_path: Path,
) -> None:
    back_up(store, tmp_path / "copy.db")
    for suffix in ("-wal", "-shm", ".reserve", ".recovery", ".job-QM1", ".processes/writer"):
        with pytest.raises(StoreError, match="belongs to the store"):
            back_up(store, Path(f"{filled}{suffix}"), replace=True)
        with pytest.raises(StoreError, match="belongs to the store"):
            restore(f"{filled}{suffix}", tmp_path / "copy.db", START)
