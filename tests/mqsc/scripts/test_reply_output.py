"""The output formats of a run, on the same script."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from mqsc.script import Answered, Script
from mqsc.scripts.reply_output import BANNER, JsonWriter, QuietWriter, TextWriter, Writer
from mqsc.store.client.queue_manager import QueueManager

SCRIPT = "DEFINE QLOCAL(A) +\n  DESCR('\x1b[2J')\n\nDISPLAY QLOCAL(A) DESCR\n"


def run(qmgr: QueueManager, make: Callable[[io.StringIO], Writer]) -> list[str]:
    """Return the lines that a writer prints for SCRIPT, without trailing blanks."""
    out = io.StringIO()
    writer, script = make(out), Script(qmgr)
    writer.begin(qmgr.name)
    for step in script.steps(SCRIPT.split("\n")):
        if isinstance(step, Answered):
            writer.answer(step)
        else:
            writer.echo(step)
    writer.end(script.tally)
    return [line.rstrip() for line in out.getvalue().splitlines()]


TALLY = [
    "2 MQSC commands read.",
    "No commands have a syntax error.",
    "All valid MQSC commands were processed.",
]


@pytest.mark.parametrize("terminal", [False, True])
def test_text(qmgr: QueueManager, terminal: bool) -> None:
    description = "\\x1b[2J"
    lines = run(qmgr, lambda out: TextWriter(out, terminal=terminal))
    assert lines == [
        BANNER,
        "Starting MQSC for queue manager QM1.",
        "",
        "",
        "     1 : DEFINE QLOCAL(A) +",
        f"       :   DESCR('{description}')",
        "AMQ8006I: IBM MQ queue created.",
        "       :",
        "     2 : DISPLAY QLOCAL(A) DESCR",
        "AMQ8409I: Display Queue details.",
        "   QUEUE(A)                                TYPE(QLOCAL)",
        f"   DESCR({description})",
        "       :",
        *TALLY,
    ]


def test_without_echo(qmgr: QueueManager) -> None:
    lines = run(qmgr, lambda out: TextWriter(out, echo=False))
    assert [line for line in lines if " : " in line] == []
    assert lines[-3:] == TALLY


def test_quiet(qmgr: QueueManager) -> None:
    assert run(qmgr, lambda out: QuietWriter(out, lambda: "NOW")) == [
        "NOW QM1 AMQ8409I: Display Queue details.",
        "   QUEUE(A)                                TYPE(QLOCAL)",
        "   DESCR(\\x1b[2J)",
    ]


@pytest.mark.parametrize("array", [True, False])
def test_json(qmgr: QueueManager, array: bool) -> None:
    lines = run(qmgr, lambda out: JsonWriter(out, array=array))
    rows = json.loads("\n".join(lines)) if array else [json.loads(line) for line in lines]
    assert [(row["line"], row["message_id"], row["rows"]) for row in rows] == [
        (1, "AMQ8006I", []),
        (4, "AMQ8409I", [{"QUEUE": "A", "TYPE": "QLOCAL", "DESCR": "\x1b[2J"}]),
    ]
