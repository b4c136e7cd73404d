"""`mqsc clock`."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("clock", "advance", "90s"), 10, "QM1 follows real time"),
        (("clock", "advance", "90x"), 20, "90s, 15m, 1h30m, 2d, 250ms"),
        (("clock", "advance", "-5s"), 20, "'-5s' is not a length of time"),
        (("clock", "set", "yesterday"), 20, "2026-03-01T09:00:00"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_a_manual_clock(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    assert mqsc("clock", "set", "2026-03-02T09:00:00").lines == ["2026-03-02T09:00:00Z manual"]
    for span, becomes in (
        ("90s", "2026-03-02T09:01:30Z"),
        ("1h30m", "2026-03-02T10:31:30Z"),
        ("2d", "2026-03-04T10:31:30Z"),
        ("250ms", "2026-03-04T10:31:30.250000Z"),
        ("0.75s", "2026-03-04T10:31:31Z"),
    ):
        assert mqsc("clock", "advance", span).lines == [f"{becomes} manual"]
    mqsc("clock", "set", "2026-03-02T09:00:00+02:00")
    assert json.loads(mqsc("clock", "show", "--format", "jsonl").out) == {
        "qmgr": "QM1",
        "now": "2026-03-02T07:00:00Z",
        "clock": "manual",
    }


def test_messages_expire_on_the_clock_that_is_moved(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("run", "-c", "DEFINE QLOCAL(QUOTES)")
    mqsc("put", "QUOTES", "old", "--expiry", "600")
    mqsc("put", "QUOTES", "kept")
    mqsc("clock", "advance", "90s")
    ended = mqsc("run", "-e", "-c", "REFRESH QMGR TYPE(EXPIRY) NAME(QUO*)", "-c", "DISPLAY QLOCAL(QUOTES) CURDEPTH")
    assert ended.lines[4:9] == [
        "MQSC0001I: Expired messages discarded: 1 from 1 queue (QUOTES 1).",
        "AMQ8409I: Display Queue details.",
        "   QUEUE(QUOTES)                           TYPE(QLOCAL)",
        "   CURDEPTH(1)",
        "2 MQSC commands read.",
    ]
