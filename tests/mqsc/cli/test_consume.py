"""`mqsc consume`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command

OBJECTS = "DEFINE QLOCAL(A) BOTHRESH(2) BOQNAME(B) MAXMSGL(4194304)\nDEFINE QLOCAL(B)"


@pytest.fixture(autouse=True)
def _queues(mqsc: Command) -> None:
    mqsc("run", "-c", OBJECTS)


def test_each_message_goes_to_the_program(mqsc: Command) -> None:
    mqsc("put", "A", "one", "two")

    ended = mqsc("consume", "A", "--", "sh", "-c", 'cat; echo " is on $MQSC_QUEUE of $MQSC_QMGR"')

    assert (ended.code, ended.out) == (0, "one is on A of QM1\ntwo is on A of QM1\n")
    assert ended.err == "mqsc: A: 2 processed\n"
    assert bodies(mqsc) == []


def test_a_message_that_fails_goes_to_the_backout_queue(mqsc: Command) -> None:
    mqsc("put", "A", "good", "bad", "fine")

    ended = mqsc("consume", "A", "--", "grep", "-v", "bad")

    assert (ended.code, ended.out) == (0, "good\nfine\n")
    lines = ended.err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines[:2]] == ["exit status 1"] * 2
    assert lines[2:] == ["mqsc: A: 2 processed, 2 backed out, 1 moved to the backout queue"]
    assert bodies(mqsc, "B") == ["bad"]


@pytest.mark.parametrize(("limit", "left"), [("2", ["m3"]), ("5", [])])
@pytest.mark.parametrize("concurrency", ["1", "3"])
def test_a_limit(mqsc: Command, limit: str, left: list[str], concurrency: str) -> None:
    mqsc("put", "A", "m1", "m2", "m3")
    ended = mqsc("consume", "A", "--limit", limit, "--concurrency", concurrency, "--", "true")
    assert ended.code == 0
    assert len(bodies(mqsc)) == len(left)


def test_a_batch_is_one_unit_of_work(mqsc: Command) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(A) BOTHRESH(3)")
    mqsc("put", "A", "m1", "m2", "bad", "m4")
    ended = mqsc("consume", "A", "--batch", "4", "--", "grep", "-v", "bad")
    assert ended.out.splitlines() == ["m1", "m2", "m1", "m2", "m4"]
    assert ended.err.endswith("mqsc: A: 3 processed, 3 backed out, 1 moved to the backout queue\n")
    assert bodies(mqsc, "B") == ["bad"]


def test_a_program_that_takes_too_long(mqsc: Command) -> None:
    mqsc("put", "A", "m1")
    ended = mqsc("consume", "A", "--limit", "1", "--timeout", "100ms", "--", "sh", "-c", "sleep 60 & wait")
    assert "it ran longer than 0.1 s and was ended" in ended.err
    assert bodies(mqsc) == ["m1"]


def test_a_message_longer_than_a_pipe_buffer(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 1_000_000)
    mqsc("put", "A", "--file", "long")
    assert mqsc("consume", "A", "--", "wc", "-c").out.strip() == "1000000"


@pytest.mark.parametrize("shell", [False, True])
def test_properties_too_long_for_a_variable_are_in_a_file(mqsc: Command, *, shell: bool) -> None:
    """A program that may put messages must not be able to stop the consumer."""
    mqsc("run", "-c", "ALTER QMGR MAXPROPL(NOLIMIT)")
    mqsc("put", "A", "first", "--property", f"big={'x' * 200_000}")
    mqsc("put", "A", "second", "--property", "small=1")
    text = 'cat; echo " ${#MQSC_PROPERTIES} $(cat "$MQSC_PROPERTIES_FILE" | wc -c)"'
    ended = mqsc("consume", "A", *(["--shell", "--", text] if shell else ["--", "sh", "-c", text]))
    assert (ended.code, ended.out) == (0, "first 0 200011\nsecond 14 14\n")


def test_a_message_that_can_go_nowhere_is_kept(mqsc: Command) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(B) PUT(DISABLED)")
    mqsc("put", "A", "bad", "--persistent")
    mqsc("put", "A", "next", "--persistent")

    ended = mqsc("consume", "A", "--", "false")

    assert ended.code == 10
    assert "mqsc: A: a message that was backed out too often is kept" in ended.err
    assert bodies(mqsc) == ["bad", "next"]


def test_a_shell_only_if_asked(mqsc: Command) -> None:
    mqsc("put", "A", "m1", "m2")
    assert mqsc("consume", "A", "--limit", "1", "--", "echo", "$MQSC_QUEUE; id").out == "$MQSC_QUEUE; id\n"
    assert mqsc("consume", "A", "--shell", "--", "tr a-z A-Z; echo").out == "M2\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("A",), 20, "Missing argument '-- PROGRAM [ARGUMENT]...'"),
        (("A", "--", " "), 20, "PROGRAM is empty"),
        (("A", "--shell", "--", ""), 20, "PROGRAM is empty"),
        (("A", "--", "no-such-program"), 20, "cannot start no-such-program: no such program"),
        (("A", "--", "./text"), 20, "cannot start ./text: no such program, or it is not executable"),
        (("A", "--", "./junk"), 20, "cannot start ./junk: Exec format error"),
        (("A", "--", "./script"), 20, "cannot start ./script: its interpreter '/no/such' does not exist"),
        (("A", "--shell", "--", "cat '"), 20, "cannot start cat ': "),
        (("A", "--shell", "--", "no-such-program 2>&-"), 20, "of a command that the shell cannot run"),
        (("A", "--shell", "--", "cat", "-n"), 20, "with --shell, PROGRAM is one argument"),
        (("NONE", "--", "cat"), 10, "cannot consume NONE: 2085 MQRC_UNKNOWN_OBJECT_NAME"),
        (("SYSTEM.DEFAULT.MODEL.QUEUE.X", "--", "cat"), 10, "2085"),
        (("A", "--limit", "0", "--", "cat"), 20, "0 is not in the range"),
        (("A", "--batch", "0", "--", "cat"), 20, "0 is not in the range"),
        (("A", "--timeout", "soon", "--", "cat"), 20, "'soon' is not a length of time"),
    ],
)
def test_refusals(mqsc: Command, tmp_path: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    (tmp_path / "text").write_text("")
    for name, content in (("junk", "junk"), ("script", "#!/no/such\n")):
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o755)
    mqsc("put", "A", "m1")
    ended = mqsc("consume", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err
    assert "Traceback" not in ended.err
    assert bodies(mqsc) == ["m1"]


@pytest.mark.parametrize("content", ["junk", "#!/no/such\n"])
def test_a_program_that_cannot_be_started_makes_no_poison(mqsc: Command, tmp_path: Path, content: str) -> None:
    (tmp_path / "program").write_text(content)
    (tmp_path / "program").chmod(0o755)
    mqsc("put", "A", "m1")
    for _ in range(3):
        assert mqsc("consume", "A", "--", "./program").code == 20
    assert mqsc("poison").out == "No message has been backed out.\n"
    assert (bodies(mqsc), bodies(mqsc, "B")) == (["m1"], [])


def test_a_start_that_fails_after_the_get_costs_one_backout(mqsc: Command, tmp_path: Path) -> None:
    """The program deletes itself, so it cannot be started for the second message."""
    (tmp_path / "once").write_text('#!/bin/sh\nrm "$0"\n')
    (tmp_path / "once").chmod(0o755)
    mqsc("put", "A", "m1", "m2", "m3")
    ended = mqsc("consume", "A", "--", "./once")
    assert ended.code == 20
    assert ended.err.splitlines() == [
        "mqsc: cannot start ./once: No such file or directory",
        "mqsc: A: 1 processed, 1 backed out",
    ]
    shown = mqsc("poison").out
    assert (bodies(mqsc), shown.count("backed out"), shown.count("backed out once")) == (["m2", "m3"], 1, 1)


def test_get_disabled(mqsc: Command) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(A) GET(DISABLED)")
    ended = mqsc("consume", "A", "--", "cat")
    assert ended.code == 10
    assert "the consumer was interrupted: 2016 MQRC_GET_INHIBITED" in ended.err


def test_output_that_nobody_reads_makes_no_poison(mqsc: Command, tmp_path: Path) -> None:
    """The program ends by SIGPIPE. Continuing would back out every message until it is poison."""
    mqsc("put", "A", "m1", "m2")
    command = [sys.executable, "-m", "mqsc", "consume", "A", "--", "yes"]
    with subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.wait(60) == 141
    assert bodies(mqsc) == ["m1", "m2"]
