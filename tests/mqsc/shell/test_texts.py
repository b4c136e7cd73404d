"""Texts in commands typed in the shell: they arrive as with `mqsc run`, and never write a file or start a program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings

import mqsc
from mqsc.console.options import Choices
from mqsc.language.reply import Reply
from mqsc.main import mqsc as group
from mqsc.main import run_to_exit_code
from mqsc.shell.command_text import Settings
from mqsc.shell.session import SessionSurroundings, ShellSession
from mqsc.shell.start import command_at
from store.client.api import QueueManager
from tests.mqsc.shell.test_redirection import DEFINITIONS, TEXTS, in_quotes

DISPLAYS = ("DISPLAY QLOCAL(R1) DESCR TRIGDATA MAXDEPTH PUT", "DISPLAY PROCESS(P9) APPLICID USERDATA ENVRDATA")


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShellSession]:
    with mqsc.open_store(f"sqlite:///{tmp_path_factory.mktemp('texts')}/store.db") as store:
        session = ShellSession(
            store.create_queue_manager("SHELL"),
            SessionSurroundings(Choices(), run_to_exit_code, lambda path: command_at(group, path), lambda text: True),
            Settings(format="classic"),
        )
        store.create_queue_manager("RUN")
        yield session


def in_shell(session: ShellSession, *commands: str) -> list[str]:
    with redirect_stdout(StringIO()) as output:
        for command in commands:
            session.carry_out(command)
    return output.getvalue().splitlines()


def state(qmgr: QueueManager) -> list[list[dict[str, Any]]]:
    return [reply.rows for reply in mqsc.run(qmgr, "\n".join(DISPLAYS))]


@settings(deadline=None, max_examples=int(os.environ.get("MQSC_SHELL_FUZZ", "20")))
@given(TEXTS)
def test_every_text_survives_the_shell(shell: ShellSession, pieces: list[str]) -> None:
    run = shell.qmgr.store.queue_manager("RUN")
    here = {*os.listdir()}
    for definition in DEFINITIONS:
        command = definition.replace("{}", in_quotes(pieces)).replace("1)", "1) REPLACE").replace("9)", "9) REPLACE")
        replies: list[Reply] = mqsc.run(run, command)
        lines = in_shell(shell, command)
        assert [line for line in lines if line.startswith(replies[0].message_id)], lines
        assert state(run) == state(shell.qmgr)
    assert {*os.listdir()} == here
