"""`mqsc trigger run`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("run", "-q", "NOQ"), 10, "cannot open the initiation queue NOQ: 2085 MQRC_UNKNOWN_OBJECT_NAME"),
        (("run", "-q", "NOQ", "--dry-run"), 10, "cannot browse NOQ: 2085"),
        (("run", "--once", "--wait", "5"), 20, "--wait cannot be given with it"),
        (("run", "--max-running", "0"), 20, "0 is not in the range"),
        (("run", "--timeout", "0"), 20, "'0' is too short"),
        (("run", "INIT1"), 20, "Got unexpected extra argument"),
        (("run", "-m", "QM9"), 10, "AMQ8118E"),
    ],
)
def test_refusals(shop: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = shop("trigger", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_once(shop: Command) -> None:
    shop("put", "APPQ", "m1")
    ended = shop("trigger", "run", "-q", "INIT1", "--once")
    assert (ended.code, ended.err) == (0, "")
    started, finished = (line.split(" ", 1)[1] for line in ended.lines)
    assert started.startswith("APPQ: started /bin/sh -c true for P1, process ")
    assert finished.startswith("APPQ: process ")
    assert " ended with 0 after 0." in finished


def test_what_a_monitor_does_as_data(shop: Command) -> None:
    shop("put", "APPQ", "m1")
    shop("put", "INIT1", "junk")
    ended = shop("trigger", "run", "-q", "INIT1", "--once", "--format", "jsonl")
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert [row["event"] for row in rows if row["event"] != "ended"] == ["failed", "started"]
    assert rows[0].items() >= {"queue": "INIT1", "reason": 266, "dead_letter_queue": "DLQ"}.items()
    assert all(datetime.fromisoformat(row["at"]).tzinfo is UTC for row in rows)


def test_a_dry_run(shop: Command) -> None:
    shop("put", "INIT1", "junk")
    ended = shop("trigger", "run", "-q", "INIT1", "--dry-run", "--format", "json")
    assert [(row["event"], row["reason"]) for row in json.loads(ended.out)] == [("would fail", 266)]
    again = shop("trigger", "run", "-q", "INIT1", "--dry-run")
    assert again.lines[0].endswith(
        "INIT1: 266 MQFB_TM_ERROR, not an MQTM: 4 bytes instead of 684; put on DLQ. "
        "A message on the initiation queue is not a trigger message."
    )


def test_a_dry_run_without_trigger_messages_says_so(shop: Command) -> None:
    ended = shop("trigger", "run", "-q", "INIT1", "--dry-run")
    assert (ended.code, ended.out, ended.err) == (0, "", "mqsc: no trigger message on INIT1\n")


def test_a_dry_run_shows_the_words(shop: Command) -> None:
    shop("put", "APPQ", "m1")
    shop("run", "-c", "ALTER PROCESS(P1) APPLICID('/no/such $(id)')")
    # Changing TRIGTYPE makes a trigger message even without a monitor.
    shop("run", "-c", "ALTER QLOCAL(APPQ) TRIGTYPE(FIRST)")
    ended = shop("trigger", "run", "-q", "INIT1", "--dry-run")
    assert "APPQ: /no/such '$(id)' 'TMC    2APPQ " in ended.lines[0]
    assert ended.lines[0].endswith("' -v &")


@pytest.mark.parametrize(
    ("script", "arguments", "says"),
    [
        ("", ("-q", "APPQ"), "no queue has INITQ(APPQ); all messages on APPQ are read as trigger messages"),
        ("ALTER QMGR DEADQ(' ')", ("-q", "INIT1"), "the dead-letter queue cannot be used"),
    ],
)
def test_what_one_would_wonder_about(shop: Command, script: str, arguments: tuple[str, ...], says: str) -> None:
    if script:
        shop("run", "-c", script)
    ended = shop("trigger", "run", "--wait", "0", *arguments)
    assert ended.code == 0
    assert says in ended.err


def test_the_wait_is_on_the_queue_managers_clock(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    ended = mqsc("trigger", "run", "--wait", "0")
    assert ended.code == 0
    assert "QM1 has a manual clock: --wait and TRIGINT advance only with `mqsc clock`" in ended.err


def test_gets_that_are_disabled_interrupt_it(shop: Command) -> None:
    shop("run", "-c", "ALTER QLOCAL(INIT1) GET(DISABLED)")
    ended = shop("trigger", "run", "-q", "INIT1", "--wait", "0")
    assert ended.code == 10
    assert "the trigger monitor was interrupted: 2016 MQRC_GET_INHIBITED (INIT1)" in ended.err


def test_a_queue_manager_that_has_ended_cannot_be_attended_to(shop: Command) -> None:
    shop("qmgr", "end", "QM1")
    ended = shop("trigger", "run", "-q", "INIT1")
    assert ended.code == 20


def test_terminals_are_not_steered(shop: Command, tmp_path: Path) -> None:
    (tmp_path / "steer.mqsc").write_bytes(b"ALTER PROCESS(P1) APPLICID('/no/\x1b[2Jsuch')\n")
    shop("run", "steer.mqsc")
    shop("put", "APPQ", "m1")
    ended = shop("trigger", "run", "-q", "INIT1", "--once")
    assert "\\x1b[2J" in ended.out
    assert "\x1b" not in ended.out
