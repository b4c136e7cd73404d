"""`crtmqm`, `strmqm`, `endmqm`, `dltmqm`, `runmqdlq` with the arguments of IBM's commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from mqsc.store import MQError, open_store
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.peeking import peek
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter
from tests.rows import rows

mqsc = conftest.mqsc
# As in output found on the web: the second field begins in column 59.
RUNNING = f"{'QMNAME(QM1)':<58}STATUS(Running)"
ENDING = ["IBM MQ queue manager 'QM1' ending.", "IBM MQ queue manager 'QM1' ended."]
QUIESCE = (
    "Quiesce request accepted. The queue manager will stop when all outstanding work is complete."
)
ENDED = f"{'QMNAME(QM1)':<58}STATUS(Ended immediately)"


STARTED = [
    "IBM MQ queue manager 'QM1' starting.",
    "IBM MQ queue manager 'QM1' started using V9.4.2.0.",
]
CREATED = [
    *(
        "IBM MQ queue manager 'QM1' created.",
        "Creating or replacing default objects for queue manager 'QM1'.",
    ),
    f"Default objects statistics : {len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.",
    *("Completing setup.", "Setup completed."),
]
# A command, its exit code and its whole output, one after the other.
STEPS: list[tuple[str, int, list[str]]] = [
    ("crtmqm QM1", 0, CREATED),
    ("dspmq", 0, [ENDED]),
    ("strmqm QM1", 0, STARTED),
    ("strmqm", 5, ["IBM MQ queue manager 'QM1' running."]),
    ("dspmq -m QM1", 0, [RUNNING]),
    ("dspmq -o default", 0, [f"{RUNNING[:58]}DEFAULT(yes)"]),
    ("dspmq -a -o status -o d", 5, [f"{RUNNING} DEFAULT(yes)"]),
    ("dltmqm QM1", 5, []),
    ("endmqm -i QM1", 0, ENDING),
    ("dspmq -a", 5, []),
    ("dspmq -o standby", 0, [f"{RUNNING[:58]}STANDBY(Not applicable)"]),
    ("dspmq", 0, [ENDED]),
    ("strmqm", 0, STARTED),
    ("endmqm QM1", 0, ENDING),
    ("dspmq -s", 0, [f"{RUNNING[:58]}STATUS(Ended normally)"]),
    ("endmqm QM1", 40, []),
    ("dltmqm QM1", 0, ["IBM MQ queue manager 'QM1' deleted."]),
    ("dspmq", 0, []),
]


def test_a_queue_manager_comes_and_goes(mqsc: Command) -> None:
    for step in STEPS:
        ended = mqsc(*step[0].split())
        assert (step[0], ended.code, ended.lines) == step


def test_what_it_is_created_with(mqsc: Command) -> None:
    """What cannot be set up is not left."""
    made = mqsc("crtmqm", "-d", "SYSTEM.CLUSTER.TRANSMIT.QUEUE", "QM1")
    assert (made.code, made.out, "3269" in made.err, mqsc("dspmq").out) == (71, "", True, "")
    assert mqsc("crtmqm", "QM1").code == 0
    assert (
        mqsc("crtmqm", "-c", "for orders", *"-q -lc -d X -u DLQ -h 9 -t 50 -x 7 QM2".split()).code
        == 0
    )
    assert mqsc("dspmq", "-o", "d").lines[1].endswith("DEFAULT(yes)")
    mqsc("strmqm", "QM2")
    shown = mqsc(
        "run",
        "-e",
        "-c",
        "DISPLAY QMGR DESCR DEFXMITQ DEADQ MAXHANDS TRIGINT MAXUMSGS",
    ).out
    for each in (
        "DESCR(for orders)",
        "DEFXMITQ(X)",
        "DEADQ(DLQ)",
        "MAXHANDS(9)",
        "TRIGINT(50)",
        "MAXUMSGS(7)",
    ):
        assert each in shown


# Objects that start with their queue manager, and what DISPLAY shows of them after `strmqm`.
AUTOMATIC = """DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)
DEFINE LISTENER(ONCE) TRPTYPE(TCP) CONTROL(STARTONLY)
DEFINE SERVICE(S) SERVTYPE(SERVER) STARTCMD('/bin/s') CONTROL(QMGR)
"""
RUNNING_OBJECTS = """DISPLAY LSSTATUS(*) STATUS
DISPLAY SVSTATUS(*) STATUS
DISPLAY QMSTATUS CMDSERV
"""


@rows(
    ("strmqm QM1", ["LISTENER(L)", "LISTENER(ONCE)", "SERVICE(S)", "CMDSERV(RUNNING)"]),
    ("strmqm -ns QM1", ["CMDSERV(STOPPED)"]),
    ("strmqm -ns -z QM1", ["CMDSERV(STOPPED)"]),
)
def test_what_starts_with_a_queue_manager(mqsc: Command, line: str, started: list[str]) -> None:
    """Nothing with -ns; each start decides anew, and what -ns has left out can be started."""
    mqsc("qmgr", "create", "QM1")
    assert mqsc("runmqsc", "QM1", stdin=AUTOMATIC.encode()).code == 0
    for command in ("endmqm -i QM1", "strmqm QM1", "endmqm -i QM1"):
        mqsc(*command.split())
    ended = mqsc(*line.split())
    assert (ended.code, ended.err) == (0, "")
    shown = mqsc("runmqsc", "QM1", stdin=RUNNING_OBJECTS.encode()).out
    names = ("LISTENER(L)", "LISTENER(ONCE)", "SERVICE(S)", "CMDSERV(RUNNING)", "CMDSERV(STOPPED)")
    assert [name for name in names if name in shown] == started
    if "-ns" in line:
        by_hand = b"START LISTENER(L)\nSTART SERVICE(S)\nSTART CMDSERV\n"
        assert mqsc("runmqsc", "QM1", stdin=by_hand).code == 0


def test_a_port_makes_a_listener(mqsc: Command) -> None:
    """It starts with its queue manager, which was not started by `crtmqm`."""
    made = mqsc("crtmqm", "-p", "1415", "QM1")
    assert (made.code, made.err) == (0, "")
    assert ENDED in mqsc("dspmq").lines
    assert mqsc("strmqm", "QM1").code == 0
    shown = mqsc("runmqsc", "QM1", stdin=b"DISPLAY LISTENER(*) ALL\nDISPLAY LSSTATUS(*) PORT\n").out
    of_port = shown[shown.index("LISTENER(SYSTEM.LISTENER.TCP.1)") :]
    assert all(word in of_port for word in ("PORT(1415)", "CONTROL(QMGR)", "TRPTYPE(TCP)"))
    assert "AMQ8631I" in shown
    exported = mqsc("dmpmqcfg", "-m", "QM1", "-o", "1line").out
    assert "DEFINE LISTENER(SYSTEM.LISTENER.TCP.1)" in exported.replace("'", "")


@rows("crtmqm -p 65536 QM1", "crtmqm -p 0 QM1", "crtmqm -p x QM1", "crtmqm -p -1 QM1")
def test_what_is_no_port(mqsc: Command, line: str) -> None:
    """Nothing is made."""
    ended = mqsc(*line.split())
    assert (ended.code, ended.out, "-p " in ended.err) == (39, "", True)
    assert mqsc("dspmq").out == ""


def test_system_objects_are_made_anew(mqsc: Command) -> None:
    """strmqm -c resets altered SYSTEM objects to their shipped values and recreates deleted
    ones.
    """
    mqsc("crtmqm", "QM1")
    mqsc("strmqm")
    commands = (
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7)",
        "DELETE QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE)",
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('x') ACTION(REPLACE)",
        "DELETE NAMELIST(SYSTEM.DEFAULT.NAMELIST)",
        "DEFINE QALIAS(ALIAS) TARGET(X)",
    )
    assert mqsc("run", *(f"-c{command}" for command in commands)).code == 0
    assert any("MAXDEPTH(7)" in line for line in mqsc("export").lines)
    assert mqsc("strmqm", "-c").code == 5
    mqsc("endmqm", "QM1")
    made = mqsc("strmqm", "-c")
    assert (made.code, made.err, made.lines[-2:]) == (0, "", ENDING)
    assert (
        made.lines[3]
        == f"Default objects statistics : 2 created. {len(SYSTEM_OBJECTS) - 2} replaced. 0 failed."
    )
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
    assert (made.code, made.lines[-2:]) == (71, ENDING)
    models = sum(1 for each in SYSTEM_OBJECTS if each.kind == "QMODEL")
    assert made.lines[3].endswith(f" replaced. {models} failed.")
    assert f"4002 MQRCCF_OBJECT_WRONG_TYPE ({name})" in made.err


@rows(
    ("-c", [QUIESCE]),
    ("", [QUIESCE]),
    ("-p", ENDING),
    ("-i", ENDING),
    ("-t 0", ["Waiting for queue manager 'QM1' to end.", *ENDING]),
    ("-c -tp 0", ["Waiting for queue manager 'QM1' to end.", *ENDING]),
)
def test_ending_while_somebody_is_connected(
    mqsc: Command,
    tmp_path: Path,
    options: str,
    lines: list[str],
) -> None:
    mqsc("crtmqm", "QM1")
    mqsc("strmqm", "QM1")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        connection = store.queue_manager("QM1").connect()
        ended = mqsc("endmqm", *options.split(), "QM1")
        assert (ended.code, ended.lines) == (0, lines)
        assert store.queue_manager("QM1").row().state == (
            "QUIESCING" if lines == [QUIESCE] else "ENDED"
        )
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
    environment = {
        **os.environ,
        "MQSC_STORE": f"sqlite:///{tmp_path}/store.db",
        "PYTHONUNBUFFERED": "1",
    }
    code = "from mqsc.start import endmqm; endmqm()"
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        connection = store.queue_manager("QM1").connect()
        command = [sys.executable, "-c", code, "-w", "QM1"]
        program = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        assert program.stdout
        assert program.stdout.readline() == "Waiting for queue manager 'QM1' to end.\n"
        connection.disconnect()
        out, _ = program.communicate()
    assert (program.returncode, out.splitlines()) == (0, ENDING)


TABLE = b"WAIT(NO)\nACTION(DISCARD)\n"
QUEUES = ("DLQ", "OTHER")


@pytest.fixture
def opened(tmp_path: Path, mqsc: Command) -> Iterator[Store]:
    """QM1 and QM2, each with a dead letter on DLQ, its DEADQ, and one on OTHER."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        for name in ("QM1", "QM2"):
            qmgr = store.create_queue_manager(name)
            for queue in QUEUES:
                create(qmgr, KINDS["QLOCAL"], queue, {})
                with qmgr.connect() as connection:
                    connection.put1(queue, dead_letter("x", 1))
            change_queue_manager(qmgr, {"DEADQ": "DLQ"})
        yield store


