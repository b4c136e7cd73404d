"""`runmqdlq` with the arguments of IBM's command (dlq-rules §1), typed as `mqsc runmqdlq` and as a program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from store import open_store
from store.admin.altering import change_queue_manager
from store.admin.defining import create
from store.admin.put_preview import peek
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter

mqsc = conftest.mqsc
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
    return [
        (name, queue) for name in ("QM1", "QM2") for queue in QUEUES if not list(peek(QueueManager(store, name), queue))
    ]


@pytest.mark.parametrize(
    ("arguments", "control", "worked_on"),
    [
        ((), b"", ("QM1", "DLQ")),
        (("OTHER",), b"", ("QM1", "OTHER")),
        (("OTHER", "QM2"), b"", ("QM2", "OTHER")),
        (("OTHER", " "), b"INPUTQM(QM9) ", ("QM1", "OTHER")),
        ((" ",), b"INPUTQ(OTHER) ", ("QM1", "DLQ")),  # T29
        ((), b"INPUTQ(OTHER) INPUTQM(QM2) ", ("QM2", "OTHER")),
        (("OTHER",), b"INPUTQM(QM2) ", ("QM2", "OTHER")),
        (("OTHER", "QM2"), b"INPUTQ(DLQ) INPUTQM(QM9) ", ("QM2", "OTHER")),
    ],
)
def test_names(
    mqsc: Command, opened: Store, arguments: tuple[str, ...], control: bytes, worked_on: tuple[str, str]
) -> None:
    ended = mqsc("runmqdlq", *arguments, stdin=control + TABLE)
    assert (ended.code, emptied(opened)) == (0, [worked_on])
    queue_manager, queue = worked_on
    assert f"on queue {queue} of queue manager {queue_manager}." in ended.out


@pytest.mark.parametrize(
    "arguments",
    [("-u", "fred", "DLQ"), ("DLQ", "-ufred"), ("DLQ", "QM1", "-u", "fred")],
)
def test_a_password_is_no_line_of_the_table(
    mqsc: Command, opened: Store, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """T35: -u may be given anywhere; the password is neither printed nor stored."""
    ended = mqsc("runmqdlq", *arguments, stdin=b"s3cret (phrase\n" + TABLE)
    assert (ended.code, emptied(opened)) == (0, [("QM1", "DLQ")])
    assert "s3cret" not in ended.out + ended.err
    opened.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert all(b"s3cret" not in path.read_bytes() for path in files)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("?",), ""),
        (("?help",), ""),
        (("-x",), ""),
        (("DLQ", "-u"), ""),
        (("-u", "a", "-u", "b"), ""),
        (("A", "B", "C"), ""),
        (("-c",), "there are no client connections"),
        (("-c", "DLQ"), "there are no client connections"),
        (("DLQ", "-m"), ""),
    ],
)
def test_usage(mqsc: Command, opened: Store, arguments: tuple[str, ...], said: str) -> None:
    """AMQ8710 and exit code 20: no input is read, and no message is touched."""
    ended = mqsc("runmqdlq", *arguments, stdin=TABLE)
    assert (ended.code, ended.out, emptied(opened)) == (20, "", [])
    assert "AMQ8710: Usage: runmqdlq [QName [QMgrName]] [-u UserId]" in ended.err
    assert said in ended.err


def test_common_options(mqsc: Command, opened: Store, tmp_path: Path) -> None:
    """They may come before or after the command's name, in their long form: options with one hyphen are IBM's."""
    url = f"sqlite:///{tmp_path}/store.db"
    ended = mqsc("--qmgr", "QM2", "runmqdlq", "OTHER", "--store", url, "--format=jsonl", stdin=TABLE)
    assert (ended.code, emptied(opened)) == (0, [("QM2", "OTHER")])
    assert ended.lines[0].startswith('{"at": ')
    assert mqsc("runmqdlq", "--frobnicate", stdin=TABLE).code == 20
    assert mqsc("runmqdlq", "--help").lines[0] == "Usage: mqsc runmqdlq [QName [QMgrName]] [-u UserId]"


def test_an_empty_table(mqsc: Command, opened: Store) -> None:
    ended = mqsc("runmqdlq", "DLQ", "QM1")
    assert ended.code == 20
    assert "AMQ8750: standard input: the table has no rule" in ended.out


def test_as_a_program(opened: Store, tmp_path: Path) -> None:
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    code = "from mqsc.ibm.agents import main_runmqdlq; main_runmqdlq()"
    ended = subprocess.run(
        [sys.executable, "-c", code, "OTHER", "QM2"], input=TABLE, capture_output=True, env=environment, check=False
    )
    assert (ended.returncode, ended.stderr, emptied(opened)) == (0, b"", [("QM2", "OTHER")])
    assert b"AMQ8709" in ended.stdout


# Makes its standard input the controlling terminal, where the password prompt appears, then runs mqsc.
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
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
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
