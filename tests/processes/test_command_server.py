"""One set of responses to each command in PCF, whichever program performs it, and whenever that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import mqsc
from mqsc import GetMessageOptions, MQError, QueueManager, Store
from store.constants import MQGMO, MQOO
from store.headers import pcf
from tests.source import ROOT


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    qmgr = store.create_queue_manager("QM1")
    mqsc.run(qmgr, "DEFINE QLOCAL(REPLIES)")
    return qmgr


def started(url: str, prefix: str, count: int, *step: str) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-m", "tests.processes.command_program", url, prefix, str(count), *step]
    return subprocess.Popen(program, cwd=ROOT)


def outcomes(qmgr: QueueManager, wait: int = 0) -> list[tuple[int, int]]:
    """The outcomes of the responses on the queue; `wait` milliseconds for each."""
    found: list[tuple[int, int]] = []
    options = GetMessageOptions(int(MQGMO.WAIT) if wait else 0, wait_interval=wait)
    with qmgr.connect() as connection:
        queue = connection.open("REPLIES", int(MQOO.INPUT_SHARED))
        while True:
            try:
                header, _ = pcf.unpack(queue.get(options).body)
            except MQError:
                return found
            found.append((header.comp_code, header.reason))
            options = GetMessageOptions()


def queues(qmgr: QueueManager) -> list[str]:
    return [row["QUEUE"] for row in mqsc.run(qmgr, "DISPLAY QLOCAL(A*)")[0].rows]


@pytest.mark.parametrize("step", ["_respond", "commit"])
def test_the_next_program_answers_for_one_that_was_killed(url: str, qmgr: QueueManager, step: str) -> None:
    assert started(url, "A", 2, step).wait() == -signal.SIGKILL
    assert outcomes(qmgr) == [(0, 0)]
    assert started(url, "AA", 1).wait() == 0
    assert outcomes(qmgr) == [(0, 0)] * 2
    assert queues(qmgr) == ["A.0", "A.1", "AA.0"]


@contextmanager
def serving(url: str) -> Iterator[None]:
    server = subprocess.Popen([sys.executable, "-m", "mqsc", "--store", url, "--quiet", "serve"], cwd=ROOT)
    try:
        yield
    finally:
        server.terminate()
        assert server.wait() == 0


def test_serve_answers_for_a_program_that_was_killed(url: str, qmgr: QueueManager) -> None:
    assert started(url, "A", 1, "_respond").wait() == -signal.SIGKILL
    assert outcomes(qmgr) == []
    with serving(url):
        assert outcomes(qmgr, wait=30_000) == [(0, 0)]
    assert queues(qmgr) == ["A.0"]


@pytest.mark.long
def test_several_programs_and_a_server(url: str, qmgr: QueueManager) -> None:
    with serving(url):
        programs = [started(url, f"A{number}", 10) for number in range(2)]
        assert [each.wait() for each in programs] == [0, 0]
    assert outcomes(qmgr) == [(0, 0)] * 20
    assert len(queues(qmgr)) == 20
