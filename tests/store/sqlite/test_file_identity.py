"""A store whose file is deleted, replaced or overwritten under a running program acknowledges nothing more."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from store.admin import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.client.open_store import open_store
from store.constants import MQOO
from store.descriptor import MessageDescriptor
from store.error import StoreError
from store.message import Message
from tests.processes.programs import run_program
from tests.store.sqlite.test_database import log_is_truncated

PERSISTENT = MessageDescriptor(persistence=1)


def copy(source: Path, target: Path) -> None:
    """By another program: this one would lose its locks on the file."""
    subprocess.run(["cp", source, target], check=True)


def replace(path: Path, backup: Path) -> None:
    copy(backup, path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)


CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "was deleted": lambda path, backup: path.unlink(),
    "was replaced": replace,
    "was overwritten": lambda path, backup: copy(backup, path),
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
    for _ in range(3):
        queue.put(Message(b"kept", PERSISTENT))
    assert log_is_truncated(store)
    queue.put(Message(b"kept", PERSISTENT))
    change(path, backup)
    for persistence in (1, 0):
        with pytest.raises(StoreError, match=said):
            queue.put(Message(b"lost", MessageDescriptor(persistence=persistence)))
    with suppress(StoreError):
        store.close()


# The log must survive that another program opens and closes the store: only its last user may remove it.
OTHER = """
import sys
from store import open_store
open_store(sys.argv[1]).close()
"""


def test_comparing_the_contents_loses_no_lock(qmgr: QueueManager) -> None:
    path = qmgr.store.path
    assert path is not None
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.OUTPUT)
        for _ in range(3):
            assert log_is_truncated(qmgr.store)
            queue.put(Message(b"m", PERSISTENT))
        assert Path(f"{path}-wal").exists()
        ran = run_program(OTHER, f"sqlite:///{path}")
        assert (ran.returncode, ran.stderr) == (0, "")
        assert Path(f"{path}-wal").stat().st_size > 0
        queue.put(Message(b"m", PERSISTENT))
