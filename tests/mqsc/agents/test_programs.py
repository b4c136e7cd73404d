"""Programs are started, watched until they end, limited in number and run time, and left running at the end."""

from __future__ import annotations

import os
import shlex
import signal
from contextlib import suppress
from threading import Event

import pytest

from mqsc.agents.programs import Process, ProgramEnd, Programs
from tests.mqsc.agents.scripts import TELL, WAIT, Scripts, wait_until

NEVER = Event()
PAUSE = "import signal\nwhile True: signal.pause()"


class Ends:
    """Records the ends that `Programs` reports, by process."""

    def __init__(self) -> None:
        self.seen: dict[int, ProgramEnd] = {}

    def __call__(self, number: int, end: ProgramEnd) -> None:
        self.seen[number] = end


def words(scripts: Scripts, text: str, *arguments: bytes) -> list[bytes]:
    return [*(word.encode() for word in shlex.split(scripts.make("program.py", text))), *arguments]


def started(programs: Programs, command: list[bytes], ends: Ends) -> Process:
    process = programs.start(command, dict(os.environ))
    programs.watch(process, ends)
    return process


def test_nothing_is_told_before_it_is_attended_to(scripts: Scripts) -> None:
    programs, ends = Programs(), Ends()
    process = programs.start(words(scripts, TELL), dict(os.environ))
    wait_until(lambda: scripts.told)
    assert ends.seen == {}
    programs.watch(process, ends)
    programs.wait_for(process, NEVER)
    assert list(ends.seen) == [process.pid]


@pytest.mark.parametrize("status", [0, 3])
def test_a_program_is_seen_to_its_end(scripts: Scripts, status: int) -> None:
    programs, ends = Programs(), Ends()
    process = started(programs, words(scripts, f"{TELL}\nsys.exit({status})", b"$(id)", b"a b"), ends)
    assert programs.wait_for(process, NEVER) == status
    (end,) = ends.seen.values()
    assert (end.exit_status, end.timed_out) == (status, False)
    assert 0 < end.run_time < 60_000_000
    assert scripts.told == [["$(id)", "a b"]]
    assert programs.abandon() == []


def test_a_program_gets_the_environment_it_is_given(scripts: Scripts) -> None:
    programs = Programs()
    text = "import os\nopen({told!r}, 'w').write(os.environ['MQSC_QMGR'].encode().hex())"
    process = programs.start(words(scripts, text), {**os.environ, "MQSC_QMGR": "QM1"})
    programs.watch(process, Ends())
    programs.wait_for(process, NEVER)
    assert scripts.told == [["QM1"]]


@pytest.mark.parametrize("first", [b"/no/such", b"/", b"/etc/passwd", b"", b"x" * 300, b"nul\0"])
def test_what_cannot_be_started(first: bytes) -> None:
    programs = Programs()
    with pytest.raises((OSError, ValueError)):
        programs.start([first], {})
    programs.wait_for_all(NEVER)


# A program inherits the set of ignored signals.
@pytest.mark.parametrize(
    ("disposition", "status"), [(signal.SIG_DFL, -signal.SIGTERM), (signal.SIG_IGN, -signal.SIGKILL)]
)
def test_a_program_that_takes_too_long_is_ended(scripts: Scripts, disposition: signal.Handlers, status: int) -> None:
    programs, ends = Programs(timeout=0.1, grace=0.1), Ends()
    before = signal.signal(signal.SIGTERM, disposition)
    try:
        process = started(programs, words(scripts, PAUSE), ends)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert programs.wait_for(process, NEVER) == status
    assert ends.seen[process.pid].timed_out
    assert ends.seen[process.pid].run_time >= 100_000


def test_room_is_limited(scripts: Scripts) -> None:
    programs, ends = Programs(max_running=1), Ends()
    programs.wait_for_room(NEVER)
    process = started(programs, words(scripts, WAIT), ends)
    told_to_stop = Event()
    told_to_stop.set()
    programs.wait_for_room(told_to_stop)
    assert ends.seen == {}
    scripts.let_through()
    programs.wait_for_room(NEVER)
    assert list(ends.seen) == [process.pid]


def test_what_still_runs_is_left_alone(scripts: Scripts) -> None:
    programs, ends = Programs(), Ends()
    process = started(programs, words(scripts, WAIT), ends)
    told_to_stop = Event()
    told_to_stop.set()
    assert programs.wait_for(process, told_to_stop) is None
    programs.wait_for_all(told_to_stop)
    assert programs.abandon() == [process.pid]
    scripts.let_through()
    wait_until(lambda: process.returncode is not None)
    assert ends.seen == {}


def test_a_program_has_a_session_of_its_own(scripts: Scripts) -> None:
    programs = Programs()
    process = started(programs, words(scripts, WAIT), Ends())
    with suppress(ProcessLookupError):
        assert os.getsid(process.pid) == process.pid
    scripts.let_through()
    programs.wait_for_all(NEVER)


def test_a_shell_interprets_its_line(scripts: Scripts) -> None:
    programs = Programs()
    line = scripts.make("program.py", TELL).encode() + b' "$((1 + 1))"'
    process = programs.start([line], dict(os.environ), shell=True)
    programs.watch(process, Ends())
    assert programs.wait_for(process, NEVER) == 0
    assert scripts.told == [["2"]]
