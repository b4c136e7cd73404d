"""`crtmqm`, `strmqm`, `endmqm`, `dltmqm`, `dspmq` with the arguments of IBM's commands."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from store import MQError, open_store
from store.catalog import SYSTEM_OBJECTS
from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc
# As in output found on the web: the second field begins in column 59.
RUNNING = f"{'QMNAME(QM1)':<58}STATUS(Running)"
ENDING = ["IBM MQ queue manager 'QM1' ending.", "IBM MQ queue manager 'QM1' ended."]
QUIESCE = "Quiesce request accepted. The queue manager will stop when all outstanding work is complete."
ENDED = f"{'QMNAME(QM1)':<58}STATUS(Ended immediately)"


def test_a_queue_manager_comes_and_goes(mqsc: Command) -> None:
    """The complete output, command by command."""
    steps: list[tuple[tuple[str, ...], int, list[str]]] = [
        (
            ("crtmqm", "QM1"),
            0,
            [
                "IBM MQ queue manager 'QM1' created.",
                "Creating or replacing default objects for queue manager 'QM1'.",
                f"Default objects statistics : {len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.",
                "Completing setup.",
                "Setup completed.",
            ],
        ),
        (("dspmq",), 0, [ENDED]),
        (("strmqm", "QM1"), 0, ["IBM MQ queue manager 'QM1' starting.", "IBM MQ queue manager 'QM1' started."]),
        (("strmqm",), 0, ["IBM MQ queue manager 'QM1' running."]),
        (("dspmq", "-m", "QM1"), 0, [RUNNING]),
        (("dspmq", "-o", "all"), 0, [f"{RUNNING} DEFAULT(yes) STANDBY(Not permitted)"]),
        (("dspmq", "-o", "default"), 0, [f"{RUNNING[:58]}DEFAULT(yes)"]),
        (("dspmq", "-a", "-n", "-o", "status", "-o", "d"), 0, [f"{RUNNING} DEFAULT(yes)"]),
        (("dltmqm", "QM1"), 10, []),
        (("endmqm", "-i", "QM1"), 0, ENDING),
        (("dspmq", "-a"), 0, []),
        (("dspmq", "-o", "standby"), 0, [f"{RUNNING[:58]}STANDBY(Not applicable)"]),
        (("dspmq",), 0, [ENDED]),
        (("strmqm",), 0, ["IBM MQ queue manager 'QM1' starting.", "IBM MQ queue manager 'QM1' started."]),
        (("endmqm", "QM1"), 0, ENDING),
        (("dspmq", "-s"), 0, [f"{RUNNING[:58]}STATUS(Ended normally)"]),
        (("endmqm", "QM1"), 20, []),
        (("dltmqm", "QM1"), 0, ["IBM MQ queue manager 'QM1' deleted."]),
        (("dspmq",), 0, []),
    ]
    for arguments, code, lines in steps:
        ended = mqsc(*arguments)
        assert (arguments, ended.code, ended.lines) == (arguments, code, lines)


def test_what_it_is_created_with(mqsc: Command) -> None:
    assert mqsc("crtmqm", "QM1").code == 0
    made = mqsc(
        "crtmqm", "-q", "-lc", "-c", "for orders", "-d", "X", "-u", "DLQ", "-h", "9", "-t", "50", "-x", "7", "QM2"
    )
    assert made.code == 0
    assert mqsc("dspmq", "-o", "d").lines[1].endswith("DEFAULT(yes)")
    mqsc("strmqm", "QM2")
    words = "DESCR DEFXMITQ DEADQ MAXHANDS TRIGINT MAXUMSGS"
    shown = mqsc("run", "-e", "-c", f"DISPLAY QMGR {words}").out
    for each in ("DESCR(for orders)", "DEFXMITQ(X)", "DEADQ(DLQ)", "MAXHANDS(9)", "TRIGINT(50)", "MAXUMSGS(7)"):
        assert each in shown


def test_what_cannot_be_set_up_is_not_left(mqsc: Command) -> None:
    made = mqsc("crtmqm", "-d", "SYSTEM.CLUSTER.TRANSMIT.QUEUE", "QM1")
    assert (made.code, made.out) == (10, "")
    assert "4005" in made.err
    assert mqsc("dspmq").out == ""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("crtmqm",), 20, "a name is missing\nusage: crtmqm"),
        (("crtmqm", "QM1"), 10, "AMQ8110E: IBM MQ queue manager 'QM1' already exists."),
        (("crtmqm", "a b"), 20, "'a b' is not a valid queue manager name"),
        (("crtmqm", "-t", "soon", "QM2"), 20, "-t takes a number, not soon"),
        (("crtmqm", "-x", "0", "QM2"), 20, "-x takes a number from 1 to 999999999"),
        (("crtmqm", "-u", "a b", "QM2"), 20, "-u takes a name"),
        (("crtmqm", "-ll", "QM2"), 20, "crtmqm -ll is not supported: the log is circular"),
        (("crtmqm", "-rr", "p", "QM2"), 20, "crtmqm -rr is not supported: a store is not replicated"),
        (
            ("crtmqm", "-ic", "a.mqsc", "QM2"),
            20,
            "crtmqm -ic is not supported: write its inserts +NAME+ as ${NAME}, then: mqsc run FILE --set",
        ),
        (("crtmqm", "-p", "1414", "QM2"), 20, "crtmqm -p is not supported: there is no listener"),
        (("crtmqm", "-ld", "/log", "QM2"), 20, "crtmqm -ld is not supported"),
        (("strmqm", "-x", "QM1"), 20, "strmqm -x is not supported"),
        (("strmqm", "-d", "all"), 20, "strmqm -d is not supported"),
        (("strmqm", "NONE"), 10, "AMQ8118E"),
        (("endmqm",), 20, "a name is missing"),
        (("endmqm", "-i", "-w", "QM1"), 20, "only one of -c, -i, -p and -w"),
        (("endmqm", "-t", "1", "-tp", "1", "QM1"), 20, "only one of"),
        (("endmqm", "-t", "soon", "QM1"), 20, "-t takes a number, not soon"),
        (("endmqm", "-r", "QM1"), 20, "endmqm -r is not supported"),
        (("endmqm", "NONE"), 10, "AMQ8118E"),
        (("endmqm", "QM1"), 20, "AMQ8146E: IBM MQ queue manager 'QM1' is not available: it is not running."),
        (("dltmqm", "-z", "QM1"), 20, "dltmqm -z is not supported"),
        (("dltmqm", "NONE"), 10, "AMQ8118E"),
        (("dspmq", "-m", "NONE"), 10, "AMQ8118E"),
        (("dspmq", "-o", "installation"), 20, "-o installation is not supported"),
        (("dspmq", "-o", "running"), 20, "-o takes all, default, d, standby, status, s, not running\nusage: dspmq"),
        (("dspmq", "-o", "status", "-o", "ha"), 20, "-o ha is not supported: a store is not replicated"),
        (("dspmq", "-x"), 20, "dspmq -x is not supported"),
        (("dspmq", "QM1"), 20, "unexpected argument QM1"),
    ],
)
def test_refused(mqsc: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    mqsc("crtmqm", "QM1")
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err


def test_system_objects_are_made_anew(mqsc: Command) -> None:
    """strmqm -c resets altered SYSTEM objects to their shipped values and recreates deleted ones."""
    mqsc("crtmqm", "QM1")
    mqsc("strmqm")
    for command in (
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7)",
        "DELETE QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE)",
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('x') ACTION(REPLACE)",
        "DELETE NAMELIST(SYSTEM.DEFAULT.NAMELIST)",
        "DEFINE QALIAS(ALIAS) TARGET(X)",
    ):
        assert mqsc("run", "-c", command).code == 0
    before = {*mqsc("export").lines}
    assert any("MAXDEPTH(7)" in line for line in before)
    assert mqsc("strmqm", "-c").code == 10
    mqsc("endmqm", "QM1")
    made = mqsc("strmqm", "-c")
    count = len(SYSTEM_OBJECTS)
    assert (made.code, made.err) == (0, "")
    assert made.lines[3] == f"Default objects statistics : 2 created. {count - 2} replaced. 0 failed."
    assert made.lines[-2:] == ENDING
    mqsc("strmqm")
    assert [line for line in mqsc("export").lines if "SYSTEM" in line or "CHLAUTH" in line] == []


def test_a_system_object_of_another_type_stays(mqsc: Command) -> None:
    """Neither are the objects recreated that take their defaults from it."""
    mqsc("crtmqm", "QM1")
    mqsc("strmqm")
    name = "SYSTEM.DEFAULT.MODEL.QUEUE"
    assert mqsc("run", "-c", f"DELETE QMODEL({name})", "-c", f"DEFINE QLOCAL({name})").code == 0
    mqsc("endmqm", "QM1")
    made = mqsc("strmqm", "-c")
    assert (made.code, made.lines[-2:]) == (10, ENDING)
    models = sum(1 for each in SYSTEM_OBJECTS if each.kind == "QMODEL")
    assert made.lines[3].endswith(f" replaced. {models} failed.")
    assert f"4002 MQRCCF_OBJECT_WRONG_TYPE ({name})" in made.err


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ("-c", [QUIESCE]),
        ("", [QUIESCE]),
        ("-p", ENDING),
        ("-i", ENDING),
        ("-t 0", ["Waiting for queue manager 'QM1' to end.", *ENDING]),
        ("-c -tp 0", ["Waiting for queue manager 'QM1' to end.", *ENDING]),
    ],
)
def test_ending_while_somebody_is_connected(mqsc: Command, tmp_path: Path, options: str, lines: list[str]) -> None:
    mqsc("crtmqm", "QM1")
    mqsc("strmqm", "QM1")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        connection = store.queue_manager("QM1").connect()
        ended = mqsc("endmqm", *options.split(), "QM1")
        assert (ended.code, ended.lines) == (0, lines)
        assert store.queue_manager("QM1").row().state == ("QUIESCING" if lines == [QUIESCE] else "ENDED")
        broken: AbstractContextManager[Any] = (
            nullcontext() if lines == [QUIESCE] else pytest.raises(MQError, match="2009")
        )
        with broken:
            connection.disconnect()
        assert store.queue_manager("QM1").row().state == "ENDED"


def test_waiting_for_the_end(mqsc: Command, tmp_path: Path) -> None:
    """The last program disconnects while endmqm -w waits for it."""
    mqsc("crtmqm", "QM1")
    mqsc("strmqm", "QM1")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db", "PYTHONUNBUFFERED": "1"}
    code = "from mqsc.ibm.managers import main_endmqm; main_endmqm()"
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        connection = store.queue_manager("QM1").connect()
        command = [sys.executable, "-c", code, "-w", "QM1"]
        program = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        assert program.stdout
        assert program.stdout.readline() == "Waiting for queue manager 'QM1' to end.\n"
        connection.disconnect()
        out, _ = program.communicate()
    assert (program.returncode, out.splitlines()) == (0, ENDING)
