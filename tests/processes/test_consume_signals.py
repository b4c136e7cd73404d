"""`mqsc consume` as a process: stopped by one signal or two, or killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mqsc
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO
from store.message import GetMessageOptions, Message
from tests.mqsc.agents.scripts import TELL, WAIT, Scripts, wait_until
from tests.processes.programs import PATIENCE_SECONDS
from tests.scenarios.looking import waiting_on
from tests.source import ROOT
from tests.store.admin.looking import queue_row


@pytest.fixture
def consuming(qmgr: QueueManager, url: str, scripts: Scripts) -> Iterator[subprocess.Popen[str]]:
    """A consumer whose program is processing the first of two messages; a third get would wait forever."""
    mqsc.run(qmgr, "DEFINE QLOCAL(Q) BOTHRESH(5)")
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT).put([Message(b"m1"), Message(b"m2")])
    words = scripts.make("wait.py", TELL + WAIT).split()
    command = [sys.executable, "-m", "mqsc", "consume", "Q", "--wait", "-1", "--", *words]
    started = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "MQSC_STORE": url}, stderr=subprocess.PIPE, text=True
    )
    with started:
        try:
            wait_until(lambda: scripts.told)
            yield started
        finally:
            started.kill()


def is_taken(process: subprocess.Popen[str]) -> bool:
    """Return whether no signal is pending for the process."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return all(int(mask, 16) == 0 for mask in re.findall(r"(?m)^(?:SigPnd|ShdPnd):\s*(\w+)", status))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_first_signal_lets_the_program_end(
    qmgr: QueueManager, consuming: subprocess.Popen[str], scripts: Scripts, number: signal.Signals
) -> None:
    consuming.send_signal(number)
    wait_until(lambda: is_taken(consuming))
    scripts.let_through()
    assert consuming.communicate(timeout=PATIENCE_SECONDS)[1].endswith("mqsc: Q: 1 processed\n")
    assert (consuming.returncode, waiting_on(qmgr, "Q")) == (0, ["m2"])


def test_the_second_signal_ends_the_program(qmgr: QueueManager, consuming: subprocess.Popen[str]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        consuming.send_signal(number)
        wait_until(lambda: is_taken(consuming))
    assert consuming.communicate(timeout=PATIENCE_SECONDS)[1].endswith("mqsc: Q: 1 backed out\n")
    assert (consuming.returncode, waiting_on(qmgr, "Q")) == (0, ["m1", "m2"])


def test_a_signal_ends_a_wait(qmgr: QueueManager, consuming: subprocess.Popen[str], scripts: Scripts) -> None:
    scripts.let_through(2)
    wait_until(lambda: queue_row(qmgr, "Q").depth == 0 and len(scripts.told) == 2)
    consuming.send_signal(signal.SIGTERM)
    assert consuming.wait(PATIENCE_SECONDS) == 0


def test_a_killed_consumer_leaves_its_message(qmgr: QueueManager, consuming: subprocess.Popen[str]) -> None:
    consuming.kill()
    consuming.wait(PATIENCE_SECONDS)
    qmgr.store.recover()
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.BROWSE)
        first = queue.get(GetMessageOptions(MQGMO.BROWSE_FIRST))
        assert (first.body, first.descriptor.backout_count) == (b"m1", 1)


def test_the_queue_manager_ends(qmgr: QueueManager, consuming: subprocess.Popen[str], scripts: Scripts) -> None:
    qmgr.end(immediate=True)
    scripts.let_through(2)
    said = consuming.communicate(timeout=PATIENCE_SECONDS)[1]
    assert (consuming.returncode, said.splitlines()[0]) == (0, "mqsc: QM1 has ended")
    qmgr.start()


def test_the_queue_is_open_exclusively_elsewhere(qmgr: QueueManager, url: str) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    qmgr.connect().open("Q", MQOO.INPUT_EXCLUSIVE)
    command = [sys.executable, "-m", "mqsc", "consume", "Q", "--", "cat"]
    ended = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "MQSC_STORE": url}, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 10
    assert ended.stderr.startswith("mqsc: cannot consume Q: 2042 MQRC_OBJECT_IN_USE (Q)")
