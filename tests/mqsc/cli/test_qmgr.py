"""`mqsc qmgr` and `mqsc clock`."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command


def test_a_life(mqsc: Command) -> None:
    assert mqsc("qmgr", "create", "QM1").lines == [
        "AMQ8001I: IBM MQ queue manager 'QM1' created.",
        "AMQ8003I: IBM MQ queue manager 'QM1' started.",
    ]
    assert mqsc("qmgr", "create", "QM2", "--clock", "manual").code == 0
    listed = json.loads(mqsc("qmgr", "list", "--format", "json").out)
    assert [(row["name"], row["state"], row["default"], row["clock"]) for row in listed] == [
        ("QM1", "RUNNING", "yes", "system"),
        ("QM2", "RUNNING", "no", "manual"),
    ]
    assert mqsc("qmgr", "end", "QM2").lines == ["AMQ8004I: IBM MQ queue manager 'QM2' ended."]
    assert mqsc("qmgr", "list").lines[2].split()[:4] == ["QM2", "ENDED", "no", "manual"]
    assert mqsc("qmgr", "start", "QM2").lines == ["AMQ8003I: IBM MQ queue manager 'QM2' started."]
    again = mqsc("qmgr", "start", "QM2")
    assert (again.code, again.err) == (0, "mqsc: QM2 is running already\n")
    mqsc("qmgr", "end", "QM2", "--immediate")
    assert mqsc("qmgr", "delete", "QM2").lines == ["AMQ8002I: IBM MQ queue manager 'QM2' deleted."]
    assert mqsc("qmgr", "delete", "QM2").code == 20


def test_another_default(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2", "--default")
    assert "Starting MQSC for queue manager QM2." in mqsc("run", "-c", "PING QMGR").lines


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("qmgr", "create", "QM1"), 10, "AMQ8110E: IBM MQ queue manager 'QM1' already exists."),
        (("qmgr", "create", "no good"), 20, "cannot be a queue manager"),
        (("qmgr", "delete", "QM1"), 10, "QM1 is running; `mqsc qmgr end QM1` ends it"),
        (("qmgr", "end", "QM9"), 20, "AMQ8118E"),
        (("qmgr", "creat", "QM3"), 20, "No such command 'creat'; did you mean create?"),
        (("qmgr", "frobnicate"), 20, "No such command 'frobnicate'."),
        (("qmgr", "define"), 20, "No such command 'define'."),
        (("putt", "Q", "x"), 20, "No such command 'putt'; did you mean put?"),
        (("dis", "QLOCAL(*)"), 20, "No such command 'dis'; MQSC is run by `mqsc run -c 'dis QLOCAL(*)'`."),
        (("qmgr", "list", "--store", "."), 20, "is a folder, not a file"),
        (("clock", "advance", "90s"), 10, "QM1 follows real time"),
        (("clock", "advance", "90x"), 20, "90s, 15m, 1h30m, 2d or 250ms"),
        (("clock", "advance", "-5s"), 20, "'-5s' is not a length of time"),
        (("clock", "set", "yesterday"), 20, "2026-03-01T09:00:00"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


@pytest.mark.parametrize("arguments", [("qmgr", "list"), ("qmgr", "start"), ("clock", "show"), ("browse", "A")])
def test_a_missing_store_is_not_made(mqsc: Command, arguments: tuple[str, ...]) -> None:
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (20, "")
    assert "there is no store at" in ended.err


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
        "at": 1772434800000000,
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
        "MQSC0001I: Expired messages discarded: 1 from 1 queue.",
        "AMQ8409I: Display Queue details.",
        "   QUEUE(QUOTES)                           TYPE(QLOCAL)",
        "   CURDEPTH(1)",
        "2 MQSC commands read.",
    ]
