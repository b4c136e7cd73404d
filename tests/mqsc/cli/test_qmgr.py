"""`mqsc qmgr`."""

from __future__ import annotations

import json
from pathlib import Path

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
    assert mqsc("qmgr", "delete", "QM2").code == 10


def test_another_default(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2", "--default")
    assert "Starting MQSC for queue manager QM2." in mqsc("run", "-c", "PING QMGR").lines


def test_a_queue_sharing_group(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    assert mqsc("qmgr", "create", "QM2", "--group", "QSG1").code == 0
    mqsc("qmgr", "end", "QM1")
    assert mqsc("qmgr", "join", "QM1", "QSG1").lines == ["QM1 is a member of QSG1."]
    mqsc("qmgr", "start", "QM1")
    listed = json.loads(mqsc("qmgr", "list", "--format", "json").out)
    assert [(row["name"], row["group"]) for row in listed] == [("QM1", "QSG1"), ("QM2", "QSG1")]
    assert mqsc("qmgr", "list").lines[0].split() == ["NAME", "STATE", "DEFAULT", "CLOCK", "GROUP", "CREATED"]
    assert mqsc("-m", "QM2", "run", "-c", "DISPLAY GROUP").lines[5:12] == [
        "MQSC0034I: Display queue-sharing group details.",
        "   QSGNAME(QSG1)                           QMNAME(QM2)",
        "   NUMBER(1)                               STATUS(ACTIVE)",
        "   CMDLEVEL(942)                           EXPSCAN(NO)",
        "MQSC0034I: Display queue-sharing group details.",
        "   QSGNAME(QSG1)                           QMNAME(QM1)",
        "   NUMBER(2)                               STATUS(ACTIVE)",
    ]
    assert (
        "   QMNAME(QM2)                             QSGNAME(QSG1)"
        in mqsc("-m", "QM2", "run", "-c", "DISPLAY QMGR QSGNAME").lines
    )
    mqsc("qmgr", "end", "QM1")
    assert mqsc("qmgr", "leave", "QM1").lines == ["QM1 has left QSG1."]
    assert "Starting MQSC for queue manager QM2." in mqsc("-m", "QSG1", "run", "-c", "PING QMGR").lines
    mqsc("qmgr", "end", "QM2")
    none = mqsc("-m", "QSG1", "put", "Q", "text")
    assert (none.code, none.err[:57]) == (20, "mqsc: AMQ8146E: no member of QSG1 is running; start one w")


def test_a_command_for_all_members(mqsc: Command) -> None:
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name, "--group", "QSG1")
    command = "DISPLAY QMGR MAXHANDS CMDSCOPE(*)"
    lines = [line for line in mqsc("run", "-c", command).lines if "MQSC0030I" in line or "MAXHANDS(" in line]
    assert lines == [
        "MQSC0030I: Reply of queue manager QM1.",
        "   QMNAME(QM1)                             MAXHANDS(256)",
        "MQSC0030I: Reply of queue manager QM2.",
        "   QMNAME(QM2)                             MAXHANDS(256)",
    ]
    quiet = mqsc("--quiet", "run", "-c", f"{command}\nALTER QMGR DESCR(X) CMDSCOPE(*)").out
    assert (quiet.count("MAXHANDS(256)"), quiet.count("AMQ8005I")) == (2, 0)
    [reply] = json.loads(mqsc("run", "--format", "json", "-c", command).out)
    assert [(row["qmgr"], row["MAXHANDS"]) for row in reply["rows"]] == [("QM1", 256), ("QM2", 256)]


SHARED = "DEFINE CFSTRUCT(APPL1)\nDEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1) MAXDEPTH(7)\n"


def test_shared_queues_are_exported_and_compared(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1", "--group", "QSG1")
    (tmp_path / "shared.mqsc").write_text(SHARED, encoding="utf-8")
    assert mqsc("run", "--plan", "shared.mqsc").code == 2
    assert mqsc("run", "shared.mqsc").code == 0
    exported = mqsc("export").out
    assert "DEFINE QLOCAL('SQ') CFSTRUCT('APPL1') MAXDEPTH(7) QSGDISP(SHARED)" in exported
    (tmp_path / "exported.mqsc").write_text(exported, encoding="utf-8")
    assert mqsc("diff", "exported.mqsc").code == 0
    assert mqsc("run", "--plan", "exported.mqsc").code == 0
    mqsc("run", "-c", "DELETE QLOCAL(SQ) QSGDISP(SHARED)")
    assert mqsc("diff", "exported.mqsc").code == 2
    assert mqsc("run", "exported.mqsc").code == 0
    assert "QSGDISP(SHARED)" in mqsc("run", "-c", "DISPLAY QLOCAL(SQ)").out
    assert mqsc("check", "shared.mqsc").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (
            ("create", "QM4", "--group", "QSG2"),
            10,
            "MQSC0035E: The rules of queue-sharing groups do not allow this: the",
        ),
        (("create", "QM4", "--group", "bad"), 10, "use 1 to 4 of A-Z"),
        (("create", "QSG1"), 10, "QSG1 is the name of the queue-sharing group of the store"),
        (("create", "QM4", "--group", ""), 20, "--group: the name is empty"),
        (("delete", "QM1"), 10, "take it out first with `mqsc qmgr leave QM1`"),
        (("leave", "QM1"), 10, "QM1 has not ended; end it first with `mqsc qmgr end QM1`, with --immediate if"),
        (("join", "QM1", "QSG1"), 10, "QM1 belongs to QSG1 already"),
        (("join", "QM9", "QSG1"), 10, "AMQ8118E"),
        (("end", "QSG1"), 20, "QSG1 is a queue-sharing group; name one of its members: QM1"),
    ],
)
def test_refusals_of_groups(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1", "--group", "QSG1")
    ended = mqsc("qmgr", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err
    assert [row["name"] for row in json.loads(mqsc("qmgr", "list", "--format", "json").out)] == ["QM1"]


def test_a_group_none_of_whose_members_runs(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--group", "QSG1")
    mqsc("qmgr", "end", "QM1")
    ended = mqsc("put", "-m", "QSG1", "SQ", "x")
    assert ended.code == 20
    assert "AMQ8146E: no member of QSG1 is running; start one with `mqsc qmgr start`: QM1" in ended.err
    assert "QSG1 is a queue-sharing group; name one of its members: QM1" in mqsc("serve", "QSG1").err
    mqsc("qmgr", "leave", "QM1")
    assert "AMQ8146E: QSG1 has no members; `mqsc qmgr join` adds one" in mqsc("put", "-m", "QSG1", "SQ", "x").err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("qmgr", "create", "QM1"), 10, "AMQ8110E: IBM MQ queue manager 'QM1' already exists."),
        (("qmgr", "create", "no good"), 20, "is not a valid queue manager name"),
        (("qmgr", "delete", "QM1"), 10, "QM1 is running; end it first with `mqsc qmgr end QM1`"),
        (("qmgr", "end", "QM9"), 10, "AMQ8118E"),
        (("qmgr", "creat", "QM3"), 20, "No such command 'creat'; did you mean create?"),
        (("qmgr", "frobnicate"), 20, "No such command 'frobnicate'."),
        (("qmgr", "define"), 20, "No such command 'define'."),
        (("qmgr", "list", "--store", "."), 20, "is a folder, not a file"),
        (("qmgr", "list", "--store", "/dev/null"), 20, "/dev/null is a device or pipe, not a file"),
        (("qmgr", "list", "--store", "sqlite:a.db"), 20, "'sqlite:a.db' is not the address of a store"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_a_start_names_the_copies_that_could_not_follow(mqsc: Command) -> None:
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name, "--group", "QSG1")
    mqsc("-m", "QM2", "run", "-c", "DEFINE QLOCAL(G)")
    mqsc("qmgr", "end", "QM2")
    mqsc("-m", "QM1", "run", "-c", "DEFINE QLOCAL(G) QSGDISP(GROUP)")
    line = "MQSC0032W: QM2: G not refreshed: it has one of its own.\n"
    started = mqsc("qmgr", "start", "QM2")
    assert (started.code, started.err) == (0, line)
    mqsc("qmgr", "end", "QM2")
    assert mqsc("strmqm", "QM2").err == line
