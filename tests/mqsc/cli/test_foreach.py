"""`mqsc foreach`: the commands, the plan, and what is run without a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen

SELECTION = "QLOCAL(APP.*) WHERE(MAXDEPTH GT 5)"
ALTER = f"{SELECTION} DO ALTER QLOCAL({{}}) DESCR('changed')"


@pytest.fixture(autouse=True)
def queues(mqsc: Command) -> None:
    lines = ["DEFINE QLOCAL(APP.A)", "DEFINE QLOCAL(APP.B) MAXDEPTH(3)", "DEFINE QLOCAL('APP.c')"]
    mqsc("run", stdin="\n".join(lines).encode())


def changed(mqsc: Command) -> list[str]:
    rows = mqsc("run", "--format", "jsonl", "-c", "DISPLAY QLOCAL(APP.*) DESCR").rows[0]["rows"]
    return [row["QUEUE"] for row in rows if row["DESCR"] == "changed"]


def test_the_command_is_run_for_each(mqsc: Command) -> None:
    ended = mqsc("foreach", "--yes", ALTER)
    assert ended.code == 0
    assert "ALTER QLOCAL('APP.A') DESCR('changed')" in ended.out
    assert changed(mqsc) == ["APP.A", "APP.c"]


def test_several_words_are_one_text(mqsc: Command) -> None:
    mqsc("foreach", "-y", "QLOCAL(APP.A)", "DO", "ALTER QLOCAL({}) DESCR('changed')")
    assert changed(mqsc) == ["APP.A"]


def test_a_plan_changes_nothing(mqsc: Command) -> None:
    ended = mqsc("foreach", "--plan", ALTER)
    assert ended.code == 2
    assert [line.split()[:2] for line in ended.lines if line.startswith("UPDATE")] == [
        ["UPDATE", "QLOCAL(APP.A)"],
        ["UPDATE", "QLOCAL(APP.c)"],
    ]
    assert changed(mqsc) == []


def test_without_a_terminal_only_reading_needs_no_agreement(mqsc: Command) -> None:
    refused = mqsc("foreach", ALTER)
    assert (refused.code, changed(mqsc)) == (20, [])
    assert "add --yes" in refused.err
    shown = mqsc("foreach", f"{SELECTION} DO DISPLAY QLOCAL({{}}) MAXDEPTH", "--format", "csv")
    assert shown.lines == ["QUEUE,TYPE,MAXDEPTH", "APP.A,QLOCAL,5000", "APP.c,QLOCAL,5000"]


@pytest.mark.parametrize(("typed", "expected"), [("y\r", ["APP.A", "APP.c"]), ("n\r", [])])
def test_on_a_terminal_a_question_lists_the_commands(
    mqsc: Command,
    tmp_path: Path,
    typed: str,
    expected: list[str],
) -> None:
    text = screen(tmp_path, "foreach", ALTER, typed=typed)
    assert "ALTER QLOCAL('APP.c') DESCR('changed')" in text
    assert "Run 2 commands?" in text
    assert changed(mqsc) == expected


def test_a_failure_does_not_stop_the_others(mqsc: Command) -> None:
    mqsc("put", "APP.A", "x")
    ended = mqsc("foreach", "--yes", "QLOCAL(APP.*) DO DELETE QLOCAL({})")
    assert ended.code == 10
    assert ended.out.count("AMQ8007I") == 2


@pytest.mark.parametrize(
    ("text", "code", "error"),
    [
        ("QLOCAL(APP.*) CLEAR QLOCAL({})", 20, "foreach takes an object"),
        ("QLOCL(*) DO CLEAR QLOCAL({})", 20, "DISPLAY takes no object 'QLOCL'; did you mean"),
        ("QLOCAL(*) WHERE(CURDEPHT GT 1) DO CLEAR QLOCAL({})", 20, "did you mean CURDEPTH?"),
        ("QLOCAL(APP.*) DO CLEAR QLOCAL(A)", 20, "needs {} where the name goes"),
        ("QLOCAL(APP.*) DO FROB QLOCAL({})", 20, "not a command of MQSC after DO"),
        ("QLOCAL(NONE) DO CLEAR QLOCAL({})", 10, "AMQ8147E"),
    ],
)
def test_what_is_wrong_is_said(mqsc: Command, text: str, code: int, error: str) -> None:
    ended = mqsc("foreach", "--yes", text)
    assert ended.code == code
    assert error in ended.err
