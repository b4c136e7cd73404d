"""`amqsput`, `amqsget` and `amqsbcg`: their arguments and their output."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mqsc.ibm.samples import dump_lines
from mqsc.store import Message, MessageDescriptor
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen
from tests.rows import rows

mqsc = conftest.mqsc


@pytest.fixture(autouse=True)
def _queues(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("qmgr", "create", "QM2")
    for name in ("QM1", "QM2"):
        mqsc(
            "run",
            "--qmgr",
            name,
            "-c",
            "DEFINE QLOCAL(Q); DEFINE QLOCAL(SHUT) PUT(DISABLED) GET(DISABLED)",
        )


def test_lines_are_put_up_to_an_empty_one(mqsc: Command) -> None:
    ended = mqsc("amqsput", "Q", "QM2", stdin=b"one\r\ntwo\n\nthree\n")
    assert (ended.code, ended.lines) == (
        0,
        ["Sample AMQSPUT0 start", "target queue is Q", "Sample AMQSPUT0 end"],
    )
    assert (mqsc("--qmgr", "QM2", "get", "Q", "--all").lines, mqsc("get", "Q", "--all").lines) == (
        ["one", "two"],
        [],
    )


def test_a_get_that_may_not_be(mqsc: Command) -> None:
    """It first warns that its wait of 15 s uses the manual clock, which only `mqsc clock`
    advances.
    """
    mqsc("run", "-c", "ALTER QLOCAL(Q) GET(DISABLED)")
    mqsc("amqsput", "Q", stdin=b"one\ntwo\n")
    ended = mqsc("amqsget", "Q")
    failed = ["Sample AMQSGET0 start", "MQGET ended with reason code 2016", "Sample AMQSGET0 end"]
    assert (ended.code, ended.lines) == (0, failed)
    assert "manual clock" in ended.err
    assert "\n2016 MQRC_GET_INHIBITED (Q): The queue, or an alias used to open it" in ended.err


def test_messages_are_got(mqsc: Command, tmp_path: Path) -> None:
    """The wait for a third message ends when the manual clock is advanced."""
    mqsc("amqsput", "Q", stdin=b"one\ntwo\n")
    environment = {
        **os.environ,
        "MQSC_STORE": f"sqlite:///{tmp_path}/store.db",
        "PYTHONUNBUFFERED": "1",
    }
    code = "from mqsc.start import amqsget; amqsget()"
    program = subprocess.Popen(
        [sys.executable, "-c", code, "Q"],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert program.stdout
    got = [program.stdout.readline().rstrip() for _ in range(3)]
    while program.poll() is None:
        mqsc("clock", "advance", "20s")
    assert (program.returncode, got) == (
        0,
        ["Sample AMQSGET0 start", "message <one>", "message <two>"],
    )
    with program.stdout:
        assert program.stdout.read() == "no more messages\nSample AMQSGET0 end\n"


def test_a_user_whose_password_comes_first(mqsc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is no message; CONNAUTH says whether it is checked, by CHCKCLNT for a client."""
    monkeypatch.setenv("MQSC_QUICK_PASSWORDS", "1")
    monkeypatch.setenv("MQSAMP_USER_ID", "ann")
    begin = ["Sample AMQSPUT0 start", "Enter password:"]
    unchecked = mqsc("amqsput", "Q", "QM2", stdin=b"guess\none\n")
    assert (unchecked.code, unchecked.lines[:2]) == (0, begin)
    assert mqsc("get", "Q", "-m", "QM2", "--all").lines == ["one"]
    mqsc("user", "add", "ann", "--administrator", stdin=b"s3cret\n")
    mqsc("run", "-m", "QM2", "-c", "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ann') AUTHADD(ALL)")
    mqsc(
        "run",
        "-m",
        "QM2",
        "-c",
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('ann') AUTHADD(ALL)",
    )
    refused = mqsc("amqsputc", "Q", "QM2", stdin=b"guess\ntwo\n")
    assert (refused.code, refused.lines) == (
        2035 % 256,
        [*begin, "MQCONNX ended with reason code 2035"],
    )
    assert mqsc("amqsputc", "Q", "QM2", stdin=b"s3cret\nthree\n").code == 0
    assert mqsc("get", "Q", "-m", "QM2", "--all").lines == ["three"]
    assert "message <" not in mqsc("amqsbcg", "Q", "QM2", stdin=b"s3cret\n").out


