"""`mqsc trigger run` and `mqsc trigger explain`."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.mqsc.session import Session


@pytest.fixture
def shop(session: Session) -> Session:
    """A queue manager whose APPQ triggers to INIT1."""
    session("""
        qmgr create QM1
        DEFINE QLOCAL(INIT1)
        DEFINE QLOCAL(DLQ)
        ALTER QMGR DEADQ(DLQ)
        DEFINE PROCESS(P1) APPLICID('/bin/sh -c true') ENVRDATA('-v &')
        DEFINE QLOCAL(APPQ) TRIGGER TRIGTYPE(EVERY) PROCESS(P1) INITQ(INIT1)
        DEFINE QALIAS(FRONT) TARGET(APPQ)
    """)
    return session


def test_what_a_monitor_does_in_words_and_as_data(shop: Session) -> None:
    ended = shop("put APPQ m1\ntrigger run -q INIT1 --once => !|")
    started, finished = (line.split(" ", 1)[1] for line in ended.lines)
    assert started.startswith("APPQ: started /bin/sh -c true for P1, process ")
    assert (finished[:14], " ended with 0 after 0." in finished) == ("APPQ: process ", True)
    rows = shop("put APPQ m1\nput INIT1 junk\ntrigger run -q INIT1 --once --format jsonl").rows
    assert [row["event"] for row in rows if row["event"] != "ended"] == ["failed", "started"]
    assert rows[0].items() >= {"queue": "INIT1", "reason": 266, "dead_letter_queue": "DLQ"}.items()
    assert all(datetime.fromisoformat(row["at"]).tzinfo is UTC for row in rows)


def test_a_dry_run_shows_the_words(shop: Session) -> None:
    """Changing TRIGTYPE makes a trigger message even without a monitor."""
    (line,) = shop("""
        put APPQ m1
        ALTER PROCESS(P1) APPLICID('/no/such $(id)')
        ALTER QLOCAL(APPQ) TRIGTYPE(FIRST)
        trigger run -q INIT1 --plan => > APPQ: /no/such '$(id)' 'TMC    2APPQ
    """).lines[:1]
    assert line.endswith("' -v &")


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_an_explanation_as_data(shop: Session, format: str) -> None:
    (row,) = shop(f"trigger explain APPQ --format {format}").rows
    assert (row["queue"], row["would_trigger"], row["if"]) == ("APPQ", False, None)
    assert [each["number"] for each in row["conditions"] if not each["met"]] == [8, 11, 12, 13]
    assert (row["uncommitted"], row["only_waits_for_commit"], row["put_reason"]) == ([], False, 0)


SESSIONS = {
    "an explanation": """
        trigger explain FRONT --if 'put priority 5 persistent' => !|
            = FRONT is an alias of APPQ
            = ✗ C8  a monitor has the initiation queue open             IPPROCS(0) on INIT1
            = If put priority 5 persistent:
    """,
    "a dry run without trigger messages says so, and one with junk names its reason": """
        trigger run -q INIT1 --plan => !| mqsc: no trigger message on INIT1
            |
        put INIT1 junk
        trigger run -q INIT1 --plan --format json => .event ["would fail"]
            .reason [266]
        trigger run -q INIT1 --plan => > INIT1: 266 MQFB_TM_ERROR, not an MQTM: 4 bytes instead of 684; put on DLQ. \
A message on the initiation queue is not a trigger message.
    """,
    "what one would wonder about": """
        trigger run --wait 0 -q APPQ
            ! no queue has INITQ(APPQ); all messages on APPQ are read as trigger messages
        ALTER QMGR DEADQ(' ')
        trigger run --wait 0 -q INIT1 => ! the dead-letter queue cannot be used
    """,
    "the wait is on the queue manager's clock": """
        qmgr create QM2 --clock manual
        QM2: trigger run --wait 0
            ! QM2 has a manual clock: --wait and TRIGINT advance only with `mqsc clock`
    """,
    "gets that are disabled interrupt it, and an ended queue manager cannot be attended to": """
        ALTER QLOCAL(INIT1) GET(DISABLED)
        trigger run -q INIT1 --wait 0 => 10 ! the trigger monitor was interrupted: 2016 MQRC_GET_INHIBITED (INIT1)
        qmgr end QM1
        trigger run -q INIT1 => 20
    """,
    "terminals are not steered": r"""
        run - << ALTER PROCESS(P1) APPLICID('/no/\x1b[2Jsuch')\n
        put APPQ m1
        trigger run -q INIT1 --once => > \x1b[2J
    """,
    "refusals": """
        trigger ...
        run -q NOQ => 10 ! cannot open the initiation queue NOQ: 2085 MQRC_UNKNOWN_OBJECT_NAME
        run -q NOQ --plan => 10 ! cannot browse NOQ: 2085
        run --once --wait 5 => 20 ! --wait cannot be given with it
        run --max-running 0 => 20 ! 0 is not in the range
        run --timeout 0 => 20 ! '0' is too short
        run INIT1 => 20 ! Got unexpected extra argument
        run -m QM9 => 10 ! AMQ8118E
        explain NOQ => 10 ! mqsc: AMQ8147E: IBM MQ object NOQ not found.
        explain SYSTEM.DEFAULT.MODEL.QUEUE => 10 ! 2057
        explain APPQ --if get => 20 ! --if expects a put, for example: put priority 5 persistent
        explain => 20 ! Missing argument 'QUEUE'
        explain -m QM9 APPQ => 10 ! AMQ8118E
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(shop: Session, name: str) -> None:
    assert "\x1b" not in shop(SESSIONS[name]).out
