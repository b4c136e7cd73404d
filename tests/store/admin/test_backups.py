"""A backup is complete, private, and never partially written; a restore fails while programs use the store."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from store.admin.defining import create
from store.admin.health import back_up, restore
from store.catalog import KINDS
from store.client.api import QueueManager, Store, open_store
from store.constants import MQGMO, MQOO
from store.error import StoreError
from store.message import GetMessageOptions, Message
from store.sql.rows import SCHEMA_VERSION
from store.sqlite.copies import partial_file
from store.sqlite.locks import SingleInstanceLock, lock_beside
from tests.conftest import START
from tests.store.admin.looking import queue_row

ASIDE = ".before-20231114T221320Z"


@pytest.fixture
def filled(qmgr: QueueManager, tmp_path: Path) -> Path:
    """A closed store whose queue Q holds the message `kept`."""
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    put(qmgr, "kept")
    return tmp_path / "test.db"


def put(qmgr: QueueManager, text: str) -> None:
    with qmgr.connect() as connection:
        connection.put1("Q", Message(text.encode()))


def bodies(path: Path) -> list[str]:
    """Get all messages of Q and return their data."""
    with open_store(f"sqlite:///{path}") as store, store.queue_manager("QM1").connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED)
        depth = queue_row(store.queue_manager("QM1"), "Q").depth
        return [handle.get().body.decode() for _ in range(depth)]


def test_a_backup_is_one_private_file_that_is_a_store(store: Store, filled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    assert back_up(store, copy) == copy.stat().st_size
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert bodies(copy) == ["kept"]


def test_a_file_that_exists_is_replaced_only_when_asked(store: Store, filled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("mine")
    with pytest.raises(StoreError, match="exists already"):
        back_up(store, copy)
    assert copy.read_text() == "mine"
    back_up(store, copy, replace=True)
    assert bodies(copy) == ["kept"]


def test_a_backup_never_overwrites_a_store_in_use(store: Store, filled: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="the store itself"):
        back_up(store, filled, replace=True)
    with open_store(f"sqlite:///{tmp_path / 'other.db'}"), pytest.raises(StoreError, match="programs use"):
        back_up(store, tmp_path / "other.db", replace=True)


def test_a_backup_that_cannot_be_written_leaves_nothing(store: Store, filled: Path, tmp_path: Path) -> None:
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


def test_a_restore_brings_the_old_state_back_and_keeps_the_new_one(
    store: Store, qmgr: QueueManager, filled: Path, tmp_path: Path
) -> None:
    back_up(store, tmp_path / "copy.db")
    put(qmgr, "lost")
    filled.chmod(0o660)
    store.close()
    restored = restore(str(filled), tmp_path / "copy.db", START)
    assert restored.aside == Path(f"{filled}{ASIDE}")
    assert stat.S_IMODE(filled.stat().st_mode) == 0o660
    assert bodies(filled) == ["kept"]
    assert bodies(restored.aside) == ["kept", "lost"]
    again = restore(str(filled), tmp_path / "copy.db", START)
    assert again.aside == Path(f"{filled}{ASIDE}-2")
    assert bodies(filled) == ["kept"]


def test_work_that_was_open_in_a_backup_is_backed_out(
    store: Store, qmgr: QueueManager, filled: Path, tmp_path: Path
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
    assert Path(f"{filled}{ASIDE}-wal").read_bytes() == b"old"
    assert bodies(filled) == ["kept"]


def test_a_restore_is_refused_while_the_store_is_in_use(store: Store, qmgr: QueueManager, filled: Path) -> None:
    """By a connection, a program that only has it open, or `serve`, whose lock is seen even if the store is damaged."""
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
    assert [file.name for file in path.parent.iterdir() if file not in before] in ([], ["test.db.recovery"])


def test_only_a_sound_copy_of_a_store_is_restored(store: Store, filled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    back_up(store, copy)
    store.close()
    refused(filled, tmp_path / "missing.db", "there is no file")
    refused(filled, filled, "the store itself")
    (tmp_path / "text.db").write_text("text " * 1000)
    refused(filled, tmp_path / "text.db", "not an SQLite database")
    (tmp_path / "empty.db").write_bytes(b"")
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


@pytest.mark.parametrize("suffix", ["-wal", "-shm", ".reserve", ".recovery", ".job-QM1", ".processes/writer"])
def test_the_names_of_files_beside_a_store_are_refused(store: Store, filled: Path, suffix: str, tmp_path: Path) -> None:
    target = Path(f"{filled}{suffix}")
    with pytest.raises(StoreError, match="belongs to the store"):
        back_up(store, target, replace=True)
    back_up(store, tmp_path / "copy.db")
    with pytest.raises(StoreError, match="belongs to the store"):
        restore(str(target), tmp_path / "copy.db", START)


def test_a_backup_leaves_files_with_similar_names_alone(store: Store, filled: Path, tmp_path: Path) -> None:
    own = tmp_path / "copy.db.partial"
    own.write_text("mine")
    back_up(store, tmp_path / "copy.db")
    assert own.read_text() == "mine"


def test_two_programs_do_not_write_one_backup(store: Store, filled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with partial_file(copy, None), pytest.raises(StoreError, match="another program is writing"):
        back_up(store, copy)
    # One that a killed program has left is replaced.
    (tmp_path / ".copy.db.mqsc-partial").write_text("left")
    back_up(store, copy)
    assert bodies(copy) == ["kept"]
