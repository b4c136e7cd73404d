"""A store whose file is deleted or replaced under a running program acknowledges no further calls."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.open_store import open_store
from store.constants import MQOO
from store.descriptor import MessageDescriptor
from store.error import StoreError
from store.message import Message

PERSISTENT = MessageDescriptor(persistence=1)


def copy(source: Path, target: Path) -> None:
    """Copy with another program. If this process opened and closed the file, it would lose its locks on it."""
    subprocess.run(["cp", source, target], check=True)


def replace(path: Path, backup: Path) -> None:
    copy(backup, path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)


CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "was deleted": lambda path, backup: path.unlink(),
    "was replaced": replace,
}


@pytest.mark.parametrize(("said", "change"), CHANGES.items())
def test_no_put_is_acknowledged(tmp_path: Path, said: str, change: Callable[[Path, Path], object]) -> None:
    path, backup = tmp_path / "x.db", tmp_path / "backup.db"
    with open_store(f"sqlite:///{path}") as store:
        create(store.create_queue_manager("QM1"), KINDS["QLOCAL"], "Q", {})
    copy(path, backup)
    store = open_store(f"sqlite:///{path}")
    connection = store.queue_manager("QM1").connect()
    queue = connection.open("Q", MQOO.OUTPUT)
    queue.put(Message(b"kept", PERSISTENT))
    change(path, backup)
    for persistence in (1, 0):
        with pytest.raises(StoreError, match=said):
            queue.put(Message(b"lost", MessageDescriptor(persistence=persistence)))
    with suppress(StoreError):
        store.close()
