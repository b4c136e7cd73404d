"""`runmqsc` with the arguments of IBM's command (mqsc-lexical §4), typed as `mqsc runmqsc` and as a program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.mqsc.shell.pty_terminal import Terminal

mqsc = conftest.mqsc
TALLY = ["One MQSC command read.", "No commands have a syntax error.", "All valid MQSC commands were processed."]


@pytest.fixture(autouse=True)
def _queue_managers(mqsc: Command) -> None:
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name)


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "lines"),
    [
        ((), b"PING QMGR\nend\n", 0, ["     1 : PING QMGR", "AMQ8415I: Ping Queue Manager command complete."]),
        (("-e",), b"PING QMGR\n", 0, ["AMQ8415I: Ping Queue Manager command complete."]),
        (("-v",), b"PING QMGR\n", 0, ["     1 : PING QMGR"]),
        (("-e", "-v"), b"PING QMGR\n", 0, []),
        (("-ev", "QM2"), b"PING QMGR\n", 0, []),
    ],
)
def test_flags(mqsc: Command, arguments: tuple[str, ...], stdin: bytes, code: int, lines: list[str]) -> None:
    ended = mqsc("runmqsc", *arguments, stdin=stdin)
    assert ended.code == code
    name = "QM2" if "QM2" in arguments else "QM1"
    assert ended.lines[1:4] == [f"Starting MQSC for queue manager {name}.", "", ""]
    shown = [line for line in ended.lines[4:-3] if not line.endswith(" : end")]
    assert (shown, ended.lines[-3:]) == (lines, TALLY)


def test_a_file(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    assert mqsc("runmqsc", "-f", "a.mqsc", "QM2").code == 0
    assert mqsc("runmqsc", "-ef", "a.mqsc", "QM2").code == 10
    assert mqsc("runmqsc", "QM2", stdin=b"DISPLAY QLOCAL(A)").code == 0
    assert mqsc("runmqsc", "QM1", stdin=b"DISPLAY QLOCAL(A)").code == 10
    assert mqsc("runmqsc", "-f", "none.mqsc").code == 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("QM1", "QM2"), "unexpected argument QM2"),
        (("-c",), "runmqsc -c is not supported"),
        (("-u", "joe"), "runmqsc -u is not supported"),
        (("-w", "5", "QM1"), "runmqsc -w is not supported"),
        (("-x",), "runmqsc -x is not supported"),
        (("-m", "QM1"), "runmqsc -m is not supported"),
        (("-n",), "runmqsc -n is not supported"),
        (("-p",), "runmqsc -p is not supported"),
        (("-z",), "unknown option -z\nusage: runmqsc [-e] [-v] [-f File] [QMgrName]"),
    ],
)
def test_nothing_is_run(mqsc: Command, arguments: tuple[str, ...], said: str) -> None:
    ended = mqsc("runmqsc", *arguments, stdin=b"DEFINE QLOCAL(A)")
    assert (ended.code, ended.out) == (20, "")
    assert said in ended.err


def test_a_queue_manager_is_never_made(mqsc: Command, tmp_path: Path) -> None:
    ended = mqsc("runmqsc", "--store", f"sqlite:///{tmp_path}/new.db", stdin=b"PING QMGR")
    assert (ended.code, (tmp_path / "new.db").exists()) == (20, False)


def test_one_that_does_not_run(mqsc: Command) -> None:
    mqsc("endmqm", "QM2")
    ended = mqsc("runmqsc", "QM2", stdin=b"PING QMGR")
    assert ended.code == 20
    assert ended.lines[4] == "AMQ8146E: IBM MQ queue manager not available."
    assert ended.lines[5] == "No MQSC commands read."


def test_as_a_program(tmp_path: Path) -> None:
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    code = "from mqsc.ibm.scripts import main_runmqsc; main_runmqsc()"
    ended = subprocess.run(
        [sys.executable, "-c", code, "-e", "QM2"], input=b"FOO", capture_output=True, env=environment, check=False
    )
    assert (ended.returncode, ended.stderr) == (10, b"")
    assert b"AMQ8426I" in ended.stdout


def test_a_file_instead_of_a_queue_manager_on_a_terminal(tmp_path: Path) -> None:
    """What to type instead is also said where the shell would start."""
    (tmp_path / "a.mqsc").write_text("PING QMGR\n")
    with Terminal(tmp_path, "runmqsc", str(tmp_path / "a.mqsc"), width=500) as terminal:
        assert terminal.end() == 10
    assert f"{tmp_path}/a.mqsc is a file: use `runmqsc -f {tmp_path}/a.mqsc`" in "\n".join(terminal.lines())
