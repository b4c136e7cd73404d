"""From trigger messages to commands, and programs from their start to their end, also those run
for a message.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from msgspec.structs import replace

from mqsc.agents.message_programs import MessagePrograms
from mqsc.agents.program_checks import shell_fault, start_fault
from mqsc.agents.programs import Process, ProgramEnd, Programs
from mqsc.agents.trigger_monitor import preview
from mqsc.agents.triggered_command import InvalidTriggerMessageError, command_of
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqtm
from mqsc.store.headers.mqtm import TriggerMessage
from mqsc.store.message import Message
from tests.mqsc.agents.conftest import Monitor
from tests.mqsc.agents.scripts import TELL, WAIT, Scripts, wait_until
from tests.rows import rows

TRIGGER = TriggerMessage("APPQ", "P1", "for APPQ", 6, "/bin/serve", "-v", "for P1")
TOLD = 732


def message(body: bytes, encoding: int = 546, ccsid: int = 1208) -> Message:
    return Message(
        body,
        MessageDescriptor(format="MQTRIG", encoding=encoding, coded_char_set_id=ccsid),
    )


@rows(
    ({}, ["/bin/serve", TOLD, "-v"], True),
    ({"env_data": ""}, ["/bin/serve", TOLD], True),
    ({"env_data": "-v &"}, ["/bin/serve", TOLD, "-v"], False),
    ({"env_data": "-v&   "}, ["/bin/serve", TOLD, "-v"], False),
    ({"env_data": "&"}, ["/bin/serve", TOLD], False),
    ({"env_data": "a & b"}, ["/bin/serve", TOLD, "a", "&", "b"], True),
    ({"env_data": r"a \&"}, ["/bin/serve", TOLD, "a", "&"], True),
    ({"env_data": "'a &'"}, ["/bin/serve", TOLD, "a &"], True),
    ({"appl_id": "python3 serve.py  --fast"}, ["python3", "serve.py", "--fast", TOLD, "-v"], True),
    ({"appl_id": "'/opt/two words/serve' x"}, ["/opt/two words/serve", "x", TOLD, "-v"], True),
    ({"appl_id": "serve; rm -rf $HOME"}, ["serve;", "rm", "-rf", "$HOME", TOLD, "-v"], True),
    ({"appl_id": "$(id) `id` > x | y"}, ["$(id)", "`id`", ">", "x", "|", "y", TOLD, "-v"], True),
    ({"appl_id": "serve\nnow"}, ["serve", "now", TOLD, "-v"], True),
    ({"appl_id": "serve\0rm"}, ["serve", TOLD, "-v"], True),
    ({"appl_id": "x" * 256}, ["x" * 256, TOLD, "-v"], True),
    ({"env_data": "# no comment"}, ["/bin/serve", TOLD, "#", "no", "comment"], True),
)
def test_the_words_of_a_command(
    changes: dict[str, Any],
    words: list[str | int],
    waits: bool,
) -> None:
    """With the MQTMC2 replaced by its length, and whether the monitor waits for the program."""
    command = command_of(message(mqtm.pack_mqtm(replace(TRIGGER, **changes))), "QM1")
    assert [
        len(word) if word.startswith(b"TMC ") else word.decode() for word in command.words
    ] == words
    assert command.waits is waits


@rows('"; rm -rf /; "', "$(id)`id`", "a\nb\r\n", "'", "\0\0NUL", "Grüße", "\x1b[2J", "\\")
def test_data_travels_in_one_argument_of_732_bytes(text: str) -> None:
    given = replace(TRIGGER, trigger_data=text, user_data=text)
    (_, told, _) = command_of(message(mqtm.pack_mqtm(given)), "QM1").words
    assert (len(told), told[:8], told[168:172], b"\0" in told) == (
        TOLD,
        b"TMC    2",
        b"    ",
        False,
    )
    read, whole = mqtm.MQTMC2.unpack(told, 546, 1208), text.partition("\0")[0].rstrip(" ")
    assert (read["trigger_data"], read["user_data"]) == (whole, whole)
    assert (read["q_name"], read["q_mgr_name"]) == ("APPQ", "QM1")


def test_the_line_for_a_shell_is_that_of_the_product() -> None:
    (line,) = command_of(
        message(mqtm.pack_mqtm(replace(TRIGGER, env_data="-v &"))),
        "QM1",
        shell=True,
    ).words
    assert line.startswith(b'/bin/serve "TMC    2APPQ')
    assert line.endswith(b'" -v &')
    assert len(line) == len('/bin/serve ""') + TOLD + len(" -v &")


GOOD = mqtm.pack_mqtm(TRIGGER)


@rows(
    (b"ten bytes!", 266, "10 bytes instead of 684"),
    (b"", 266, "0 bytes"),
    (GOOD + b"x", 266, "685 bytes"),
    (b"TMX " + GOOD[4:], 266, "StrucId"),
    (GOOD[:4] + (2).to_bytes(4, "little") + GOOD[8:], 266, "Version 2"),
    (mqtm.pack_mqtm(replace(TRIGGER, appl_type=11)), 267, "ApplType 11"),
    (mqtm.pack_mqtm(TriggerMessage("XQ", trigger_data="TO.QM2")), 267, "ApplType -1"),
    (mqtm.pack_mqtm(replace(TRIGGER, appl_id="")), 265, "APPLICID is blank"),
    (mqtm.pack_mqtm(replace(TRIGGER, appl_id=" \0 ")), 265, "APPLICID is blank"),
    (mqtm.pack_mqtm(replace(TRIGGER, appl_id="serve 'x")), 265, "APPLICID: no closing quotation"),
    (mqtm.pack_mqtm(replace(TRIGGER, env_data='"')), 265, "ENVRDATA: no closing quotation"),
)
def test_t57_t59_what_starts_nothing(body: bytes, feedback: int, why: str) -> None:
    with pytest.raises(InvalidTriggerMessageError, match=why) as unfit:
        command_of(message(body), "QM1")
    assert (unfit.value.feedback, unfit.value.trigger is None) == (feedback, feedback == 266)


@pytest.mark.parametrize(("encoding", "ccsid"), [(273, 1208), (546, 500), (273, 819)])
def test_a_trigger_message_may_come_in_another_encoding(encoding: int, ccsid: int) -> None:
    command = command_of(message(mqtm.pack_mqtm(TRIGGER, encoding, ccsid), encoding, ccsid), "QM1")
    assert (command.trigger, command.program) == (TRIGGER, "/bin/serve")


def test_a_preview_takes_and_starts_nothing(monitor: Monitor) -> None:
    monitor.process("/bin/serve fast", "-v &", "put m1 on APPQ\nput junk on INIT1")
    with monitor.qmgr.connect() as connection:
        start, fail = preview(connection, "INIT1", shell=False)
    assert (start["event"], start["queue"], start["process"], start["waits"]) == (
        "would start",
        "APPQ",
        "P1",
        False,
    )
    words = [len(word) if word.startswith("TMC ") else word for word in start["words"]]
    assert words == ["/bin/serve", "fast", 732, "-v"]
    assert (fail["event"], fail["queue"], fail["reason"]) == ("would fail", "INIT1", 266)
    assert (fail["why"], fail["dead_letter_queue"]) == (
        "not an MQTM: 4 bytes instead of 684",
        "DLQ",
    )
    monitor.play.run("depth INIT1 => 2\nDISPLAY QLOCAL(INIT1) IPPROCS => IPPROCS=1")
    with monitor.qmgr.connect() as connection:
        assert len([*preview(connection, "INIT1", shell=False)]) == 2
    assert monitor.told("PROGRAM") == []


NOT_THERE = "does not exist, or is not executable"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """An executable file whose content the test writes."""
    path = tmp_path / "program"
    path.touch(0o755)
    return path


@pytest.fixture
def formats(tmp_path: Path) -> Path:
    """An empty binfmt_misc folder: no additional executable formats are registered."""
    folder = tmp_path / "formats"
    folder.mkdir()
    for name in ("register", "status"):
        (folder / name).touch()
    return folder


@rows(
    ("#!/bin/sh\n", ""),
    ("#! \t/bin/sh -e\n", ""),
    ("#!/bin/sh\t-e", ""),
    ("#!/no/such/program\n", f"its interpreter '/no/such/program' {NOT_THERE}"),
    ("#!/bin/sh\r\n", f"its interpreter '/bin/sh\\r' {NOT_THERE}"),
    ("#!/usr\n", f"its interpreter '/usr' {NOT_THERE}"),
    ("#!\n", f"its interpreter '' {NOT_THERE}"),
    ("\x7fELF", ""),
    ("echo without a first line\n", "Exec format error"),
    ("", "Exec format error"),
)
def test_the_beginning_of_a_file_says_whether_it_can_be_started(
    program: Path,
    formats: Path,
    content: str,
    fault: str,
) -> None:
    program.write_bytes(content.encode())
    assert start_fault(str(program), formats) == fault
    if sys.platform == "linux" and content != "\x7fELF":
        assert is_started(program) is (fault == "")


def is_started(program: Path) -> bool:
    """Start the program, to compare the check with the system's own answer."""
    try:
        subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError:
        return False
    return True


