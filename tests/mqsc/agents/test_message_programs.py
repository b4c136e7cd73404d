"""A program that processes one message: its input, its environment, and how it ended."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import pytest

from mqsc.agents.message_programs import (
    CannotStartError,
    MessagePrograms,
    ProgramFailedError,
    variables,
)
from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.message import Message
from tests.mqsc.agents.scripts import wait_until
from tests.mqsc.agents.test_programs import programs
from tests.rows import rows

COPY = "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read())"


@pytest.mark.parametrize("length", [0, 1, 5_000_000])
def test_the_data_is_on_standard_input_whatever_its_length(tmp_path: Path, length: int) -> None:
    body = os.urandom(length) if length < 2 else bytes(range(256)) * (length // 256)
    programs(COPY, str(tmp_path / "copy")).process(Message(body), "Q")
    assert (tmp_path / "copy").read_bytes() == body


def test_a_program_need_not_read_its_input() -> None:
    programs("").process(Message(bytes(5_000_000)), "Q")


def test_data_without_room_in_a_temporary_file_fails_alone(tmp_path: Path) -> None:
    running = programs(COPY, str(tmp_path / "copy"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(ProgramFailedError, match="temporary file: File too large"):
            running.process(Message(bytes(200_000)), "Q")
        running.process(Message(bytes(100)), "Q")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "copy").read_bytes() == bytes(100)


def test_every_field_of_the_descriptor_is_a_variable() -> None:
    found = variables(
        Message(b"", MessageDescriptor(msg_id=b"\x01" * 24, format="MQSTR")),
        "ORDERS",
    )
    assert set(found) == {b"MQSC_QUEUE", *(b"MQSC_" + name.upper().encode() for name in FIELDS)}
    assert (found[b"MQSC_QUEUE"], found[b"MQSC_FORMAT"], found[b"MQSC_MSG_ID"]) == (
        b"ORDERS",
        b"MQSTR",
        b"01" * 24,
    )


def test_text_of_a_message_is_only_a_value(tmp_path: Path) -> None:
    """No shell interprets it, and bytes that an environment variable cannot hold cause no
    failure.
    """
    descriptor = MessageDescriptor(
        reply_to_q="$(touch hacked)",
        user_identifier="a\0b\udc80",
        format="\ud800",
    )
    text = (
        "import os; open(os.environ['OUT'], 'w').write(os.environ['MQSC_REPLY_TO_Q'] + "
        "os.environ['MQSC_FORMAT'])"
    )
    running = MessagePrograms(
        [sys.executable, "-c", text],
        {**os.environ, "OUT": str(tmp_path / "out")},
    )
    running.process(Message(b"", descriptor), "Q")
    assert (tmp_path / "out").read_text() == "$(touch hacked)?"


@rows(
    ("import sys; sys.exit(3)", "exit status 3"),
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signal 9"),
    ("", "stopped"),
)
def test_a_program_that_fails_or_is_not_started_any_more(text: str, why: str) -> None:
    running = programs(text)
    if not text:
        running.end_all()
    with pytest.raises(ProgramFailedError, match=why):
        running.process(Message(b""), "Q")


SPAWN = """
import os, signal, subprocess, sys
ignoring = "import signal, sys; signal.signal(15, signal.SIG_IGN); print(flush=True); signal.pause()"
child = subprocess.Popen([sys.executable, "-c", ignoring], stdout=subprocess.PIPE)
child.stdout.readline()
open(sys.argv[1], "w").write(str(child.pid))
"""


def is_gone(child: Path) -> bool:
    """Return whether the process with this number has ended, or is a zombie that nobody has
    waited for.
    """
    try:
        return (
            Path(f"/proc/{int(child.read_text())}/stat").read_text().rpartition(")")[2].split()[0]
            == "Z"
        )
    except FileNotFoundError:
        return True


def test_a_timeout_ends_a_program_and_its_children_even_if_they_ignore_sigterm(
    tmp_path: Path,
) -> None:
    child = tmp_path / "child"
    for seconds in (1, 4, 16, 64):
        running = programs(SPAWN + "signal.pause()", str(child), timeout=seconds)
        with pytest.raises(
            ProgramFailedError,
            match=f"it ran longer than {seconds} s and was ended",
        ):
            running.process(Message(b""), "Q")
        # On a busy machine, the program may have had too little time to start its child.
        if child.exists() and child.read_text():
            break
    wait_until(lambda: is_gone(child))


def test_children_that_a_failed_program_leaves_behind_are_ended(tmp_path: Path) -> None:
    with pytest.raises(ProgramFailedError):
        programs(SPAWN + "sys.exit(1)", str(tmp_path / "child")).process(Message(b""), "Q")
    wait_until(lambda: is_gone(tmp_path / "child"))


@pytest.mark.parametrize("content", [None, "", "junk"])
def test_a_program_for_a_message_that_cannot_be_started(
    tmp_path: Path,
    content: str | None,
) -> None:
    path = tmp_path / "program"
    if content is not None:
        path.write_text(content)
        path.chmod(0o755 if content else 0o644)
    with pytest.raises(CannotStartError, match="program: "):
        MessagePrograms([str(path)], {}).process(Message(b""), "Q")


def test_a_shell_that_finds_no_program() -> None:
    with pytest.raises(CannotStartError, match="of a command that the shell cannot run"):
        MessagePrograms(["no-such-program 2>&-"], dict(os.environ), shell=True).process(
            Message(b""),
            "Q",
        )
