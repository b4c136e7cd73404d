"""`mqsc channel fault`."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command


@pytest.fixture
def channel(mqsc: Command) -> Command:
    """The sender C and the receiver R."""
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc(
        "run",
        "-c",
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(QM2) XMITQ(X)\nDEFINE CHANNEL(R) CHLTYPE(RCVR)\n"
        "DEFINE CHANNEL(D) CHLTYPE(SVR) XMITQ(X)",
    )
    mqsc("clock", "set", "2026-03-01T09:00:00")
    return mqsc


def test_faults_are_set_listed_and_cleared(channel: Command) -> None:
    assert channel("channel", "fault", "C", "break", "--at", "s4-after").out == "C: break at S4-after, once\n"
    channel("channel", "fault", "C", "slow", "250", "--at", "S1:3", "--for", "30s")
    channel("channel", "fault", "C", "slow", "2s", "--at", "sent")
    channel("channel", "fault", "D", "down", "--times", "2")
    assert channel("channel", "fault").lines == [
        "CHANNEL  AT        ACTION     TIMES  UNTIL",
        "C        S4-after  break      1      -",
        "C        S1:3      slow 250   -      2026-03-01T09:00:30Z",
        "C        S2        slow 2000  -      -",
        "D        any step  down       2      -",
    ]
    rows = json.loads(channel("channel", "fault", "C", "--format", "json").out)
    assert rows[1] == {
        "channel": "C",
        "step": "S1",
        "message": 3,
        "action": "slow",
        "milliseconds": 250,
        "times": None,
        "until": "2026-03-01T09:00:30Z",
    }
    channel("clock", "advance", "30s")
    assert [row["action"] for row in json.loads(channel("channel", "fault", "C", "--format", "json").out)] == [
        "break",
        "slow",
    ]
    assert channel("channel", "fault", "C", "--clear").out == "3 faults removed\n"
    assert channel("channel", "fault", "--clear").out == "1 fault removed\n"
    assert channel("channel", "fault").err == "mqsc: no fault is set\n"


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("NOPE", "break", "--at", "S1"), 10, "AMQ8227E"),
        (("R", "break", "--at", "S1"), 10, "AMQ9502E"),
        (("C", "burn", "--at", "S1"), 20, "'break', 'slow', 'down'"),
        (("C", "break"), 20, "break needs --at STEP"),
        (("C", "break", "--at", "S9"), 20, "'S9' is not a step; use S1,"),
        (("C", "break", "--at", "S3:1"), 20, "S3 happens once a batch"),
        (("C", "break", "--at", "S1:0"), 20, "'0' is not the number of a message"),
        (("C", "break", "--at", "S1:-1"), 20, "'-1' is not the number of a message"),
        (("C", "break", "--at", "S1:"), 20, "'' is not the number of a message"),
        (("C", "slow", "--at", "S1"), 20, "slow needs a number of milliseconds"),
        (("C", "slow", "-5", "--at", "S1"), 20, "'-5' is too short"),
        (("C", "slow", "0", "--at", "S1"), 20, "'0' is too short"),
        (("C", "slow", "5 years", "--at", "S1"), 20, "is not a length of time"),
        (("C", "break", "5", "--at", "S1"), 20, "break takes no MS"),
        (("C", "break", "--at", "S1", "--times", "0"), 20, "--times"),
        (("C", "break", "--at", "S1", "--times", "-1"), 20, "--times"),
        (("C", "break", "--at", "S1", "--for", "-5s"), 20, "is not a length of time"),
        (("C", "break", "--at", "S1", "--for", "0s"), 20, "longer than 0"),
        (("C", "break", "--at", "S1", "--for", "5s", "--times", "2"), 20, "not both"),
        (("C", "--at", "S1"), 20, "Missing ACTION"),
        (("C", "break", "--at", "S1", "--clear"), 20, "--clear"),
    ],
)
def test_bad_input(channel: Command, arguments: tuple[str, ...], code: int, told: str) -> None:
    ended = channel("channel", "fault", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert told in ended.err
    assert channel("channel", "fault").out == ""


def test_faults_go_with_their_queue_manager(channel: Command) -> None:
    channel("channel", "fault", "C", "down")
    channel("qmgr", "end", "QM1")
    assert channel("channel", "fault").lines[1:] == ["C        any step  down    -      -"]
    channel("qmgr", "delete", "QM1")
    channel("qmgr", "create", "QM1")
    assert channel("channel", "fault").out == ""
