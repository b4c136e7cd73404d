"""The shell's own commands: their table, help and explain."""

from __future__ import annotations

import re

import pytest

from mqsc.language.command_table import verb_of
from mqsc.main import COMMANDS, mqsc
from mqsc.shell.own_commands import (
    OWN_COMMANDS,
    ROWS,
    SETTINGS,
    SYNTAX,
    OwnCommandError,
    help_lines,
    is_own_command,
    shell_answer,
)
from mqsc.shell.start import command_at
from store.client.api import QueueManager
from tests.rows import rows
from tests.scenarios.trigger_play import TriggerPlay

# The table of the shell's own commands agrees with MQSC and with the command line.


def test_every_command_of_the_command_line_works_in_the_shell() -> None:
    assert {*COMMANDS} < {*OWN_COMMANDS}
    assert all(command_at(mqsc, row.path[0]) is not None for row in OWN_COMMANDS.values() if row.path)


def test_two_verbs_of_mqsc_have_such_a_name() -> None:
    assert [name for name in OWN_COMMANDS if verb_of(name.upper())] == ["backup", "archive"]
    texts = ["archive log", "ARCHIVE LOG MODE(QUIESCE)", "backup cfstruct(C1)", "archive list /a", "backup copy.db"]
    assert [is_own_command(text) for text in texts] == [False] * 3 + [True] * 2


def test_what_is_for_the_shell() -> None:
    texts = ["put A x", "? ", "\\format", "! ls", "help define", "define ql(put)", "end", "", "putty"]
    assert [is_own_command(text) for text in texts] == [True] * 5 + [False] * 4


# Help fits the screen: lines are broken between words.


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize(
    "words",
    [
        *([], ["?"], ["define"], ["define", "qlocal"], ["define", "chl"], ["define", "frob"], ["trigtype"]),
        *(["put"], ["2053"]),
    ],
    ids=" ".join,
)
def test_lines_fit(words: list[str], width: int) -> None:
    lines = [*help_lines(words, width, "alter qmgr x")]
    assert [line for line in lines if len(line) > width and len(line.split()) > 1] == []
    assert lines


def test_the_overview_has_everything() -> None:
    text = "\n".join(help_lines([], 100, ""))
    assert [row.name for row in ROWS if f"  {row.name}" not in text] == []
    assert [name for name in SETTINGS if f"\\{name} " not in text] == []


# Words that the shell understands in addition to MQSC.


@rows("DISPLAY QLOCAL(APPQ)", "", "* explain", "explain trigger(A)\ndisplay qmgr")
def test_what_is_mqsc_is_left_to_it(qmgr: QueueManager, text: str) -> None:
    assert shell_answer(qmgr, text) is None


def said(qmgr: QueueManager, text: str) -> list[str]:
    answer = shell_answer(qmgr, text)
    assert answer is not None
    return list(answer)


@rows("explain trigger(appq)", "EXPLAIN TRIGGER('APPQ')", "explain +\n trigger(appq)")
def test_a_queue_is_explained(qmgr: QueueManager, text: str) -> None:
    TriggerPlay(qmgr)
    lines = said(qmgr, text)
    assert lines[0].startswith("APPQ at 2023-11-14T22:13:20Z: depth 0")
    assert "A put now would trigger (cause put):" in lines
    assert not any(line.startswith("If ") for line in lines)


def test_a_put_is_imagined(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr)
    lines = said(qmgr, "explain trigger(APPQ) if('put priority 5 syncpoint')")
    assert "If put priority 5 syncpoint:" in lines


@rows(
    *(("explain", f"syntax: {SYNTAX}"), ("explain trigger()", f"syntax: {SYNTAX}")),
    ("explain queue(APPQ)", f"syntax: {SYNTAX}"),
    ("explain trigger(APPQ) trigger(APPQ)", f"syntax: {SYNTAX}"),
    ("explain trigger(APPQ", f"syntax: {SYNTAX}"),
    ("explain trigger(NOQ)", "2085 MQRC_UNKNOWN_OBJECT_NAME (NOQ)"),
    ("explain trigger(APPQ) if('get')", "IF expects a put, for example: put"),
)
def test_what_is_wrong_is_said_in_a_line(qmgr: QueueManager, text: str, says: str) -> None:
    TriggerPlay(qmgr)
    with pytest.raises(OwnCommandError, match=f"^{re.escape(says)}"):
        said(qmgr, text)
