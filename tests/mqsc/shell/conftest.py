"""A session of the shell on a queue manager with two queues, without a terminal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import mqsc
from mqsc.console.options import Choices
from mqsc.main import run_to_exit_code
from mqsc.shell.own_commands import SessionSurroundings
from mqsc.shell.session import ShellSession
from mqsc.shell.settings import Settings
from mqsc.store.client.queue_manager import QueueManager

SCRIPT = """DEFINE QLOCAL(ORDERS) MAXDEPTH(10) DESCR('Bestellungen 日本')
DEFINE QLOCAL(ERRORS) MAXDEPTH(4)
"""
Run = Callable[..., list[str]]


class Asked:
    """Answers questions, and remembers them."""

    def __init__(self) -> None:
        self.answer = False
        self.questions: list[str] = []

    def __call__(self, question: str) -> bool:
        self.questions.append(question)
        return self.answer


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def session(qmgr: QueueManager, asked: Asked, monkeypatch: pytest.MonkeyPatch) -> ShellSession:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    mqsc.run(qmgr, SCRIPT)
    around = SessionSurroundings(Choices(quiet=True), run_to_exit_code, asked)
    return ShellSession(qmgr, around, Settings())


@pytest.fixture
def shown(session: ShellSession, capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*commands: str) -> list[str]:
        for command in commands:
            capfd.readouterr()
            session.carry_out(command)
        return capfd.readouterr().out.splitlines()

    return call
