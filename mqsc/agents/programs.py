"""Programs that run beside a queue manager: started from lists of words, seen to their end, ended when too slow."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Event, Thread

from store.environment import MICROSECONDS, elapsed_real_seconds

# Between two looks at whether the agent is to stop.
LOOK_SECONDS = 0.05
# A program that is ended gets this long to tidy up before it is killed.
GRACE_SECONDS = 2.0
# What a program writes is talk: the standard output of an agent is data.
STANDARD_ERROR = 2
Process = subprocess.Popen[bytes]
WhenEnded = Callable[[int, "End"], None]


@dataclass(frozen=True, slots=True)
class End:
    """How a program ended: exit status (negative: the signal), microseconds of real time, whether it took too long."""

    exit_status: int
    run_time: int
    timed_out: bool


class Programs:
    """The programs that were started here and still run; at most `most` at a time, each at most `timeout` seconds.

    One that takes longer is asked to end, and killed `grace` seconds later.
    """

    def __init__(self, most: int | None = None, timeout: float | None = None, grace: float = GRACE_SECONDS) -> None:
        self._most = most
        self._timeout = timeout
        self._grace = grace
        self._running: dict[int, Process] = {}
        self._changed = Condition()
        self._left = False

    def start(self, words: Sequence[bytes], environment: Mapping[str, str], *, shell: bool = False) -> Process:
        """Start a program in a session of its own; OSError or ValueError when it cannot be."""
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

    def attend_to(self, process: Process, when_ended: WhenEnded) -> None:
        """See a program just started to its end, in a thread of its own; only then does it count as ended.

        `when_ended` is called there with its process number: nothing is told of an end before this call.
        """
        began = elapsed_real_seconds()
        Thread(target=self._see_to_its_end, args=(process, began, when_ended), daemon=True).start()

    def _see_to_its_end(self, process: Process, began: float, when_ended: WhenEnded) -> None:
        timed_out = False
        try:
            process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            _end(process, self._grace)
        run_time = round((elapsed_real_seconds() - began) * MICROSECONDS)
        with self._changed:
            if self._left:
                return
        try:
            when_ended(process.pid, End(process.returncode, run_time, timed_out))
        finally:
            with self._changed:
                del self._running[process.pid]
                self._changed.notify_all()

    def wait_for_room(self, stop: Event) -> None:
        """Wait until another program may be started, or the agent is to stop."""
        self._wait(lambda: self._most is None or len(self._running) < self._most, stop)

    def wait_for(self, process: Process, stop: Event) -> int | None:
        """Wait until that program has ended; its exit status, or None when the agent is to stop first."""
        self._wait(lambda: process.pid not in self._running, stop)
        return process.returncode

    def wait_for_all(self, stop: Event) -> None:
        """Wait until every program has ended, or the agent is to stop."""
        self._wait(lambda: not self._running, stop)

    def _wait(self, over: Callable[[], bool], stop: Event) -> None:
        with self._changed:
            while not stop.is_set() and not over():
                self._changed.wait(LOOK_SECONDS)

    def leave(self) -> list[int]:
        """Leave alone what still runs: the numbers of those processes, of whose end nothing will be told."""
        with self._changed:
            self._left = True
            return sorted(self._running)


def _end(process: Process, grace: float) -> None:
    """Ask a program and all it started to end, and kill them when they do not."""
    for number, patience in ((signal.SIGTERM, grace), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return
