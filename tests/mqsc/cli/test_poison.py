"""`mqsc poison`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen

OBJECTS = "DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(B) DEFPSIST(YES)\nDEFINE QLOCAL(B) MAXDEPTH(0)\nDEFINE QLOCAL(C)"


@pytest.fixture(autouse=True)
def _failures(mqsc: Command) -> None:
    mqsc("run", "-c", OBJECTS)
    mqsc("put", "A", "m1")
    mqsc("put", "C", "m2")
    mqsc("consume", "A", "--limit", "1", "--", "false")
    mqsc("consume", "C", "--limit", "2", "--", "false")


def test_each_message_with_what_would_become_of_it(mqsc: Command) -> None:
    lines = mqsc("poison").lines
    assert [line for line in lines if not line.startswith(("  414D51", "    backed out"))] == [
        "A: BOTHRESH(1) BOQNAME(B)",
        "    a consumer cannot move it, and ends with 2362 MQRC_BACKOUT_THRESHOLD_REACHED, because BOQNAME(B) refuses "
        "it (2053 MQRC_Q_FULL) and DEADQ is blank",
        "C: BOTHRESH(0) BOQNAME(' ')",
        "    a consumer delivers it again; with BOTHRESH(0) it is never moved",
    ]
    assert lines[2].startswith("    backed out once, last by mqsc consume, user ")
    assert lines[6].startswith("    backed out 2 times, last by mqsc consume, user ")


def test_as_data(mqsc: Command) -> None:
    (row,) = json.loads(mqsc("poison", "A", "--format", "json").out)
    assert (row["queue"], row["backout_count"], row["threshold"], row["action"]) == ("A", 1, 1, "keep")
    assert (row["succeeds"], row["backout_queue_reason"], row["dead_letter_queue"]) == (False, 2053, None)
    assert row["last_backout"]["application"] == "mqsc consume"


def test_every_command_spells_an_identifier_alike_in_json(mqsc: Command) -> None:
    """They are keys to join by. `--msg-id` and `trace` also read capital letters, as the text of commands has them."""

    def ids(*arguments: str) -> set[str]:
        rows = json.loads(mqsc(*arguments, "--format", "json").out)
        return {row["msg_id"] for row in rows if row.get("msg_id")}

    (spelled,) = ids("poison", "A")
    assert spelled == spelled.lower() != spelled.upper()
    assert ids("browse", "A") == ids("history", "A", "--kind", "PUT", "--msg-id", spelled.upper()) == {spelled}
    assert ids("trace", spelled.upper()) == ids("get", "A", "--msg-id", spelled.upper()) == {spelled}


def test_nothing_changes(mqsc: Command) -> None:
    assert mqsc("poison").out == mqsc("poison").out


def test_no_message_and_no_queue(mqsc: Command) -> None:
    assert mqsc("poison", "B").out == "No message has been backed out.\n"
    ended = mqsc("poison", "NONE")
    assert (ended.code, ended.out, ended.err) == (10, "", "mqsc: AMQ8147E: IBM MQ object NONE not found.\n")


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_are_broken_between_words(tmp_path: Path, width: int) -> None:
    lines = screen(tmp_path, "poison", width=width).splitlines()
    assert len(lines) >= 8
    assert [line for line in lines if len(line) > width and len(line.split()) > 1] == []