def emptied(store: Store) -> list[tuple[str, str]]:
    """Return (queue manager, queue) of the queues that are empty now."""
    both = [(name, queue) for name in ("QM1", "QM2") for queue in QUEUES]
    return [
        (name, queue) for name, queue in both if not list(peek(QueueManager(store, name), queue))
    ]


@rows(
    ((), b"", "QM1", "DLQ"),
    (("OTHER",), b"", "QM1", "OTHER"),
    (("OTHER", "QM2"), b"", "QM2", "OTHER"),
    (("OTHER", " "), b"INPUTQM(QM9) ", "QM1", "OTHER"),
    ((" ",), b"INPUTQ(OTHER) ", "QM1", "DLQ"),  # T29
    ((), b"INPUTQ(OTHER) INPUTQM(QM2) ", "QM2", "OTHER"),
    (("OTHER",), b"INPUTQM(QM2) ", "QM2", "OTHER"),
    (("OTHER", "QM2"), b"INPUTQ(DLQ) INPUTQM(QM9) ", "QM2", "OTHER"),
)
def test_names(
    mqsc: Command,
    opened: Store,
    arguments: tuple[str, ...],
    control: bytes,
    qmgr: str,
    queue: str,
) -> None:
    ended = mqsc("runmqdlq", *arguments, stdin=control + TABLE)
    assert (ended.code, emptied(opened)) == (0, [(qmgr, queue)])
    assert f"INPUTQ({queue})." in ended.out


