"""Programs on the MQI in bytes, as processes: a program that ends without MQDISC has abended (clients §3)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import mqsc
from store.client.api import QueueManager
from store.constants import MQOO
from store.message import Message
from tests.source import ROOT


@contextmanager
def driver(url: str, what: str) -> Iterator[subprocess.Popen[str]]:
    """Starts the program; it is ready."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "tests.processes.client_driver", url, what]
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


@pytest.fixture(autouse=True)
def _queue(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")


def on_the_queue(qmgr: QueueManager) -> list[tuple[bytes, int]]:
    """The data and backout count of the messages on the queue, which are removed."""
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.INQUIRE)
        depth = int(queue.inquire(3)[3])
        got = [queue.get() for _ in range(depth)]
        return [(each.body, each.descriptor.backout_count) for each in got]


@pytest.mark.parametrize("what", ["in_a_unit", "waits_to_be_killed"])
def test_a_unit_of_work_of_a_program_that_has_ended(url: str, qmgr: QueueManager, what: str) -> None:
    """Killed, or by itself: both are an abend."""
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"mine"))
    with driver(url, what) as process:
        if what == "in_a_unit":
            assert process.wait(60) == 0
        else:
            process.kill()
            process.wait(60)
    assert on_the_queue(qmgr) == [(b"mine", 1)]


def test_a_get_waits_for_a_message_of_another_process(url: str, qmgr: QueueManager) -> None:
    with driver(url, "waits_for_a_message") as process, qmgr.connect() as connection:
        assert process.stdout is not None
        connection.put1("Q", Message(b"at last"))
        assert process.stdout.readline() == "at last\n"
        assert process.wait(60) == 0
    assert on_the_queue(qmgr) == []
