"""`mqsc put`: what no message can hold is told, not tried."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "said"),
    [
        (("x", "--expiry", "99999999999"), b"", 20, "expiry is 99999999999"),
        (("x", "--priority", "-99999999999"), b"", 20, "priority is -99999999999"),
        (("x", "--reply-to-q", "Q" * 60), b"", 20, "reply_to_q"),
        (("--json", "-"), b'{"body": {"text": "a"}, "priority": 99999999999999}', 10, "line 1: priority is"),
    ],
)
def test_a_value_that_fits_no_field_is_told(
    mqsc: Command, arguments: tuple[str, ...], stdin: bytes, code: int, said: str
) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    ended = mqsc("put", "Q", *arguments, stdin=stdin)
    assert ended.code == code
    assert said in ended.err


def test_an_interrupted_put_says_how_many_it_has_put(mqsc: Command, tmp_path: Path) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(Q)")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    command = [sys.executable, "-m", "mqsc", "put", "Q", "-", "--format", "jsonl"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as putting:
        try:
            assert putting.stdin is not None
            assert putting.stdout is not None
            assert putting.stderr is not None
            putting.stdin.write("one\ntwo\n")
            putting.stdin.flush()
            assert '"one"' in putting.stdout.readline()
            assert '"two"' in putting.stdout.readline()
            putting.send_signal(signal.SIGINT)
            assert putting.stderr.read() == "mqsc: 2 messages put on Q\nmqsc: interrupted\n"
            assert putting.wait() == 130
        finally:
            putting.kill()
    assert mqsc("get", "Q", "--all").lines == ["one", "two"]
