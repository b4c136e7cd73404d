from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store.admin import change, clear, create, delete, inquire
from store.catalog import KINDS
from store.client.api import QueueManager

QLOCAL = KINDS["QLOCAL"]

# Another program: opens the queue twice, leaves an uncommitted message, and is killed by its own hand.
_PROGRAM = """
import os, sys
from store.constants import MQOO, MQPMO
from store.message import Message, PutMessageOptions
from store.client.open_store import open_store
connection = open_store(sys.argv[1]).queue_manager("QM1").connect()
first, second = (connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT) for _ in range(2))
first.put(Message(b"uncommitted"), PutMessageOptions(MQPMO.SYNCPOINT))
os.kill(os.getpid(), 9)
"""

COMMANDS: list[tuple[str, Callable[[QueueManager], Any]]] = [
    ("clear", lambda qmgr: clear(qmgr, "Q")),
    ("delete", lambda qmgr: delete(qmgr, QLOCAL, "Q")),
    ("alter", lambda qmgr: change(qmgr, QLOCAL, "Q", {"SHARE": "NOSHARE"})),
    ("replace", lambda qmgr: create(qmgr, QLOCAL, "Q", {"USAGE": "XMITQ"}, replace=True)),
    ("display", lambda qmgr: [row["IPPROCS"] for row in inquire(qmgr, [QLOCAL], "Q")] == [0] or pytest.fail("counts")),
]


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_what_a_dead_program_held_is_not_in_use(
    qmgr: QueueManager, tmp_path: Path, name: str, command: Callable[[QueueManager], Any]
) -> None:
    create(qmgr, QLOCAL, "Q", {})
    url = f"sqlite:///{tmp_path / 'test.db'}"
    root = Path(__file__).resolve().parents[3]
    ended = subprocess.run([sys.executable, "-c", _PROGRAM, url], cwd=root, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (-9, "")

    command(qmgr)
