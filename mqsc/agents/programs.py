"""The programs that agents start, without waiting for them."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Condition, Event, Thread

from msgspec import Struct

from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds

# How often a wait checks whether the agent must stop.
CHECK_SECONDS = 0.05
# The time between SIGTERM and SIGKILL.
GRACE_SECONDS = 2.0
# The exit codes of a shell that finds no program, or one that it may not run.
NOT_RUN_BY_SHELL = frozenset({126, 127})
# Programs write to the agent's stderr, because its stdout is data.
STANDARD_ERROR = 2
Process = subprocess.Popen[bytes]
WhenEnded = Callable[[int, "ProgramEnd"], None]


class ProgramEnd(Struct, frozen=True):
    """How a program ended: exit status (negative: the signal), microseconds of real time,
    whether it timed out.
    """

    exit_status: int
    run_time: int
    timed_out: bool


class Programs:
    """The programs started here that are still running: at most `max_running` at a time, `timeout`
    seconds each.

    A program that takes longer gets SIGTERM, and SIGKILL `grace` seconds later.
    """

    def __init__(
        self,
        max_running: int | None = None,
        timeout: float | None = None,
        grace: float = GRACE_SECONDS,
    ) -> None:
        self._max_running = max_running
        self._timeout = timeout
        self._grace = grace
        self._running: dict[int, Process] = {}
        self._changed = Condition()
        self._abandoned = False

    def start(
        self,
        words: Sequence[bytes],
        environment: Mapping[str, str],
        *,
        shell: bool = False,
    ) -> Process:
        """Start a program in its own session; raises OSError or ValueError when it cannot start."""
        process = subprocess.Popen(
            words[0] if shell else words,
            shell=shell,
            stdin=subprocess.DEVNULL,
            stdout=STANDARD_ERROR,
            env=environment,
            start_new_session=True,
        )
        with self._changed:
            self._running[process.pid] = process
        return process

    def watch(self, process: Process, when_ended: WhenEnded) -> None:
        """Wait for a program to end, in a new thread, and call `when_ended` there with its process
        number.

        The program counts as running until that call has returned.
        """
        began = elapsed_real_seconds()
        Thread(target=self._wait_for_end, args=(process, began, when_ended), daemon=True).start()

    def _wait_for_end(self, process: Process, began: float, when_ended: WhenEnded) -> None:
        timed_out = False
        try:
            process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            end_with_children(process, self._grace)
        run_time = round((elapsed_real_seconds() - began) * MICROSECONDS)
        with self._changed:
            if self._abandoned:
                return
        try:
            when_ended(process.pid, ProgramEnd(process.returncode, run_time, timed_out))
        finally:
            with self._changed:
                del self._running[process.pid]
                self._changed.notify_all()

    def wait_for_room(self, stop: Event) -> None:
        """Wait until another program may start, or `stop` is set."""
        self._wait(
            lambda: self._max_running is None or len(self._running) < self._max_running,
            stop,
        )

    def wait_for(self, process: Process, stop: Event) -> int | None:
        """Wait until that program has ended and return its exit status, or None when `stop` is
        set first.
        """
        self._wait(lambda: process.pid not in self._running, stop)
        return process.returncode

    def wait_for_all(self, stop: Event) -> None:
        """Wait until every program has ended, or `stop` is set."""
        self._wait(lambda: not self._running, stop)

    def _wait(self, done: Callable[[], bool], stop: Event) -> None:
        with self._changed:
            while not stop.is_set() and not done():
                self._changed.wait(CHECK_SECONDS)

    def abandon(self) -> list[int]:
        """Stop watching; return the process numbers of the programs still running, whose end is
        not reported.
        """
        with self._changed:
            self._abandoned = True
            return sorted(self._running)


def end_with_children(process: Process, grace: float) -> None:
    """End a program and its children with SIGTERM, then with SIGKILL. A grace of 0 is for one
    that has ended.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(grace)
    # Children may ignore SIGTERM.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
