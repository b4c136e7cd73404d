"""`mqsc dlq retry` on a backout queue as a process: two at once, and one that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import open_store
from store.admin.defining import create
from store.admin.put_preview import peek
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.engine.dequeue import MessageOutcome
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.processes.programs import PATIENCE_SECONDS

Process = subprocess.Popen[str]
MESSAGES = 200
KILLS = 6
# Two queues, so that a message returned to the wrong one is noticed.
QUEUES = ("ORDERS", "PAYMENTS")


@pytest.fixture
def qmgr(tmp_path: Path) -> Iterator[QueueManager]:
    """A queue manager whose BOQ holds messages that were moved there from the two queues alternately."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1")
        for name in (*QUEUES, "BOQ"):
            create(qmgr, KINDS["QLOCAL"], name, {})
        with qmgr.connect("billing") as connection:
            handles = [connection.open(name, MQOO.OUTPUT | MQOO.INPUT_SHARED) for name in QUEUES]
            boq = connection.open("BOQ", MQOO.OUTPUT)
            for number in range(MESSAGES):
                queue = handles[number % 2]
                queue.put(Message(b"%d" % number, MessageDescriptor(persistence=1)), PutMessageOptions(MQPMO.SYNCPOINT))
                connection.commit()
                boq.put(queue.get(GetMessageOptions(MQGMO.SYNCPOINT)), PutMessageOptions(MQPMO.SYNCPOINT))
                connection.commit(MessageOutcome("REQUEUE", "poison", "BOQ"))
        yield qmgr


def retry(folder: Path, *arguments: str) -> Process:
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{folder}/store.db"}
    command = [sys.executable, "-m", "mqsc", "dlq", "retry", "BOQ", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment, cwd=folder, text=True)


def numbers(qmgr: QueueManager, queue: str) -> list[int]:
    return [int(each.body) for each in peek(qmgr, queue)]


def check(qmgr: QueueManager) -> None:
    """Check that every message is exactly once on BOQ or on its own queue."""
    found = Counter(numbers(qmgr, "BOQ"))
    for remainder, name in enumerate(QUEUES):
        here = numbers(qmgr, name)
        assert all(number % 2 == remainder for number in here)
        found.update(here)
    assert found == Counter(range(MESSAGES))


def test_two_at_once_move_each_message_once(tmp_path: Path, qmgr: QueueManager) -> None:
    processes = [retry(tmp_path) for _ in range(2)]
    done = 0
    for process in processes:
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0
        assert " 0 failed" in err
        done += out.count("  done")
    assert (done, numbers(qmgr, "BOQ")) == (MESSAGES, [])
    check(qmgr)


def test_one_that_is_killed_loses_and_duplicates_nothing(tmp_path: Path, qmgr: QueueManager) -> None:
    """Each run is killed after a different number of messages; the next run continues."""
    for kill in range(KILLS):
        with retry(tmp_path) as process:
            assert process.stdout is not None
            for _ in range(1 + 3 * kill):
                moved = process.stdout.readline().endswith("done\n")
                # On a busy machine, it or an earlier one may have moved all messages before it was killed.
                assert moved or not numbers(qmgr, "BOQ")
            process.kill()
        check(qmgr)
    assert retry(tmp_path, "--quiet").communicate(timeout=PATIENCE_SECONDS) == ("", "")
    assert numbers(qmgr, "BOQ") == []
    check(qmgr)
