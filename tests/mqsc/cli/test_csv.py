"""`--format csv` of commands that print rows."""

from __future__ import annotations

import csv
import io

import pytest

from tests.mqsc.conftest import Command

SETUP = """
DEFINE QLOCAL(DLQ)
ALTER QMGR DEADQ(DLQ)
DEFINE QLOCAL(A) DESCR('=x') BOQNAME(DLQ) BOTHRESH(1)
"""
# The first columns of commands, or all of them.
HEADINGS = {
    "top": ["queue", "depth", "maxdepth", "oldest", "in", "out", "uncom", "trigger"],
    "history A --limit 2": ["seq", "at", "qmgr", "kind"],
    "browse A": ["report", "msg_type", "expiry"],
    "qmgr list": ["name", "state", "default", "clock", "group", "created"],
    "user list": ["name", "administrator", "groups", "created", "changed"],
    "auth matrix": ["type", "name"],
    "expiry * --all": ["queue", "now", "depth"],
    "depth A": ["seq", "at", "kind", "change", "depth"],
    "run --plan -c DELETE&QLOCAL(DLQ)": ["file", "line", "command", "action", "type", "name"],
    "uses DLQ": ["qmgr", "type", "name", "attribute"],
}


def table(text: str) -> list[list[str]]:
    return [*csv.reader(io.StringIO(text))]


@pytest.mark.parametrize("command", [*HEADINGS])
def test_heading(mqsc: Command, command: str) -> None:
    mqsc("run", stdin=SETUP.encode())
    mqsc("put", "A", "one", "two")
    mqsc("user", "add", "alice", stdin=b"secret\n")
    words = (word.replace("&", " ") for word in command.split())
    heading, *rows = table(mqsc(*words, "--format", "csv").out)
    expected = HEADINGS[command]
    assert heading[: len(expected)] == expected
    assert rows
    assert all(len(row) == len(heading) for row in rows)


def test_the_rows_of_all_displays_are_one_table_and_errors_are_elsewhere(mqsc: Command) -> None:
    mqsc("run", stdin=SETUP.encode())
    commands = b"DISPLAY QLOCAL(A) DESCR\nDEFINE QLOCAL(A)\nDISPLAY QLOCAL(DLQ) MAXDEPTH\n"
    ended = mqsc("run", "--format", "csv", stdin=commands)
    assert table(ended.out) == [
        ["QUEUE", "TYPE", "DESCR", "MAXDEPTH"],
        ["A", "QLOCAL", "'=x", ""],
        ["DLQ", "QLOCAL", "", "5000"],
    ]
    assert "AMQ8150E" in ended.err
    assert ended.code == 10


def test_commands_that_never_know_all_their_rows_have_no_csv(mqsc: Command) -> None:
    mqsc("run", stdin=SETUP.encode())
    mqsc("put", "A", "one")
    assert "use jsonl" in mqsc("get", "A", "--format", "csv").err
    assert "use jsonl" in mqsc("history", "--follow", "--format", "csv").err
    # Nothing was got.
    assert mqsc("get", "A").out == "one\n"
