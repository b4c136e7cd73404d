"""Calls of IBM's programs: which only read, and what is said when one fails (N08)."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from mqsc.targets.calls import READING_CALLS, CallFailedError, Output, end_all
from mqsc.targets.programs import call, read, why_failed
from mqsc.targets.target import Target
from tests.mqsc.targets.far_end import FarEnd

# The options of dmpmqmsg that do no more than name, browse and print.
HARMLESS = {"-m", "-i", "-f", "-r"}


def test_what_is_called_to_read_cannot_change_a_queue_manager() -> None:
    """By the documentation of IBM: dmpmqcfg only inquires, -i of dmpmqmsg browses, and DISPLAY is
    the only command that runmqsc gets.
    """
    assert {each.program for each in READING_CALLS.values()} == {"dmpmqcfg", "runmqsc", "dmpmqmsg"}
    for each in READING_CALLS.values():
        assert all(command.startswith("DISPLAY ") for command in each.commands)
        assert not any(";" in command or "\n" in command for command in each.commands)
        options = {word for word in each.arguments if word.startswith("-")}
        if each.program == "runmqsc":
            assert not options
        else:
            assert not each.commands
        if each.program == "dmpmqmsg":
            assert options == HARMLESS
            assert each.arguments[each.arguments.index("-f") + 1] == "stdout"
        if each.program == "dmpmqcfg":
            assert options == {"-m", "-a", "-x", "-o"}


def test_values_of_a_call_are_single_words(tmp_path: Path) -> None:
    far = FarEnd(tmp_path / "far", "QM 1; id")
    far.script("dmpmqmsg", "printf '<%s>' \"$@\"")
    output = read(far.target, "messages", queue="A -I B", most=7)
    assert output.out == b"<-m><QM 1; id><-i><A -I B><-f><stdout><-r><1..7>"


def test_a_call_passes_everything_on(tmp_path: Path) -> None:
    far = FarEnd(tmp_path / "far")
    far.script("runmqsc", "cat\necho no >&2\nexit 10")
    output = call(far.target, "runmqsc", [], standard_input=b"\xff\0 text")
    assert output == Output(10, b"\xff\0 text", b"no\n")


# What a program or those before it wrote, with its exit code, and what is said.
FAILURES = [
    ("AMQ8135E: Not authorized.", 20, "not authorized: the user may not do this at PROD"),
    ("AMQ4036: Access not permitted.", 1, "not authorized: the user may not do this at PROD"),
    ("MQCONNX ended with reason code 2035", 1, "not authorized: the user may not do this at PROD"),
    (
        "AMQ8118E: Der WS-Manager ist nicht vorhanden.",
        20,
        "the queue manager PROD does not exist there",
    ),
    ("AMQ8146E: IBM MQ queue manager not available.", 20, "the queue manager PROD is not running"),
    (
        "AMQ8146E: キュー・マネージャーは使用できません。",
        20,
        "the queue manager PROD is not running",
    ),
    ("AMQ9202E: Remote host not available", 20, "the queue manager PROD cannot be reached"),
    ("Error: No such container: mq", 1, "the container does not exist"),
    ('Error from server (NotFound): pods "qm-0" not found', 1, "the container does not exist"),
    ("Error response from daemon: Container 12 is not running", 1, "the container is not running"),
    (
        "mqm@host: Permission denied (publickey,password).",
        255,
        "via asks for a password or a confirmation, which nobody can give here: use a key (try it "
        "with BatchMode=yes)",
    ),
    ("Host key verification failed.", 255, "via asks for a password or a confirmation, which"),
    ("sudo: a password is required", 1, "via asks for a password or a confirmation, which"),
    ("ssh: connect to host h port 22: Connection refused", 255, "the host cannot be reached"),
    ("sh: 1: dmpmqcfg: not found", 127, "the program dmpmqcfg does not exist there"),
    ("", 127, "the program does not exist there"),
    ("", -9, "killed by signal 9"),
    ("something else\nand more", 3, "exit code 3: something else"),
    ("\x1b[31mred", 3, "exit code 3: \\x1b[31mred"),
]


@pytest.mark.parametrize(("text", "code", "said"), FAILURES)
def test_each_failure_has_a_sentence(text: str, code: int, said: str) -> None:
    """N08."""
    target = Target("prod", "PROD", ("via",))
    for output in (Output(code, b"", text.encode()), Output(code, text.encode(), b"")):
        assert why_failed(output, target, "dmpmqcfg").startswith(said)


def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    """N08: exit code 20, and the sentence names the target and the program."""
    absent = Target("prod", "QM1", (str(tmp_path / "none"),))
    with pytest.raises(
        CallFailedError, match=r"prod: runmqsc: there is no program .*none"
    ) as error:
        call(absent, "runmqsc", [])
    assert (error.value.exit_code, error.value.output) == (20, None)
    (tmp_path / "text").touch(0o600)
    with pytest.raises(CallFailedError, match="cannot be started: Permission denied"):
        call(Target("prod", "QM1", (str(tmp_path / "text"),)), "runmqsc", [])


def test_a_program_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    """N08."""
    far = FarEnd(tmp_path / "far")
    held = tmp_path / "held"
    os.mkfifo(held)
    reading = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    far.script("runmqsc", f"echo some\n(echo begun; exec sleep 600) > {held} &\nwait")
    with pytest.raises(CallFailedError, match="has not ended after 5 s, and was killed") as error:
        call(far.target, "runmqsc", [], limit_seconds=5)
    assert error.value.output is not None
    assert error.value.output.out == b"some\n"
    # The end is read when no process has the other side open any more.
    os.set_blocking(reading, True)
    with open(reading, "rb") as until_its_end:
        assert until_its_end.read() == b"begun\n"


def test_programs_of_threads_can_be_killed(tmp_path: Path) -> None:
    far = FarEnd(tmp_path / "far")
    os.mkfifo(tmp_path / "started")
    far.script("runmqsc", f"echo > {tmp_path / 'started'}\nexec sleep 600")
    failures: list[str] = []

    def wait() -> None:
        try:
            call(far.target, "runmqsc", [])
        except CallFailedError as error:
            failures.append(error.message)

    thread = threading.Thread(target=wait)
    thread.start()
    (tmp_path / "started").read_bytes()
    end_all()
    thread.join()
    assert failures == ["far: runmqsc: killed by signal 9"]