def test_messages_have_the_layout_of_runmqdlq(
    mqsc: Command,
    opened: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Date and time, then the id with its severity letter, which a setting removes, as for
    runmqsc.
    """
    lines = mqsc("runmqdlq", "DLQ", "QM1", stdin=TABLE).lines
    time = r"\d\d/\d\d/\d\d  \d\d:\d\d:\d\d  "
    started = r"AMQ8708I: Dead-letter queue handler started to process INPUTQ\(DLQ\)\."
    assert re.fullmatch(time + started, lines[0])
    assert re.fullmatch(time + r"AMQ8709I: Dead-letter queue handler ending\.", lines[-1])
    assert all(re.match(time + r"MQSC\d{4}: ", line) for line in lines[1:-1])
    assert emptied(opened) == [("QM1", "DLQ")]
    unknown = mqsc("runmqdlq", "DLQ", "NOPE", stdin=TABLE)
    assert re.match(time + "AMQ8741E: Cannot connect to queue manager NOPE: ", unknown.out)
    monkeypatch.setenv("AMQ_DIAGNOSTIC_MSG_SEVERITY", "0")
    assert "  AMQ8708: " in mqsc("runmqdlq", "DLQ", "QM1", stdin=TABLE).lines[0]


@pytest.mark.parametrize(
    "arguments",
    [("-u", "fred", "DLQ"), ("DLQ", "-ufred"), ("DLQ", "QM1", "-u", "fred")],
)
def test_a_password_is_no_line_of_the_table(
    mqsc: Command,
    opened: Store,
    tmp_path: Path,
    arguments: tuple[str, ...],
) -> None:
    """T35: -u may be given anywhere; the password is neither printed nor stored."""
    ended = mqsc("runmqdlq", *arguments, stdin=b"s3cret (phrase\n" + TABLE)
    assert (ended.code, emptied(opened)) == (0, [("QM1", "DLQ")])
    assert "s3cret" not in ended.out + ended.err
    opened.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert all(b"s3cret" not in path.read_bytes() for path in files)


@rows(
    *("?", "?help", "-x", "DLQ -u", "-u a -u b", "A B C", "DLQ -m"),
)
def test_usage(mqsc: Command, opened: Store, arguments: str) -> None:
    """AMQ8710 and exit code 20: no input is read, and no message is touched."""
    ended = mqsc("runmqdlq", *arguments.split(), stdin=TABLE)
    assert (ended.code, ended.out, emptied(opened)) == (20, "", [])
    assert "AMQ8710: Usage: runmqdlq [QName [QMgrName]] [-u UserId]" in ended.err


def test_common_options(mqsc: Command, opened: Store, tmp_path: Path) -> None:
    """They may come before or after the command's name, in their long form: options with one
    hyphen are IBM's.
    """
    url = f"sqlite:///{tmp_path}/store.db"
    ended = mqsc(
        "--qmgr",
        "QM2",
        "runmqdlq",
        "OTHER",
        "--store",
        url,
        "--format=jsonl",
        stdin=TABLE,
    )
    assert (ended.code, emptied(opened)) == (0, [("QM2", "OTHER")])
    assert ended.lines[0].startswith('{"at": ')
    assert mqsc("runmqdlq", "--frobnicate", stdin=TABLE).code == 20
    assert (
        mqsc("runmqdlq", "--help").lines[0] == "Usage: mqsc runmqdlq [QName [QMgrName]] [-u UserId]"
    )
    empty = mqsc("runmqdlq", "DLQ", "QM1")
    assert empty.code == 20
    assert "AMQ8750E: standard input: the table has no rule" in empty.out


def test_as_a_program(opened: Store, tmp_path: Path) -> None:
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    code = "from mqsc.start import runmqdlq; runmqdlq()"
    ended = subprocess.run(
        [sys.executable, "-c", code, "OTHER", "QM2"],
        input=TABLE,
        capture_output=True,
        env=environment,
        check=False,
    )
    assert (ended.returncode, ended.stderr, emptied(opened)) == (0, b"", [("QM2", "OTHER")])
    assert b"AMQ8709" in ended.stdout


# Makes its standard input the controlling terminal, where the password prompt appears, then runs
# mqsc.
_ON_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "mqsc", *sys.argv[1:]])
"""


def test_a_password_typed_on_a_terminal_is_not_shown(opened: Store, tmp_path: Path) -> None:
    """The password is asked for first; then the table is typed, up to Ctrl-D."""
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", _ON_A_TERMINAL, "runmqdlq", "DLQ", "-u", "fred"]
    with (
        open(ours, "r+b", buffering=0) as keyboard,
        subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        ) as handler,
    ):
        os.close(theirs)
        seen = _until(keyboard, b"Password: ")
        keyboard.write(b"s3cret\n")
        # Input typed before the prompt is discarded, as with every password prompt.
        seen += _until(keyboard, b"\n")
        keyboard.write(TABLE + b"\x04")
        seen += _until(keyboard, b"AMQ8709")
        assert handler.wait() == 0
    assert (b"s3cret" in seen, emptied(opened)) == (False, [("QM1", "DLQ")])


def _until(keyboard: BinaryIO, wanted: bytes) -> bytes:
    """Read the terminal until `wanted` has appeared."""
    seen = b""
    while wanted not in seen:
        seen += keyboard.read(1024)
    return seen
