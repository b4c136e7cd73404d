"""`amqsput`, `amqsget` and `amqsbcg`: their arguments and their output."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen

mqsc = conftest.mqsc


@pytest.fixture(autouse=True)
def _queues(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("qmgr", "create", "QM2")
    for name in ("QM1", "QM2"):
        mqsc("run", "--qmgr", name, "-c", "DEFINE QLOCAL(Q); DEFINE QLOCAL(SHUT) PUT(DISABLED) GET(DISABLED)")


def test_lines_are_put_up_to_an_empty_one(mqsc: Command) -> None:
    ended = mqsc("amqsput", "Q", "QM2", stdin=b"one\r\ntwo\n\nthree\n")
    assert (ended.code, ended.lines) == (0, ["Sample AMQSPUT0 start", "target queue is Q", "Sample AMQSPUT0 end"])
    assert mqsc("--qmgr", "QM2", "get", "Q", "--all").lines == ["one", "two"]
    assert mqsc("get", "Q", "--all").lines == []


def test_a_get_that_may_not_be(mqsc: Command) -> None:
    """It first warns that its wait of 15 s uses the manual clock, which only `mqsc clock` advances."""
    mqsc("run", "-c", "ALTER QLOCAL(Q) GET(DISABLED)")
    mqsc("amqsput", "Q", stdin=b"one\ntwo\n")
    ended = mqsc("amqsget", "Q")
    assert (ended.code, ended.lines) == (
        10,
        ["Sample AMQSGET0 start", "MQGET ended with reason code 2016", "Sample AMQSGET0 end"],
    )
    assert "manual clock" in ended.err
    assert "mqsc: 2016 MQRC_GET_INHIBITED (Q): The queue, or an alias used to open it" in ended.err


def test_messages_are_got(mqsc: Command, tmp_path: Path) -> None:
    """The wait for a third message ends when the manual clock is advanced."""
    mqsc("amqsput", "Q", stdin=b"one\ntwo\n")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db", "PYTHONUNBUFFERED": "1"}
    code = "from mqsc.ibm.samples import main_amqsget; main_amqsget()"
    program = subprocess.Popen([sys.executable, "-c", code, "Q"], stdout=subprocess.PIPE, env=environment, text=True)
    assert program.stdout
    got = [program.stdout.readline().rstrip() for _ in range(3)]
    while program.poll() is None:
        mqsc("clock", "advance", "20s")
    assert program.returncode == 0
    rest = program.stdout.read().splitlines()
    program.stdout.close()
    assert [*got, *rest] == [
        "Sample AMQSGET0 start",
        "message <one>",
        "message <two>",
        "no more messages",
        "Sample AMQSGET0 end",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "lines"),
    [
        (("amqsput", "NONE"), 10, ["MQOPEN ended with reason code 2085", "unable to open queue for output"]),
        (("amqsput", "SHUT"), 10, ["MQPUT ended with reason code 2051"]),
        (("amqsput", "Q", "QM1", "1"), 10, ["MQPUT ended with reason code 2039"]),
        (("amqsput", "Q", "QM1", "16", "99999999"), 10, ["MQCLOSE ended with reason code 2046"]),
        (("amqsget", "NONE"), 10, ["MQOPEN ended with reason code 2085", "unable to open queue for input"]),
        (("amqsget", "Q", "QM1", "16"), 10, ["MQGET ended with reason code 2037"]),
        (("amqsbcg", "NONE"), 10, ["MQOPEN ended with reason code 2085", "unable to open queue for browse"]),
    ],
)
def test_a_call_that_fails(mqsc: Command, arguments: tuple[str, ...], code: int, lines: list[str]) -> None:
    ended = mqsc(*arguments, stdin=b"x\n")
    assert ended.code == code
    assert [line for line in ended.lines if "reason code" in line or "unable" in line] == lines


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("amqsput",), "a name is missing\nusage: amqsput QName"),
        (("amqsput", "Q", "QM1", "x"), "options must be a decimal number, not x"),
        (("amqsget", "Q", "QM1", "1", "0", "more"), "unexpected argument more"),
        (("amqsbcg", "-p", "Q"), "unknown option -p"),
        (("amqsbcg", "Q", "QM1", "9"), "PropertyOption takes 0, 1, 2, 3, 4, not 9"),
        (("amqsbcg", "Q", "QM1", "0", "more"), "unexpected argument more"),
    ],
)
def test_nothing_is_done(mqsc: Command, arguments: tuple[str, ...], said: str) -> None:
    ended = mqsc(*arguments, stdin=b"x\n")
    assert (ended.code, ended.out) == (20, "")
    assert said in ended.err


def test_no_such_queue_manager(mqsc: Command) -> None:
    ended = mqsc("amqsput", "Q", "NONE", stdin=b"x\n")
    assert (ended.code, ended.out, ended.err[:14]) == (10, "", "mqsc: AMQ8118E")


@pytest.mark.parametrize(
    ("program", "first"), [("amqsput", "Sample AMQSPUT0 start"), ("amqsget", "Sample AMQSGET0 start")]
)
def test_a_queue_manager_that_does_not_run(mqsc: Command, program: str, first: str) -> None:
    mqsc("endmqm", "-i", "QM2")
    ended = mqsc(program, "Q", "QM2", stdin=b"x\n")
    assert (ended.code, ended.lines) == (20, [first, "MQCONN ended with reason code 2059"])
    assert ended.err.startswith("mqsc: 2059 MQRC_Q_MGR_NOT_AVAILABLE (QM2): The queue manager is not running.")


def test_a_browse_shows_every_field(mqsc: Command) -> None:
    mqsc("put", "Q", "hello, world and more", "--msg-id", "AB", "--priority", "3", "--expiry", "50")
    ended = mqsc("amqsbcg", "Q")
    assert ended.code == 0
    assert ended.out == mqsc("amqsbcg", "Q", "QM1", "3").out
    assert ended.lines[:8] == [
        "AMQSBCG0 - starts here",
        "**********************",
        "",
        " MQOPEN - 'Q'",
        "",
        "",
        " MQGET of message number 1, CompCode:0 Reason:0",
        "****Message descriptor****",
    ]
    for line in (
        "  Expiry   : 50  Feedback : 0",
        "  Format : 'MQSTR   '",
        "  Priority : 3  Persistence : 0",
        f"  MsgId : X'AB{'00' * 23}'",
        " length - 21 of 21 bytes",
        "00000000:  6865 6C6C 6F2C 2077 6F72 6C64 2061 6E64 'hello, world and'",
        "00000010:  206D 6F72 65                            ' more           '",
    ):
        assert line in ended.lines
    assert ended.lines[-5:] == ["", "", " No more messages", " MQCLOSE", " MQDISC"]
    assert mqsc("get", "Q").lines == ["hello, world and more"]


def test_a_message_cannot_control_the_terminal(mqsc: Command, tmp_path: Path) -> None:
    mqsc("put", "Q", "\x1b[2Jbody", "--reply-to-q-mgr", "\x1b[2JNAME", "--persistent")
    shown = screen(tmp_path, "amqsbcg", "Q")
    assert (shown.count("\x1b"), shown.count("\\x1b[2JNAME")) == (0, 1)
    assert "\x1b[2JNAME" in mqsc("amqsbcg", "Q").out
    mqsc("run", "-c", "ALTER QMGR DESCR('\x1b[2Jdescription')")
    shown = screen(tmp_path, "dmpmqcfg", "-t", "qmgr")
    assert (shown.count("\x1b"), shown.count("\\x1b[2Jdescription")) == (0, 1)
    mqsc("get", "Q")
    mqsc("put", "Q", "\x1b[2Jbody\nline")
    with ThreadPoolExecutor() as programs:
        got = programs.submit(screen, tmp_path, "amqsget", "Q")
        while not got.done():
            mqsc("clock", "advance", "20s")
    assert "message <\\x1b[2Jbody\nline>" in got.result()


@pytest.mark.parametrize(
    ("option", "apart", "format"),
    [
        ("0", False, "MQHRF2"),
        ("1", True, "MQSTR"),
        ("2", False, "MQSTR"),
        ("3", False, "MQHRF2"),
        ("4", False, "MQHRF2"),
    ],
)
def test_amqsbcg_shows_properties_as_asked(mqsc: Command, option: str, apart: bool, format: str) -> None:
    mqsc("put", "Q", "hello", "--property", "color=red", "-m", "QM1")
    lines = mqsc("amqsbcg", "Q", "QM1", option).lines
    assert ("      color            red" in lines) is apart
    assert any(line.strip().startswith("Format") and f"'{format} " in line for line in lines)
