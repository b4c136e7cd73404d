"""`mqsc undo`: changes of definitions are taken back."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

import mqsc as product
from mqsc.console.options import Choices
from mqsc.scripts.apply_run import ApplyOptions, apply_in_order
from mqsc.scripts.planning import plan_in_order
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.conftest import Command
from tests.rows import rows

BEFORE = """DEFINE QLOCAL(A) MAXDEPTH(10) DESCR('it''s one') TRIGGER
DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(A) CONNAME('h(1414)')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(GET,PUT)
SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)
"""


GROUP = """DEFINE CFSTRUCT(APP)
DEFINE QLOCAL(S) QSGDISP(SHARED) CFSTRUCT(APP)
DEFINE QALIAS(T) QSGDISP(GROUP)
"""


@pytest.fixture
def number(mqsc: Command) -> int:
    """The number of the last event after the commands in BEFORE."""
    assert mqsc("run", "-c", BEFORE).code == 0
    return last(mqsc)["seq"]


def last(mqsc: Command) -> dict[str, int]:
    (event,) = json.loads(mqsc("history", "--limit", "1", "--format", "json").out)
    return event  # type: ignore[no-any-return]


@rows(
    "ALTER QLOCAL(A) MAXDEPTH(20) NOTRIGGER DESCR(' ')",
    "ALTER QLOCAL(A) MAXDEPTH(20)\nALTER QLOCAL(A) MAXDEPTH(30) GET(DISABLED)",
    "DELETE QLOCAL(A)",
    "DELETE CHANNEL(C)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)",
    "ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('other') SHORTRTY(3)",
    "DEFINE QALIAS(B) TARGET(A)\nDEFINE QLOCAL(A) REPLACE\nDELETE QALIAS(B)\nDEFINE QLOCAL(B)",
    "ALTER QMGR DEADQ(A) MAXHANDS(9)\nALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(3)",
    "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHRMV(PUT)",
    "SET AUTHREC PROFILE(B) OBJTYPE(QUEUE) GROUP('all') AUTHADD(BROWSE)",
    "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS) ACTION(REPLACE)",
    "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.*') ACTION(REMOVE)",
    "SET CHLAUTH(D) TYPE(BLOCKUSER) USERLIST('x','y')",
    "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('x')",
    "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('x')\nSET CHLAUTH('*') TYPE(BLOCKUSER) "
    "USERLIST('y') DESCR('new')",
)
def test_what_was_since_a_time_is_undone(mqsc: Command, number: int, script: str) -> None:
    was = mqsc("export", "--all").out
    assert mqsc("run", "-c", script).code == 0
    changed = mqsc("export", "--all").out
    assert changed != was
    events = json.loads(
        mqsc("history", "--kind", "DEFINE,ALTER,SET,DELETE", "--format", "json").out,
    )
    since = min(each["at"] for each in events if each["seq"] > number)
    assert mqsc("undo", since, "--plan").code == 2
    assert mqsc("export", "--all").out == changed
    assert mqsc("undo", since, "--yes").code == 0
    assert mqsc("export", "--all").out == was


def test_a_record_that_was_set_as_it_was_and_one_of_several_that_was_removed(
    mqsc: Command,
    number: int,
) -> None:
    mqsc("run", "-c", "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(PUT)")
    ended = mqsc("undo", str(number + 1), "--plan")
    assert (ended.code, ended.out, "AUTHREC A set" in ended.err) == (10, "", True)
    mqsc("run", "-c", "SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST('x')")
    was = mqsc("export", "--all").out
    commands = ("SET CHLAUTH(C) TYPE(BLOCKUSER) ACTION(REMOVEALL)", "DELETE QLOCAL(A)")
    for command, is_named in itertools.product(commands, (False, True)):
        event = [str(last(mqsc)["seq"] + 1)] if is_named else []
        assert mqsc("run", "-c", command).code == 0
        assert (mqsc("undo", *event, "--yes").code, mqsc("export", "--all").out) == (0, was)


def test_one_change_and_its_undo(mqsc: Command, number: int) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(A) MAXDEPTH(20)", "-c", "ALTER QLOCAL(A) GET(DISABLED)")
    ended = mqsc("undo", str(number + 1), "--yes")
    assert ended.lines[-1].split() == ["MAXDEPTH", "20", "->", "10"]
    assert f"event {number + 1} of " in ended.err
    (row,) = json.loads(
        mqsc("run", "-e", "-c", "DISPLAY QLOCAL(A) MAXDEPTH GET", "--format", "json").out,
    )[0]["rows"]
    assert (row["MAXDEPTH"], row["GET"]) == (10, "DISABLED")
    # The last change is now the undo.
    assert mqsc("undo", "--yes").lines[-1].split() == ["MAXDEPTH", "10", "->", "20"]


def test_a_later_change_of_the_same_attribute_is_in_the_way(mqsc: Command, number: int) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(A) MAXDEPTH(20)", "-c", "ALTER QLOCAL(A) MAXDEPTH(30)")
    ended = mqsc("undo", str(number + 1), "--yes")
    assert (ended.code, ended.out) == (10, "")
    assert (
        f"MAXDEPTH of QLOCAL(A) is 30 now, and event {number + 1} made it 20: undo what changed it "
        "later" in ended.err
    )


def test_a_later_change_of_the_same_record_is_in_the_way(mqsc: Command, number: int) -> None:
    mqsc("run", "-c", "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(SET)")
    mqsc("run", "-c", "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHRMV(PUT)")
    ended = mqsc("undo", str(number + 1), "--yes")
    assert (ended.code, ended.out, "undo what changed it later" in ended.err) == (10, "", True)


@rows(
    ("1", 10, "event 1 is: "),
    ("99999999999", 10, "event 99999999999 is not in the history"),
    ("nonsense", 20, "'nonsense' is not a time"),
    (
        "2999-01-01",
        10,
        "since then the history has no DEFINE, ALTER, DELETE or SET",
    ),
)
def test_what_cannot_be_undone(
    mqsc: Command,
    number: int,
    which: str,
    code: int,
    says: str,
) -> None:
    ended = mqsc("undo", which, "--yes")
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_a_queue_with_messages_stays(mqsc: Command, number: int, tmp_path: Path) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(NEW)")
    mqsc("put", "NEW", "x")
    ended = mqsc("undo", "--yes")
    assert ended.code == 10
    assert "NEW" in ended.out + ended.err
    assert mqsc("get", "NEW").out == "x\n"


def test_without_a_terminal_a_plan_is_shown_and_nothing_changed(mqsc: Command, number: int) -> None:
    ended = mqsc("undo")
    assert ended.code == 20
    assert "--yes" in ended.err


def test_a_secret_stays_as_it_is(mqsc: Command, number: int) -> None:
    alter = "ALTER CHANNEL(C) CHLTYPE(SDR) USERID('u') PASSWORD('geheim'){}"
    mqsc("run", "-c", alter.format(" DESCR('x')"))
    ended = mqsc("undo", "--yes")
    assert ended.code == 0
    assert "PASSWORD: not undone, the history has no secrets" in ended.err
    assert [line.split()[0] for line in ended.lines[1:]] == ["DESCR", "USERID"]
    mqsc("run", "-c", "ALTER CHANNEL(C) CHLTYPE(SDR) PASSWORD('other')")
    nothing = mqsc("undo", "--yes")
    assert (nothing.code, nothing.out) == (10, "")
    assert "nothing was undone: only secrets were changed" in nothing.err
    assert "geheim" not in ended.out + mqsc("blame", "CHANNEL(C)").out


def test_objects_of_a_queue_sharing_group(mqsc: Command) -> None:
    mqsc("qmgr", "create", "M1", "--group", "G")
    mqsc("run", "-m", "M1", "-c", GROUP)
    was = mqsc("export", "-m", "M1").out
    for command in (
        "DELETE QALIAS(T) QSGDISP(GROUP)",
        "ALTER QLOCAL(S) QSGDISP(SHARED) DESCR('x')",
        "ALTER QALIAS(T) QSGDISP(GROUP) DESCR('x')",
        "DEFINE QALIAS(U) QSGDISP(GROUP)",
    ):
        assert mqsc("run", "-m", "M1", "-c", command).code == 0, command
        assert mqsc("undo", "-m", "M1", "--yes").code == 0, command
        assert mqsc("export", "-m", "M1").out == was, command


def test_definitions_that_change_meanwhile_are_left_alone(qmgr: QueueManager) -> None:
    product.run(qmgr, "DEFINE QLOCAL(A)\nALTER QLOCAL(A) MAXDEPTH(7)")
    plan = plan_in_order(qmgr, ["ALTER QLOCAL(A) MAXDEPTH(5000)"], qmgr.store.bound().seq)
    product.run(qmgr, "ALTER QLOCAL(A) DESCR('of another program')")
    assert apply_in_order(Choices(quiet=True), qmgr, plan, ApplyOptions(yes=True)) == 10
    assert product.run(qmgr, "DISPLAY QLOCAL(A) MAXDEPTH")[0].rows[0]["MAXDEPTH"] == 7


@rows(
    (1, "1 message that was deleted with it does not come back"),
    (3, "3 messages that were deleted with it do not come back"),
)
def test_messages_that_do_not_come_back_are_counted(mqsc: Command, number: int, said: str) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A)", "-c", "DEFINE QLOCAL(B)")
    mqsc("put", "A", *["x"] * number)
    mqsc("run", "-c", "DELETE QLOCAL(A) PURGE")
    assert [line.strip() for line in mqsc("undo", "--plan").lines][-1] == said
    (planned,) = json.loads(mqsc("undo", "--plan", "--format", "json").out)
    assert (planned["action"], planned["warnings"]) == ("CREATE", [said])
    done = mqsc("undo", "--yes").lines
    assert (done[0].split()[0], done[-1].strip()) == ("CREATED", said)
    mqsc("run", "-c", "DELETE QLOCAL(B)")
    assert "come back" not in mqsc("undo", "--yes").out


def test_messages_of_several_lives_that_do_not_come_back(mqsc: Command, number: int) -> None:
    for _ in range(2):
        mqsc("put", "A", "x", "y")
        mqsc("run", "-c", "DELETE QLOCAL(A) PURGE", "-c", "DEFINE QLOCAL(A)")
    mqsc("run", "-c", "DELETE QLOCAL(A)")
    assert (
        "4 messages that were deleted with it do not come back" in mqsc("undo", "1h", "--yes").out
    )
