"""The next program recovers what a dead one left behind; commands are then tried again."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.clearing import clear
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO, MQPMO, MQRC, MQRCCF
from mqsc.store.engine.recovery import end_lost_connection, recover, retried_after_recovery
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql.connections import other_processes
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.locks import SingleInstanceLock
from tests.processes.programs import run_program
from tests.rows import rows
from tests.store.admin.looking import history, queue_row
from tests.store.tables import giving, named_rows

QLOCAL = KINDS["QLOCAL"]

# Another program: opens the queue twice, leaves an uncommitted message, and kills itself.
_PROGRAM = """
import os, sys
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.client.store import open_store
connection = open_store(sys.argv[1]).queue_manager("QM1").connect()
first, second = (connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT) for _ in range(2))
first.put(Message(b"uncommitted"), PutMessageOptions(MQPMO.SYNCPOINT))
os.kill(os.getpid(), 9)
"""


@named_rows(
    ("clear", lambda qmgr: clear(qmgr, "Q")),
    ("delete", lambda qmgr: delete(qmgr, QLOCAL, "Q")),
    ("alter", lambda qmgr: change(qmgr, QLOCAL, "Q", {"SHARE": "NOSHARE"})),
    ("replace", lambda qmgr: create(qmgr, QLOCAL, "Q", {"USAGE": "XMITQ"}, replace=True)),
    (
        "display",
        lambda qmgr: (
            [row["IPPROCS"] for row in inquire(qmgr, [QLOCAL], "Q")] == [0] or pytest.fail("counts")
        ),
    ),
)
def test_what_a_dead_program_held_is_not_in_use(
    qmgr: QueueManager,
    dead: Path,
    command: Callable[[QueueManager], Any],
) -> None:
    command(qmgr)
    # The process is removed too, and its lock file deleted.
    with Reading(qmgr.store.database) as reading:
        assert other_processes(reading, mine=qmgr.store.process) == []
    assert [*folder_beside(str(dead)).glob("[0-9]*-*")] == []


@pytest.fixture
def dead(qmgr: QueueManager, tmp_path: Path) -> Path:
    """A killed program had Q open and has not been recovered yet; the path of the store."""
    create(qmgr, QLOCAL, "Q", {})
    path = tmp_path / "test.db"
    ended = run_program(_PROGRAM, f"sqlite:///{path}")
    assert (ended.returncode, ended.stderr) == (-9, "")
    return path


def test_an_open_waits_for_another_program_that_recovers(qmgr: QueueManager, dead: Path) -> None:
    lock = SingleInstanceLock(Path(f"{dead}.recovery"), dead)
    assert lock.acquire()
    connection = qmgr.connect()
    opening = threading.Thread(target=lambda: connection.open("Q", MQOO.INPUT_EXCLUSIVE))
    opening.start()
    opening.join(0.1)
    assert opening.is_alive()
    lock.release()
    opening.join(60)
    assert queue_row(qmgr, "Q").input_handles == 1


def test_a_recovery_that_another_program_does_leaves_no_file_open(
    qmgr: QueueManager,
    dead: Path,
) -> None:
    lock = SingleInstanceLock(Path(f"{dead}.recovery"), dead)
    assert lock.acquire()
    before = len(os.listdir("/dev/fd"))
    assert [recover(qmgr.store) for _ in range(10)] == [False] * 10
    assert len(os.listdir("/dev/fd")) == before
    lock.release()
    assert recover(qmgr.store)


def test_a_collected_connection_is_recovered_once_and_recorded(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    connection = qmgr.connect(application="billing", user="alice")
    connection.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
    connection.open("Q", MQOO.INPUT_SHARED)
    del connection
    gc.collect()
    assert [recover(qmgr.store), recover(qmgr.store)] == [True, False]
    row = queue_row(qmgr, "Q")
    assert (row.depth, row.input_handles) == (0, 0)
    recovered = [
        (each.kind, each.user)
        for each in history(qmgr.store, None)
        if each.kind in ("RECOVER", "BACKOUT")
    ]
    assert recovered == [("RECOVER", "alice"), ("BACKOUT", "alice")]


def test_a_connection_that_is_gone_or_of_an_earlier_run_is_not_recovered(
    qmgr: QueueManager,
) -> None:
    connection = qmgr.connect()
    qmgr.end(immediate=True)
    assert [end_lost_connection(qmgr.store, each) for each in (99, connection.number)] == [
        False,
        False,
    ]


# (why the command is refused, whether something was recovered, how often the command runs)
@rows(
    *giving(
        2,
        (MQRC.OBJECT_IN_USE, True),
        (MQRC.Q_NOT_EMPTY, True),
        (MQRCCF.OBJECT_OPEN_FORCE, True),
    ),
    *giving(1, (MQRC.OBJECT_IN_USE, False), (MQRC.UNKNOWN_OBJECT_NAME, True)),
)
def test_a_command_is_tried_again_only_if_recovery_can_help(
    qmgr: QueueManager,
    reason: int,
    lost: bool,
    runs: int,
) -> None:
    attempts: list[int] = []

    @retried_after_recovery
    def command(qmgr: QueueManagerState) -> None:
        attempts.append(1)
        raise MQError(reason)

    if lost:
        qmgr.store.abandoned.append(qmgr.connect().number)
    with pytest.raises(MQError) as refused:
        command(qmgr)
    assert (refused.value.reason, len(attempts)) == (reason, runs)


def test_the_result_of_the_second_attempt_counts(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    connection = qmgr.connect()
    connection.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
    qmgr.store.abandoned.append(connection.number)
    assert clear(qmgr, "Q") == 0


def test_a_program_whose_lock_file_is_gone_is_recovered_and_answers_2009(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'taken.db'}"
    with open_store(url) as store:
        qmgr = store.create_queue_manager("QM1")
        create(qmgr, KINDS["QLOCAL"], "Q", {})
        connection = qmgr.connect()
        handle = connection.open("Q", MQOO.OUTPUT)
        handle.put(Message(b"backed out"), PutMessageOptions(MQPMO.SYNCPOINT))
        for file in folder_beside(str(store.path)).glob("[0-9]*-*"):
            file.unlink()
        with open_store(url) as other, other.queue_manager("QM1").connect():
            for call in (connection.commit, lambda: handle.put(Message(b"refused"))):
                with pytest.raises(MQError, match="2009"):
                    call()
        with qmgr.connect() as again:
            again.put1("Q", Message(b"kept"))
