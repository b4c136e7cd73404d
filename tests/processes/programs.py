"""Other processes on the store under test: told what to do line by line, stopped, and killed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.source import ROOT

# Longer than any machine needs.
PATIENCE_SECONDS = 60.0


class Program:
    """A process that plays the lines of a scenario; it is killed on leaving the block."""

    def __init__(self, url: str, patience: float | None = None) -> None:
        """It is ready when this returns; `patience` is how many seconds its calls wait for other programs."""
        self.start(url, *(() if patience is None else (str(patience),)))
        assert self.answer() == "ready"

    def start(self, *arguments: str) -> None:
        """Start the process."""
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "tests.processes.player", *arguments]
        self._said = b""
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def run(self, text: str) -> None:
        """Play lines; AssertionError shows what came out otherwise."""
        for line in filter(None, (each.strip() for each in text.splitlines())):
            self.begin(line)
            assert (answer := self.answer()) == "done", answer

    def begin(self, line: str) -> None:
        """Have a line played without waiting for its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def answer(self) -> str:
        """What came of the line that was begun; what there is of it when the process ends or nothing comes."""
        assert self.process.stdout is not None
        said = self.process.stdout.fileno()
        while b"\n" not in self._said and select.select([said], [], [], PATIENCE_SECONDS)[0]:
            more = os.read(said, 1 << 16)
            if not more:
                break
            self._said += more
        answer, _, self._said = self._said.partition(b"\n")
        return answer.decode()

    def stop(self) -> None:
        """SIGSTOP: it holds on to all it has, and does nothing; returns when it has stopped."""
        os.kill(self.process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)

    def go_on(self) -> None:
        """SIGCONT."""
        os.kill(self.process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """SIGKILL; returns when it is gone."""
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


def run_program(text: str, *arguments: str | Path, obeying: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a program given as text in a Python of its own until it ends.

    With `obeying` it may only do what the modes of files and folders allow, the superuser too.
    """
    # Newer Pythons warn of a fork while threads run; that nothing comes of it is what such a program is to show.
    quiet = ("-W", "ignore::DeprecationWarning")
    command = [sys.executable, *quiet, "-c", text, *map(str, arguments)]
    if obeying and os.geteuid() == 0:
        command = [sys.executable, "-c", _OBEY, *command]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)


# CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH are taken out of what the next exec may have (PR_CAPBSET_DROP).
_OBEY = """
import ctypes, os, sys
for capability in (1, 2):
    if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0):
        sys.exit("a capability cannot be given up")
os.execv(sys.argv[1], sys.argv[1:])
"""
