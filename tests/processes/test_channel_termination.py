"""STOP CHANNEL MODE(TERMINATE) kills a process that does not end by itself (channel-commands §1)."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mqsc
from store import open_store
from store.client.api import QueueManager
from tests.source import ROOT

# A process that claims to run the channel, but ignores stop requests.
_PROGRAM = """
import sys
from store.admin.channel.status import claim
from store.client.api import open_store
from store.constants import MQCHS
qmgr = open_store(sys.argv[1]).queue_manager("QM1")
connections = [qmgr.connect(name) for name in sys.argv[2:]]
claim(qmgr, "C", "", MQCHS.RUNNING, {})
print("runs", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
def qmgr(url: str) -> Iterator[QueueManager]:
    with open_store(url) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME(h)", check=True)
        yield qmgr


@contextmanager
def running(url: str, *applications: str) -> Iterator[subprocess.Popen[bytes]]:
    program = [sys.executable, "-c", _PROGRAM, url, *applications]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == b"runs\n"
        yield runner


def test_a_program_that_does_not_end_is_killed(url: str, qmgr: QueueManager) -> None:
    with running(url, "runmqchl") as runner:
        (started,) = mqsc.run(qmgr, "START CHANNEL(C)")
        assert started.text.splitlines()[1] == f"Process {runner.pid} runs it."
        (stopped,) = mqsc.run(qmgr, "STOP CHANNEL(C) MODE(TERMINATE)")
        assert stopped.text.splitlines()[1] == "The program that ran the channel did not end and was killed."
        assert runner.wait(60) == -signal.SIGKILL
    (shown,) = mqsc.run(qmgr, "DISPLAY CHSTATUS(C) STATUS")
    assert shown.rows[0]["STATUS"] == "STOPPED"


def test_a_program_that_does_other_work_is_not_killed(url: str, qmgr: QueueManager) -> None:
    """Such as `mqsc serve`, whose other channels would end with it."""
    with running(url, "runmqchl", "runmqchi") as runner:
        (stopped,) = mqsc.run(qmgr, "STOP CHANNEL(C) MODE(TERMINATE)")
        assert (stopped.message_id, stopped.completion) == ("AMQ8019I", 0)
        said = f"The channel has not ended yet. Process {runner.pid}, which runs it, was not killed"
        assert stopped.text.splitlines()[1].startswith(said)
        assert runner.poll() is None
        runner.communicate()
