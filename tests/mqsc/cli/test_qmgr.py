"""`mqsc qmgr`."""

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
        ("QM1", "RUNNING", True, "system"),
        ("QM2", "RUNNING", False, "manual"),
    ]
    assert mqsc("qmgr", "end", "QM2").lines == ["AMQ8004I: IBM MQ queue manager 'QM2' ended."]
    assert mqsc("qmgr", "list").lines[2].split()[:4] == ["QM2", "ENDED", "no", "manual"]
    assert mqsc("qmgr", "start", "QM2").lines == ["AMQ8003I: IBM MQ queue manager 'QM2' started."]
    again = mqsc("qmgr", "start", "QM2")
    assert (again.code, again.err) == (0, "mqsc: QM2 is already running\n")
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
        (("qmgr", "create", "no good"), 20, "is not a valid queue manager name"),
        (("qmgr", "delete", "QM1"), 10, "QM1 is running; end it first with `mqsc qmgr end QM1`"),
        (("qmgr", "end", "QM9"), 20, "AMQ8118E"),
        (("qmgr", "creat", "QM3"), 20, "No such command 'creat'; did you mean create?"),
        (("qmgr", "frobnicate"), 20, "No such command 'frobnicate'."),
        (("qmgr", "define"), 20, "No such command 'define'."),
        (("qmgr", "list", "--store", "."), 20, "is a folder, not a file"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err