def test_the_variants_for_clients(mqsc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """They do the same, and say that they need no channel."""
    ended = mqsc("amqsputc", "Q", "QM2", stdin=b"one\n")
    assert (ended.code, ended.out) == (0, mqsc("amqsput", "Q", "QM2", stdin=b"one\n").out)
    assert mqsc("amqsbcgc", "Q", "QM2").lines == mqsc("amqsbcg", "Q", "QM2").lines
    monkeypatch.setenv("MQSERVER", "APP/TCP/localhost(1414)")
    ended = mqsc("amqsgetc", "NONE", "QM2")
    assert "unable to open queue for input" in ended.lines
    assert ended.err.startswith("amqsgetc: ignored MQSERVER: a store is opened directly\n")


@rows(
    ("amqsput NONE", 0, ["MQOPEN ended with reason code 2085", "unable to open queue for output"]),
    ("amqsput SHUT", 0, ["MQPUT ended with reason code 2051"]),
    ("amqsput Q QM1 1", 0, ["MQPUT ended with reason code 2039"]),
    ("amqsput Q QM1 16 99999999", 0, ["MQCLOSE ended with reason code 2046"]),
    ("amqsget NONE", 0, ["MQOPEN ended with reason code 2085", "unable to open queue for input"]),
    ("amqsget Q QM1 16", 0, ["MQGET ended with reason code 2037"]),
    ("amqsbcg NONE", 2, [" MQOPEN failed with CompCode:2, Reason:2085"]),
)
def test_a_call_that_fails(mqsc: Command, arguments: str, code: int, lines: list[str]) -> None:
    """IBM's samples end with 0 even so; only amqsbcg ends with the completion code."""
    ended = mqsc(*arguments.split(), stdin=b"x\n")
    told = [
        line
        for line in ended.lines
        if "ended with" in line or "failed with" in line or "unable" in line
    ]
    assert (ended.code, told) == (code, lines)


@rows(
    ("amqsput Q QM2", 11, "Sample AMQSPUT0 start\nMQCONNX ended with reason code 2059"),
    ("amqsget Q QM2", 11, "Sample AMQSGET0 start\nMQCONNX ended with reason code 2059"),
    ("amqsput Q NONE", 10, "Sample AMQSPUT0 start\nMQCONNX ended with reason code 2058"),
    (
        "amqsput Q NONE --store=none.db",
        10,
        "Sample AMQSPUT0 start\nMQCONNX ended with reason code 2058",
    ),
    (
        "amqsbcg Q QM2",
        2,
        f"AMQSBCG0 - starts here\n{'*' * 22}\n MQCONN failed with CompCode:2, Reason:2059",
    ),
    (
        "amqsbcg Q NONE",
        2,
        f"AMQSBCG0 - starts here\n{'*' * 22}\n MQCONN failed with CompCode:2, Reason:2058",
    ),
)
def test_no_connection(mqsc: Command, line: str, code: int, out: str) -> None:
    """The exit code of amqsput and amqsget is the reason code modulo 256."""
    mqsc("endmqm", "-i", "QM2")
    ended = mqsc(*line.split(), stdin=b"x\n")
    assert (ended.code, ended.out, ended.err.count("\n")) == (code, f"{out}\n", 1)


def test_a_browse_shows_every_field(mqsc: Command) -> None:
    mqsc("put", "Q", "hello, world and more", "--msg-id", "AB", "--priority", "3", "--expiry", "50")
    ended = mqsc("amqsbcg", "Q")
    assert (ended.code, ended.out) == (0, mqsc("amqsbcg", "Q", "QM1", "3").out)
    assert ended.lines[:6] == ["AMQSBCG0 - starts here", "*" * 22, "", " MQOPEN - 'Q'", "", ""]
    assert ended.lines[6:8] == [
        " MQGET of message number 1, CompCode:0 Reason:0",
        "****Message descriptor****",
    ]
    assert {
        *(
            "  Expiry   : 50  Feedback : 0",
            "  Format : 'MQSTR   '",
            "  Priority : 3  Persistence : 0",
        ),
        *(f"  MsgId : X'AB{'00' * 23}'", " length - 21 of 21 bytes"),
        "00000000:  6865 6C6C 6F2C 2077 6F72 6C64 2061 6E64 'hello, world and'",
        "00000010:  206D 6F72 65                            ' more           '",
    } <= {*ended.lines}
    assert ended.lines[-5:] == ["", "", " No more messages", " MQCLOSE", " MQDISC"]
    assert mqsc("get", "Q").lines == ["hello, world and more"]


def test_a_message_cannot_control_the_terminal(mqsc: Command, tmp_path: Path) -> None:
    mqsc("put", "Q", "\x1b[2Jbody", "--reply-to-q-mgr", "\x1b[2JNAME", "--persistent")
    shown = screen(tmp_path, "amqsbcg", "Q")
    assert (shown.count("\x1b"), shown.count("X'1B5B324A4E414D45")) == (0, 1)
    assert "X'1B5B324A4E414D45" in mqsc("amqsbcg", "Q").out
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


@rows(
    ("0", False, "MQHRF2"),
    ("1", True, "MQSTR"),
    ("2", False, "MQSTR"),
    ("3", False, "MQHRF2"),
    ("4", False, "MQHRF2"),
)
def test_amqsbcg_shows_properties_as_asked(
    mqsc: Command,
    option: str,
    apart: bool,
    format: str,
) -> None:
    mqsc("put", "Q", "hello", "--property", "color=red", "-m", "QM1")
    lines = mqsc("amqsbcg", "Q", "QM1", option).lines
    assert ("      color            red" in lines) is apart
    assert any(line.strip().startswith("Format") and f"'{format} " in line for line in lines)


NONE = "0" * 48
BLANK = " " * 48
PAGE = f"""\
****Message descriptor****

  StrucId  : 'MD  '  Version : 2
  Report   : 2097152  MsgType : 1
  Expiry   : 300  Feedback : 0
  Encoding : 273  CodedCharSetId : 819
  Format : 'MQSTR   '
  Priority : 9  Persistence : 1
  MsgId : X'4142{"0" * 44}'
  CorrelId : X'{NONE}'
  BackoutCount : 2
  ReplyToQ       : '{"ANSWERS":<48}'
  ReplyToQMgr    : '{BLANK}'
  ** Identity Context
  UserIdentifier : 'ann         '
  AccountingToken :
   X'{"0" * 64}'
  ApplIdentityData : '{" " * 32}'
  ** Origin Context
  PutApplType    : '6'
  PutApplName    : '{"amqsput":<28}'
  PutDate  : '20231114'    PutTime  : '22132000'
  ApplOriginData : '    '

  GroupId : X'{NONE}'
  MsgSeqNumber   : '1'
  Offset         : '0'
  MsgFlags       : '0'
  OriginalLength : '-1'

****   Message      ****

 length - 20 of 20 bytes

00000000:  666F 7572 2062 7974 6573 2061 6E64 20C3 'four bytes and .'
00000010:  A400 7E7F                               '..~.            '
"""


def test_the_page() -> None:
    told: dict[str, Any] = {
        "report": 2097152,
        "msg_type": 1,
        "expiry": 300,
        "priority": 9,
        "persistence": 1,
        "msg_id": b"AB",
    }
    told |= {
        "encoding": 273,
        "coded_char_set_id": 819,
        "format": "MQSTR",
        "backout_count": 2,
        "reply_to_q": "ANSWERS",
    }
    told |= {"user_identifier": "ann", "put_appl_type": 6, "put_appl_name": "amqsput"}
    descriptor = MessageDescriptor(**told, put_date="20231114", put_time="22132000")
    assert (
        "\n".join(dump_lines(Message("four bytes and ä".encode() + b"\0~\x7f", descriptor))) + "\n"
        == PAGE + "\n"
    )


@pytest.mark.parametrize(("length", "lines"), [(0, 0), (1, 1), (16, 1), (17, 2)])
def test_lines_of_sixteen_bytes(length: int, lines: int) -> None:
    found = [len(line) for line in dump_lines(Message(b"x" * length)) if line.startswith("000000")]
    assert found == [len("00000000:  ") + 39 + 1 + 18] * lines
