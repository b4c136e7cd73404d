"""The files that a process has open are those of the store, or its calls fail."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import StoreError
from mqsc.store.message import Message
from mqsc.store.sqlite.open_files import _SHARED
from mqsc.store.sqlite.proc_locks import held_locks

PERSISTENT = MessageDescriptor(persistence=1)


def copy(source: Path, target: Path) -> None:
    """Copy with another program. If this process opened and closed the file, it would lose its
    locks on it.
    """
    subprocess.run(["cp", source, target], check=True)


def replace(path: Path, backup: Path) -> None:
    copy(backup, path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "x.db was deleted": lambda path, backup: path.unlink(),
    "x.db was replaced": replace,
    "x.db was overwritten": lambda path, backup: copy(backup, path),
    "x.db was emptied": lambda path, backup: os.truncate(path, 0),
    "x.db-wal was deleted": lambda path, backup: log_of(path).unlink(),
    "x.db-wal was removed, cut short": lambda path, backup: os.truncate(log_of(path), 0),
    "x.db-shm was deleted": lambda path, backup: Path(f"{path}-shm").unlink(),
}


@pytest.mark.parametrize(("said", "change"), CHANGES.items())
def test_no_put_is_acknowledged_after_the_file(
    path: Path,
    said: str,
    change: Callable[[Path, Path], object],
) -> None:
    backup = path.with_name("backup.db")
    copy(path, backup)
    with open_store(f"sqlite:///{path}") as store:
        create(store.queue_manager("QM1"), KINDS["QLOCAL"], "Q", {})
    store = open_store(f"sqlite:///{path}")
    connection = store.queue_manager("QM1").connect()
    queue = connection.open("Q", MQOO.OUTPUT)
    queue.put(Message(b"kept", PERSISTENT))
    change(path, backup)
    for persistence in (1, 0):
        with pytest.raises(StoreError, match=said):
            queue.put(Message(b"lost", MessageDescriptor(persistence=persistence)))
    with pytest.raises(StoreError, match=said):
        store.queue_manager("QM1").row()
    with suppress(StoreError):
        store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with QM1."""
    with open_store(f"sqlite:///{tmp_path}/x.db") as store:
        store.create_queue_manager("QM1")
    return tmp_path / "x.db"


def test_a_file_in_use_under_another_name_is_refused(path: Path) -> None:
    renamed = path.with_name("y.db")
    with open_store(f"sqlite:///{path}") as store:
        assert store.queue_managers()
        path.rename(renamed)
        if held_locks():
            with pytest.raises(StoreError, match="in use under another name by process"):
                open_store(f"sqlite:///{renamed}").queue_manager("QM1")
        renamed.rename(path)


def test_files_of_a_store_may_be_renamed_and_named_back(path: Path) -> None:
    elsewhere = path.with_name("elsewhere")
    with open_store(f"sqlite:///{path}") as store:
        create(store.queue_manager("QM1"), KINDS["QLOCAL"], "Q", {})
        queue = store.queue_manager("QM1").connect().open("Q", MQOO.OUTPUT)
        for name in (path, log_of(path)):
            name.rename(elsewhere)
            elsewhere.rename(name)
            path.touch()
            queue.put(Message(b"kept", PERSISTENT))


def test_the_descriptors_of_shared_memory_do_not_pile_up(path: Path) -> None:
    url = f"sqlite:///{path}"
    before = len(_SHARED)
    for _ in range(3):
        with open_store(url) as store, open_store(url) as again:
            assert again.queue_manager("QM1").row() == store.queue_manager("QM1").row()
    assert len(_SHARED) <= before


def test_a_store_with_two_names_is_refused_until_one_is_gone(path: Path) -> None:
    second = path.with_name("y.db")
    os.link(path, second)
    for name in (path, second):
        with pytest.raises(StoreError, match="hard links"):
            open_store(f"sqlite:///{name}")
    second.unlink()
    open_store(f"sqlite:///{path}").close()
