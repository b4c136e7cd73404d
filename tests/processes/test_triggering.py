"""Triggering across processes: a server that is killed, and monitors that are stopped, killed or undisturbed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store.client.api import QueueManager
from tests.mqsc.agents.scripts import TELL, WAIT, Scripts, wait_until
from tests.processes.programs import PATIENCE_SECONDS
from tests.scenarios.trigger_play import TriggerPlay
from tests.source import ROOT
from tests.store.admin.looking import queue_row

OBJECTS = """
    DEFINE QLOCAL(INIT1)
    DEFINE QLOCAL(DLQ)
    ALTER QMGR DEADQ(DLQ)
    DEFINE PROCESS(P1)
    DEFINE QLOCAL(APPQ) TRIGGER TRIGTYPE(FIRST) PROCESS(P1) INITQ(INIT1)
"""
SERVER = """
import signal, sys, mqsc
from store import GetMessageOptions
from store.constants import MQGMO, MQOO
store = mqsc.open_store(sys.argv[1])
connection = store.queue_manager("QM1").connect("server")
connection.open("APPQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.NO_WAIT))
print("got", flush=True)
while True:
    signal.pause()
"""


def test_t41_a_server_is_killed_with_an_uncommitted_get(qmgr: QueueManager, url: str) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ persistence=1\nnew INIT1 => APPQ")
    with subprocess.Popen([sys.executable, "-c", SERVER, url], cwd=ROOT, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == b"got\n"
            play.run("on APPQ => nothing\nput m2 on APPQ\nnew INIT1 => nothing")
        finally:
            server.kill()
    play.run("""
        DISPLAY QLOCAL(APPQ) IPPROCS => IPPROCS=0
        new INIT1 => APPQ
        TRIGGER => put/APPQ/0 close/APPQ/0
        get from APPQ browse-first => m1 bc=1
    """)


class Monitor:
    """A trigger monitor as a process. Its output goes to files: programs that it leaves running keep pipes open."""

    def __init__(self, url: str, folder: Path, words: tuple[str, ...]) -> None:
        self._out, self._err = folder / "out", folder / "err"
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "mqsc", *words, "-q", "INIT1"],
                cwd=ROOT,
                env={**os.environ, "MQSC_STORE": url},
                stdout=out,
                stderr=err,
            )

    def finished(self) -> tuple[int, list[str], str]:
        """Wait for the end; return the exit code, the output without times, and stderr."""
        code = self.process.wait(PATIENCE_SECONDS)
        return code, [line.split(" ", 1)[1] for line in self._out.read_text().splitlines()], self._err.read_text()


Start = Callable[..., Monitor]


@pytest.fixture
def monitor(url: str, tmp_path: Path) -> Iterator[Start]:
    """Starts monitors of INIT1, and kills them at the end of the test."""
    started: list[Monitor] = []

    def start(*arguments: str, command: tuple[str, ...] = ("trigger", "run")) -> Monitor:
        folder = tmp_path / f"monitor-{len(started)}"
        folder.mkdir()
        started.append(Monitor(url, folder, (*command, *arguments)))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait(PATIENCE_SECONDS)


def attended(qmgr: QueueManager) -> bool:
    """Return whether a program has the initiation queue open for input."""
    return queue_row(qmgr, "INIT1").input_handles > 0


def asked_to_start(play: TriggerPlay, appl_id: str, env_data: str = "") -> None:
    said = appl_id.replace("'", "''")
    play.run(f"ALTER PROCESS(P1) APPLICID('{said}') ENVRDATA('{env_data}')")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("command", [("trigger", "run"), ("runmqtrm",)], ids=["trigger run", "runmqtrm"])
def test_a_waiting_monitor_is_told_to_stop(
    qmgr: QueueManager, monitor: Start, number: signal.Signals, command: tuple[str, ...]
) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    waiting = monitor(command=command)
    wait_until(lambda: attended(qmgr))
    waiting.process.send_signal(number)
    assert waiting.finished() == (0, [], "")
    assert not attended(qmgr)
    play.run("put m1 on APPQ\nnew INIT1 => nothing")


def test_a_monitor_works_until_it_is_told_to_stop(qmgr: QueueManager, monitor: Start, scripts: Scripts) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("serve.py", TELL))
    play.run("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)")
    working = monitor("--safe")
    wait_until(lambda: attended(qmgr))
    for name in ("m1", "m2", "m3"):
        play.run(f"put {name} on APPQ")
    wait_until(lambda: ended(play) == 3)
    working.process.terminate()
    code, lines, said = working.finished()
    assert (code, said) == (0, "")
    assert [line.split(" ")[1] for line in lines] == ["started", "process"] * 3
    assert len(scripts.told) == 3
    play.run("depth INIT1 => 0\ndepth DLQ => 0")


def ended(play: TriggerPlay) -> int:
    """Return the number of ended programs in the history."""
    return sum(row[1] == "ended" for row in play.events("PROGRAM"))


def test_a_monitor_leaves_a_program_running(qmgr: QueueManager, monitor: Start, scripts: Scripts) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("wait.py", TELL + WAIT))
    working = monitor()
    wait_until(lambda: attended(qmgr))
    play.run("put m1 on APPQ")
    wait_until(lambda: scripts.told)
    working.process.terminate()
    code, lines, said = working.finished()
    assert (code, len(lines)) == (0, 1)
    number = json.loads(play.new_events("PROGRAM")[0][5])["process_id"]
    assert said == f"mqsc: process {number} is still running; its end will not be recorded\n"
    os.kill(number, 0)
    play.run("depth INIT1 => 0")


@pytest.mark.parametrize("arguments", [("--wait", "100"), ("--once",)], ids=" ".join)
def test_a_monitor_ends_by_itself(
    qmgr: QueueManager, monitor: Start, scripts: Scripts, arguments: tuple[str, ...]
) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("serve.py", TELL), "&")
    play.run("put m1 on APPQ")
    code, lines, said = monitor(*arguments).finished()
    assert (code, len(lines), said) == (0, 2, "")
    assert len(scripts.told) == 1
    play.run("TRIGGER => monitor-opened/APPQ/0")


@pytest.mark.parametrize("immediate", [False, True])
def test_a_monitor_ends_with_its_queue_manager(qmgr: QueueManager, monitor: Start, immediate: bool) -> None:
    TriggerPlay(qmgr, OBJECTS)
    waiting = monitor()
    wait_until(lambda: attended(qmgr))
    qmgr.end(immediate=immediate)
    assert waiting.finished() == (0, [], "mqsc: QM1 has ended\n")
    assert qmgr.row().state == "ENDED"


def test_two_monitors(qmgr: QueueManager, monitor: Start, scripts: Scripts) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("serve.py", TELL))
    play.run("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)")
    both = monitor(), monitor()
    wait_until(lambda: queue_row(qmgr, "INIT1").input_handles == 2)
    play.run("put m*12 on APPQ")
    wait_until(lambda: ended(play) == 12)
    for each in both:
        each.process.terminate()
    (one, lines, _), (two, others, _) = (each.finished() for each in both)
    assert (one, two) == (0, 0)
    assert len(lines) + len(others) == 24
    assert len(scripts.told) == 12
    play.run("depth INIT1 => 0")


def test_a_monitor_that_is_killed_has_nothing_open(qmgr: QueueManager, monitor: Start) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    waiting = monitor()
    wait_until(lambda: attended(qmgr))
    waiting.process.kill()
    waiting.process.wait(PATIENCE_SECONDS)
    play.run("DISPLAY QLOCAL(INIT1) IPPROCS => IPPROCS=0\nput m1 on APPQ\ndepth INIT1 => 0")