def test_an_interpreter_may_be_a_script_itself(tmp_path: Path, program: Path) -> None:
    """But not that script."""
    second = tmp_path / "second"
    program.write_text(f"#!{second}\n")
    assert start_fault(str(program)) == f"its interpreter {str(second)!r} {NOT_THERE}"
    second.write_text("#!/bin/sh\n")
    second.chmod(0o755)
    assert start_fault(str(program)) == ""
    program.write_text(f"#!{program}\n")
    assert (start_fault(str(program)), is_started(program)) == ("too many interpreters", False)


@pytest.mark.parametrize("mode", [0o644, None])
def test_a_file_that_is_not_executable_or_not_there(program: Path, mode: int | None) -> None:
    program.unlink() if mode is None else program.chmod(mode)
    assert start_fault(str(program)) == "no such program, or it is not executable"


@pytest.mark.skipif(sys.platform != "linux", reason="binfmt_misc is Linux's")
def test_a_system_that_was_told_of_other_formats_decides_itself(
    program: Path,
    formats: Path,
) -> None:
    program.write_text("of another format")
    assert start_fault(str(program), formats) == "Exec format error"
    (formats / "qemu-arm").touch()
    assert start_fault(str(program), formats) == ""


def test_a_name_is_looked_up_in_path(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    shutil.copy("/bin/sh", program)
    assert start_fault(program.name) == ""


@rows(
    *(("cat >> orders.txt", True), ("no-such-program", True), ("exit 3", True)),
    *(("if true", False), ("cat 'orders", False), ("cat |", False)),
)
def test_a_line_is_parsed_by_a_shell_and_not_run(line: str, parsed: bool) -> None:
    assert (shell_fault(line) == "") is parsed


NEVER, TOLD_TO_STOP = Event(), Event()
TOLD_TO_STOP.set()
PAUSE = "import signal\nwhile True: signal.pause()"


class Ends(dict[int, ProgramEnd]):
    """Records the ends that `Programs` reports, by process."""

    def __call__(self, number: int, end: ProgramEnd) -> None:
        self[number] = end


def words(scripts: Scripts, text: str, *arguments: bytes) -> list[bytes]:
    return [*(word.encode() for word in shlex.split(scripts.make("program.py", text))), *arguments]


def started(
    programs: Programs,
    command: list[bytes],
    ends: Ends,
    *,
    shell: bool = False,
) -> Process:
    process = programs.start(command, dict(os.environ), shell=shell)
    programs.watch(process, ends)
    return process


def test_nothing_is_told_before_it_is_attended_to(scripts: Scripts) -> None:
    """A program gets the environment that it is given."""
    programs, ends = Programs(), Ends()
    text = "import os\nopen({told!r}, 'w').write(os.environ['MQSC_QMGR'].encode().hex())"
    process = programs.start(words(scripts, text), {**os.environ, "MQSC_QMGR": "QM1"})
    wait_until(lambda: scripts.told)
    assert (ends, scripts.told) == ({}, [["QM1"]])
    programs.watch(process, ends)
    programs.wait_for(process, NEVER)
    assert [*ends] == [process.pid]


@pytest.mark.parametrize("status", [0, 3])
def test_a_program_is_seen_to_its_end(scripts: Scripts, status: int) -> None:
    programs, ends = Programs(), Ends()
    process = started(
        programs,
        words(scripts, f"{TELL}\nsys.exit({status})", b"$(id)", b"a b"),
        ends,
    )
    assert programs.wait_for(process, NEVER) == status
    (end,) = ends.values()
    assert (end.exit_status, end.timed_out, 0 < end.run_time < 60_000_000) == (status, False, True)
    assert (scripts.told, programs.abandon()) == ([["$(id)", "a b"]], [])


@pytest.mark.parametrize("first", [b"/no/such", b"/", b"/etc/passwd", b"", b"x" * 300, b"nul\0"])
def test_what_cannot_be_started(first: bytes) -> None:
    programs = Programs()
    with pytest.raises((OSError, ValueError)):
        programs.start([first], {})
    programs.wait_for_all(NEVER)


# A program inherits the set of ignored signals.
@rows((signal.SIG_DFL, -signal.SIGTERM), (signal.SIG_IGN, -signal.SIGKILL))
def test_a_program_that_takes_too_long_is_ended(
    scripts: Scripts,
    disposition: signal.Handlers,
    status: int,
) -> None:
    programs, ends = Programs(timeout=0.1, grace=0.1), Ends()
    before = signal.signal(signal.SIGTERM, disposition)
    try:
        process = started(programs, words(scripts, PAUSE), ends)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert (programs.wait_for(process, NEVER), ends[process.pid].timed_out) == (status, True)
    assert ends[process.pid].run_time >= 100_000


def test_room_is_limited(scripts: Scripts) -> None:
    programs, ends = Programs(max_running=1), Ends()
    programs.wait_for_room(NEVER)
    process = started(programs, words(scripts, WAIT), ends)
    programs.wait_for_room(TOLD_TO_STOP)
    assert ends == {}
    scripts.let_through()
    programs.wait_for_room(NEVER)
    assert [*ends] == [process.pid]


def test_what_still_runs_is_left_alone(scripts: Scripts) -> None:
    """It has a session of its own."""
    programs, ends = Programs(), Ends()
    process = started(programs, words(scripts, WAIT), ends)
    with suppress(ProcessLookupError):
        assert os.getsid(process.pid) == process.pid
    assert programs.wait_for(process, TOLD_TO_STOP) is None
    programs.wait_for_all(TOLD_TO_STOP)
    assert programs.abandon() == [process.pid]
    scripts.let_through()
    wait_until(lambda: process.returncode is not None)
    assert ends == {}


def test_a_shell_interprets_its_line(scripts: Scripts) -> None:
    programs, line = Programs(), scripts.make("program.py", TELL).encode() + b' "$((1 + 1))"'
    process = started(programs, [line], Ends(), shell=True)
    assert (programs.wait_for(process, NEVER), scripts.told) == (0, [["2"]])


def programs(text: str, *words: str, timeout: float | None = None) -> MessagePrograms:
    return MessagePrograms(
        [sys.executable, "-c", text, *words],
        dict(os.environ),
        timeout=timeout,
        grace=0.2,
    )
