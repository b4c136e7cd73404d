"""`mqsc channel explain`: channels in each status, in doubt, and the forecast for their next message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from store import open_store
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen

AT_QM1 = """DEFINE QLOCAL(X) USAGE(XMITQ)
DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)
DEFINE QREMOTE(NOWHERE) RNAME(NOPE) RQMNAME(QM2) XMITQ(X)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2)') XMITQ(X)
DEFINE CHANNEL(S) CHLTYPE(SVRCONN)
"""
AT_QM2 = "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(DLQ)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)\n"


@pytest.fixture
def shop(mqsc: Command) -> Command:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("qmgr", "create", "QM2", "--clock", "manual")
    mqsc("clock", "set", "2026-03-01T09:00:00")
    mqsc("clock", "set", "2026-03-01T09:00:00", "-m", "QM2")
    mqsc("run", "-c", AT_QM1)
    mqsc("run", "-m", "QM2", "-c", AT_QM2)
    return mqsc


def explained(mqsc: Command, name: str = "C", *more: str) -> str:
    ended = mqsc("channel", "explain", name, *more)
    assert (ended.code, ended.err) == (0, "")
    return ended.out


def data(mqsc: Command, *more: str) -> dict[str, Any]:
    (row,) = json.loads(explained(mqsc, "C", "--format", "json", *more))
    return dict(row)


def test_a_channel_that_never_ran(shop: Command) -> None:
    text = explained(shop)
    assert text.splitlines()[0] == "C (SDR) at QM1, 2026-03-01T09:00:00Z, CONNAME(local(QM2)), XMITQ(X)"
    assert "  INACTIVE: no program runs it, and nothing is due.\n" in text
    assert "No channel initiator reads SYSTEM.CHANNEL.INITQ" in text
    assert "A message on X starts nothing: its INITQ is blank." in text
    assert "QM2 was found, and answers." in text
    assert "X is empty." in text
    assert "START    AMQ8018I" in text
    assert "STOP     AMQ9533W" in text
    assert "Last end" not in text


@pytest.mark.parametrize(
    ("command", "queue", "persistence", "outcome"),
    [
        ("", "RQ", "--persistent", {"where": "receiver", "reason": 0, "action": "deliver", "target": "Q"}),
        ("ALTER QLOCAL(Q) MAXDEPTH(0)", "RQ", "--persistent", {"reason": 2053, "retries": 10, "action": "end"}),
        (
            "ALTER QLOCAL(Q) PUT(DISABLED)\nALTER QMGR DEADQ(DLQ)",
            "RQ",
            "--persistent",
            {"reason": 2051, "retries": 10, "action": "dead-letter", "target": "DLQ"},
        ),
        ("", "NOWHERE", "--no-persistent", {"reason": 2085, "retries": 0, "action": "drop"}),
        (
            "ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(DLQ) PUT(DISABLED)",
            "NOWHERE",
            "--persistent",
            {"action": "end", "dead_letter_reason": 2051},
        ),
        (
            "ALTER CHANNEL(C) CHLTYPE(RCVR) MAXMSGL(3)",
            "RQ",
            "--persistent",
            {"where": "sender", "reason": 2218, "action": "end"},
        ),
    ],
)
def test_the_next_message(shop: Command, command: str, queue: str, persistence: str, outcome: dict[str, Any]) -> None:
    if command:
        shop("run", "-m", "QM2", "-c", command)
    options = ("--persistent",) if persistence == "--persistent" else ()
    shop("put", queue, "hello", *options)
    found = data(shop)["next_message"]["outcome"]
    assert {word: found[word] for word in outcome} == outcome
    # The forecast is correct.
    done = shop("channel", "run", "C", "--until-empty") if not outcome.get("retries") else None
    if done is not None:
        assert (done.code == 10) == (outcome["action"] == "end")


def test_junk_is_for_the_dead_letter_queue_of_the_sender(shop: Command) -> None:
    shop("put", "X", "junk", "--persistent")
    text = explained(shop)
    assert "QM1 would not send it: 271 MQFB_XMIT_Q_MSG_ERROR" in text
    assert "Channel C would end, and keep it. There is no dead-letter queue (DEADQ is blank)." in text


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        ("RESET CHANNEL(C) SEQNUM(77)", "AMQ9526E: Message sequence number error for channel 'C': number 1 sent, 77"),
        ("ALTER CHANNEL(C) CHLTYPE(RCVR) SEQWRAP(500)", "AMQ9505E: Channel sequence wrap values are different"),
    ],
)
def test_numbers_that_would_differ(shop: Command, command: str, refusal: str) -> None:
    shop("run", "-m", "QM2", "-c", command)
    assert f"QM2 was found, but a start would fail now: {refusal}" in explained(shop)
    assert refusal in shop("channel", "run", "C", "--until-empty").err


def test_a_batch_in_doubt_with_another_queue_manager(shop: Command) -> None:
    shop("run", "-c", "ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2),local(QM3)')")
    shop("put", "RQ", "a", "--persistent")
    shop("channel", "fault", "C", "break", "--at", "R2-after")
    assert shop("channel", "run", "C", "--until-empty").code == 10
    shop("qmgr", "create", "QM3")
    shop("run", "-m", "QM3", "-c", "DEFINE CHANNEL(C) CHLTYPE(RCVR)")
    shop("qmgr", "end", "QM2")
    text = explained(shop)
    assert "Q at QM2, 1 byte" in text
    assert "CONNAME leads to QM3, but the batch was sent to QM2." in text
    assert "AMQ9507E" in shop("channel", "run", "C", "--until-empty").err


def test_an_expired_message_is_passed_over(shop: Command) -> None:
    shop("put", "RQ", "old", "--expiry", "1s")
    shop("put", "RQ", "new")
    shop("clock", "advance", "2s")
    assert data(shop)["next_message"]["expired_before"] == 1
    assert "1 message before it expired; the channel discards them." in explained(shop)


@pytest.mark.parametrize(
    ("step", "record", "resolve"),
    [
        ("R2-after", "QM2 has committed it", "The next start commits it"),
        ("S4-after", "QM2 has not committed this batch", "The next start backs it out"),
    ],
)
def test_a_batch_in_doubt(shop: Command, step: str, record: str, resolve: str) -> None:
    shop("put", "RQ", "hello", "--count", "12", "--persistent")
    shop("channel", "fault", "C", "break", "--at", step)
    assert shop("channel", "run", "C", "--until-empty").code == 10
    text = explained(shop)
    assert "of 12 messages, since 2026-03-01T09:00:00Z." in text
    assert text.count(" for Q at QM2, 5 bytes\n") == 10
    assert "    and 2 more\n" in text
    assert record in text
    assert resolve in text
    assert "RESOLVE CHANNEL(C) ACTION(COMMIT) deletes 12 messages from X." in text
    assert "X has no message but those in doubt." in text
    assert "RESET    AMQ9507E" in text
    assert "Last end 2026-03-01T09:00:00Z: AMQ9208E" in text
    (batch,) = data(shop)["in_doubt"]
    assert (batch["messages"], batch["partner_committed"]) == (12, step == "R2-after")
    shop("qmgr", "delete", "QM2")
    shop("qmgr", "end", "QM2")
    shop("qmgr", "delete", "QM2")
    assert data(shop)["in_doubt"][0]["partner_committed"] is None
    assert "The partner cannot be asked" in explained(shop)


def test_statuses_of_a_channel(shop: Command) -> None:
    shop("run", "-c", "START CHANNEL(C)")
    text = explained(shop)
    assert "STARTING: START CHANNEL was accepted, but no channel initiator reads SYSTEM.CHANNEL.INITQ." in text
    assert "START    AMQ9514E" in text
    shop("run", "-c", "STOP CHANNEL(C)")
    assert "STOPPED: nothing starts it but START CHANNEL(C)" in explained(shop)
    assert "X has GET(DISABLED)" in explained(shop)


def test_a_partner_that_does_not_answer(shop: Command) -> None:
    shop("run", "-m", "QM2", "-c", "DELETE CHANNEL(C)")
    assert "QM2 was found, but a start would fail now: AMQ9520E" in explained(shop)
    assert data(shop)["commands"]["PING"] == "AMQ9520E"
    shop("put", "RQ", "hello")
    assert "What becomes of it is not known" in explained(shop)
    shop("qmgr", "end", "QM2")
    assert "a start would fail now: AMQ9524E" in explained(shop)
    shop("run", "-c", "ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('host(1414)')")
    assert "Cannot be reached: AMQ9202E" in explained(shop)
    assert "is not mapped" in explained(shop)
    shop("run", "-c", "ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('QM2')")
    shop("channel", "fault", "C", "down")
    assert "`mqsc channel fault` keeps the partner down" in explained(shop)
    assert "down at any step" in explained(shop)


def test_other_ends_and_ended_queue_managers(shop: Command) -> None:
    assert "Its partner calls it; no program here starts it." in explained(shop, "C", "-m", "QM2")
    assert "RESOLVE  AMQ9502E" in explained(shop, "C", "-m", "QM2")
    assert "Clients are not served here" in explained(shop, "S")
    shop("qmgr", "end", "QM1")
    text = explained(shop)
    assert "The queue manager QM1 does not run; nor do its channels." in text
    assert "START    AMQ8146E" in text


def test_a_transmission_queue_that_is_missing(shop: Command) -> None:
    shop("run", "-c", "DELETE QLOCAL(X)")
    text = explained(shop)
    assert "START    AMQ9509E: Program cannot open queue manager object 'X': there is no local queue" in text
    assert "Its transmission queue X is missing." in text


def test_a_channel_that_does_not_exist(shop: Command) -> None:
    ended = shop("channel", "explain", "NOPE")
    assert (ended.code, ended.out) == (10, "")
    assert "AMQ8227E" in ended.err


def test_it_changes_nothing(shop: Command, tmp_path: Path) -> None:
    def events() -> int:
        with open_store(f"sqlite:///{tmp_path}/store.db") as store:
            return store.bound().seq

    shop("put", "RQ", "hello")
    before = events()
    assert explained(shop) == explained(shop)
    assert events() == before
    assert shop("browse", "X", "--format", "jsonl").out.count("\n") == 1


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_are_broken_between_words(shop: Command, tmp_path: Path, width: int) -> None:
    shop("put", "RQ", "hello", "--count", "3", "--persistent")
    shop("channel", "fault", "C", "break", "--at", "R2-after")
    shop("channel", "run", "C", "--until-empty")
    shop("put", "NOWHERE", "hello")
    for command in ((), ("-m", "QM2")):
        lines = screen(tmp_path, "channel", "explain", "C", *command, width=width).splitlines()
        assert [line for line in lines if len(line) > width and len(line.split()) > 1] == []


def test_a_batch_in_doubt_whose_record_is_gone(shop: Command) -> None:
    shop("put", "RQ", "hello", "--persistent")
    shop("channel", "fault", "C", "break", "--at", "R2-after")
    assert shop("channel", "run", "C", "--until-empty").code == 10
    cleared = shop("run", "-m", "QM2", "-c", "CLEAR QLOCAL(SYSTEM.CHANNEL.SYNCQ)")
    assert "MQSC0046W: Records of channels are gone: C (batches from QM1)." in cleared.out
    text = explained(shop)
    assert "CONNAME leads to QM2, but QM2 no longer has its record of the channel." in text
    assert "it is not known whether the batch was committed" in text
    (doubt,) = data(shop)["in_doubt"]
    assert doubt["partner_committed"] is None
    assert "AMQ9507E" in shop("channel", "run", "C", "--until-empty").err


def test_a_message_that_cannot_be_converted(shop: Command) -> None:
    """It is converted as a whole, although the forecast needs only the start of other messages."""
    shop("run", "-c", "ALTER CHANNEL(C) CHLTYPE(SDR) CONVERT(YES)\nALTER QMGR DEADQ(DLQ)\nDEFINE QLOCAL(DLQ)")
    shop("put", "RQ", "hello", "--persistent", "--format-name", "OWN")
    shop("run", "-m", "QM2", "-c", "ALTER QMGR CCSID(37)")
    found = data(shop)["next_message"]["outcome"]
    assert (found["where"], found["reason"], found["action"]) == ("sender", 2110, "dead-letter")
    assert shop("channel", "run", "C", "--until-empty").code == 0
    assert shop("get", "DLQ", "--format", "json").code == 0
