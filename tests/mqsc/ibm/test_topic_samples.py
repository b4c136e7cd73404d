"""`amqspub` and `amqssub`: their arguments and their output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.rows import rows

mqsc = conftest.mqsc
WAIT = "Calling MQGET : 30 seconds wait time"


@pytest.fixture(autouse=True)
def _manager(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("run", "-c", "DEFINE QLOCAL(Q)", "-c", "DEFINE SUB(S) TOPICSTR('a/b') DEST(Q)")


@rows("amqspub", "amqspubc")
def test_lines_are_published_up_to_an_empty_one(mqsc: Command, program: str) -> None:
    ended = mqsc(program, "a/b", "QM1", stdin=b"one\ntwo\n\nthree\n")
    assert (ended.code, ended.lines, ended.err) == (
        0,
        ["Sample AMQSPUBA start", "target topic is a/b", "Sample AMQSPUBA end"],
        "",
    )
    assert mqsc("get", "Q", "--all").lines == ["one", "two"]


def test_publications_are_printed(mqsc: Command, tmp_path: Path) -> None:
    """The wait for a second one ends when the manual clock is advanced."""
    mqsc("put", "--topic", "a/c", "--retain", "tea")
    environment = {
        **os.environ,
        "MQSC_STORE": f"sqlite:///{tmp_path}/store.db",
        "PYTHONUNBUFFERED": "1",
    }
    code = "from mqsc.start import amqssub; amqssub()"
    program = subprocess.Popen(
        [sys.executable, "-c", code, "a/#", "QM1"],
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    assert program.stdout
    printed = [program.stdout.readline().rstrip() for _ in range(4)]
    while program.poll() is None:
        mqsc("clock", "advance", "40s")
    assert (program.returncode, printed) == (
        0,
        ["Sample AMQSSUBA start", WAIT, "message <tea>", WAIT],
    )
    with program.stdout:
        assert program.stdout.read() == "no more messages\nSample AMQSSUBA end\n"


@rows(
    (
        "amqspub a//b/# NONE",
        10,
        ["Sample AMQSPUBA start", "MQCONNX ended with reason code 2058"],
    ),
    (
        "amqspub shut QM1",
        0,
        [
            "Sample AMQSPUBA start",
            "target topic is shut",
            "MQPUT ended with reason code 2051",
            "Sample AMQSPUBA end",
        ],
    ),
    (
        "amqspub a QM1 1",
        0,
        [
            "Sample AMQSPUBA start",
            "publish options are 1",
            "target topic is a",
            "MQPUT ended with reason code 2046",
            "Sample AMQSPUBA end",
        ],
    ),
    (
        "amqssub shut QM1",
        0,
        [
            "Sample AMQSSUBA start",
            "MQSUB ended with reason code 2503",
            "unable to subscribe to topic",
            "Sample AMQSSUBA end",
        ],
    ),
    (
        "amqssub a QM1 2",
        0,
        [
            "Sample AMQSSUBA start",
            "MQSUB SD.Options are 2",
            "MQSUB ended with reason code 2019",
            "unable to subscribe to topic",
            "Sample AMQSSUBA end",
        ],
    ),
)
def test_a_call_that_fails(mqsc: Command, line: str, code: int, lines: list[str]) -> None:
    mqsc("run", "-c", "DEFINE TOPIC(SHUT) TOPICSTR('shut') PUB(DISABLED) SUB(DISABLED)")
    ended = mqsc(*line.split(), stdin=b"one\n")
    assert (ended.code, ended.lines) == (code, lines)
