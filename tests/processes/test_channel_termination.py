"""STOP CHANNEL MODE(TERMINATE) kills a process that does not end by itself (channel-commands §1)."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import mqsc
from store import open_store
from tests.source import ROOT

# A process that claims to run the channel, but ignores stop requests.
_PROGRAM = """
import sys
from store.admin.channel_status import claim
from store.client.open_store import open_store
from store.constants import MQCHS
claim(open_store(sys.argv[1]).queue_manager("QM1"), "C", "", MQCHS.RUNNING, {})
print("runs", flush=True)
sys.stdin.read()
"""


def test_a_program_that_does_not_end_is_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'test.db'}"
    with open_store(url) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME(h)", check=True)
        program = [sys.executable, "-c", _PROGRAM, url]
        with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as runner:
            assert runner.stdout is not None
            assert runner.stdout.readline() == b"runs\n"
            (started,) = mqsc.run(qmgr, "START CHANNEL(C)")
            assert started.text.splitlines()[1] == f"Process {runner.pid} runs it."
            (stopped,) = mqsc.run(qmgr, "STOP CHANNEL(C) MODE(TERMINATE)")
            assert stopped.text.splitlines()[1] == "The program that ran the channel did not end and was killed."
            assert runner.wait(60) == -signal.SIGKILL
        (shown,) = mqsc.run(qmgr, "DISPLAY CHSTATUS(C) STATUS")
        assert shown.rows[0]["STATUS"] == "STOPPED"
