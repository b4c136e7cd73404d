"""`runmqsc` with IBM's arguments (mqsc-lexical §4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.mqsc.ibm.programs import as_program
from tests.mqsc.shell.pty_terminal import Terminal
from tests.rows import rows

mqsc = conftest.mqsc
TALLY = [
    "One MQSC command read.",
    "No commands have a syntax error.",
    "All valid MQSC commands were processed.",
]


@pytest.fixture
def managers(mqsc: Command) -> Command:
    """The command line, with the queue managers QM1 and QM2."""
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name)
    return mqsc


@rows(
    ("", 0, ["     1 : PING QMGR", "AMQ8415I: Ping Queue Manager command complete."]),
    ("-e", 0, ["AMQ8415I: Ping Queue Manager command complete."]),
    ("-v", 0, ["     1 : PING QMGR"]),
    ("-e -v", 0, []),
    ("-ev QM2", 0, []),
)
def test_flags(managers: Command, arguments: str, code: int, lines: list[str]) -> None:
    ended = managers("runmqsc", *arguments.split(), stdin=b"PING QMGR\nend\n")
    assert (ended.code, ended.lines[2:4], ended.lines[-3:]) == (code, ["", ""], TALLY)
    assert (
        ended.lines[1]
        == f"Starting MQSC for queue manager {'QM2' if 'QM2' in arguments else 'QM1'}."
    )
    assert [line for line in ended.lines[4:-3] if not line.endswith(" : end")] == lines


def test_a_file(managers: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text("DEFINE QLOCAL(A)\n")
    assert (
        managers("runmqsc", "-f", "a.mqsc", "QM2").code,
        managers("runmqsc", "-ef", "a.mqsc", "QM2").code,
    ) == (
        0,
        10,
    )
    assert managers("runmqsc", "QM2", stdin=b"DISPLAY QLOCAL(A)").code == 0
    assert managers("runmqsc", "QM1", stdin=b"DISPLAY QLOCAL(A)").code == 10
    assert managers("runmqsc", "-f", "none.mqsc").code == 20


def test_a_queue_manager_is_never_made_nor_started(managers: Command, tmp_path: Path) -> None:
    ended = managers("runmqsc", "--store", f"sqlite:///{tmp_path}/new.db", stdin=b"PING QMGR")
    assert (ended.code, (tmp_path / "new.db").exists()) == (20, False)
    managers("endmqm", "QM2")
    ended = managers("runmqsc", "QM2", stdin=b"PING QMGR")
    assert (ended.code, ended.lines[4]) == (20, "AMQ8146E: IBM MQ queue manager not available.")
    assert ended.lines[5] == "No MQSC commands read."


def test_as_a_program(managers: Command, tmp_path: Path) -> None:
    ended = as_program("runmqsc", "-e", "QM2", store=tmp_path / "store.db", stdin=b"FOO")
    assert (ended.returncode, ended.stderr) == (10, b"")
    assert b"AMQ8426I" in ended.stdout


def test_a_file_instead_of_a_queue_manager_on_a_terminal(managers: Command, tmp_path: Path) -> None:
    """What to type instead is also said where the shell would start."""
    (tmp_path / "a.mqsc").write_text("PING QMGR\n")
    with Terminal(tmp_path, "runmqsc", str(tmp_path / "a.mqsc"), width=500) as terminal:
        assert terminal.end() == 20
    assert f"{tmp_path}/a.mqsc is a file: use `runmqsc -f {tmp_path}/a.mqsc`" in "\n".join(
        terminal.lines(),
    )


STARTS = """DEFINE LISTENER(L) TRPTYPE(TCP)
START LISTENER(L)
{}
"""


@rows(
    *(("START LISTENER(L)", 10), ("START LISTENER(L) IGNSTATE(YES)", 0)),
    *(("STOP LISTENER(SYSTEM.DEFAULT.LISTENER.TCP)", 10), ("STOP LISTENER(L) IGNSTATE(YES)", 0)),
    ("STOP LISTENER(SYSTEM.DEFAULT.LISTENER.TCP) IGNSTATE(YES)", 0),
)
def test_a_script_that_stops_a_container_ends_with_10(
    managers: Command,
    command: str,
    code: int,
) -> None:
    assert managers("runmqsc", "QM1", stdin=STARTS.format(command).encode()).code == code
