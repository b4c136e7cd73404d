"""Other processes on the store under test, which can be given scenario lines, stopped and killed."""

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

# Much longer than needed even on a slow machine, so reaching it is a failure.
PATIENCE_SECONDS = 60.0


class Program:
    """A process that runs scenario lines; leaving the block kills it."""

    def __init__(self, url: str, patience: float | None = None) -> None:
        """Start the process and wait until it is ready. Its calls wait `patience` seconds for a held store."""
        self.start(url, *(() if patience is None else (str(patience),)))
        assert self.answer() == "ready"

    def start(self, *arguments: str) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "tests.processes.player", *arguments]
        self._said = b""
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def run(self, text: str) -> None:
        """Run lines one after the other; AssertionError shows the first failure."""
        for line in filter(None, (each.strip() for each in text.splitlines())):
            self.begin(line)
            assert (answer := self.answer()) == "done", answer

    def begin(self, line: str) -> None:
        """Send a line without waiting for its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def answer(self) -> str:
        """Return the answer to the line sent last; incomplete if the process ends or PATIENCE_SECONDS pass."""
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
        """Stop the process with SIGSTOP, so that it keeps its locks but does nothing; return when it has stopped."""
        os.kill(self.process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)

    def go_on(self) -> None:
        """Continue the process with SIGCONT."""
        os.kill(self.process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill the process with SIGKILL; return when it has ended."""
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
    """Run a Python program given as text until it ends.

    With `obeying`, file permissions apply to it even if the tests run as root.
    """
    # Python 3.12 and later warn about a fork while threads run; such forks are what some of these programs test.
    quiet = ("-W", "ignore::DeprecationWarning")
    command = [sys.executable, *quiet, "-c", text, *map(str, arguments)]
    if obeying and os.geteuid() == 0:
        command = [sys.executable, "-c", _OBEY, *command]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)


# Drops CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH from the bounding set before exec (PR_CAPBSET_DROP).
_OBEY = """
import ctypes, os, sys
for capability in (1, 2):
    if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0):
        sys.exit("a capability cannot be given up")
os.execv(sys.argv[1], sys.argv[1:])
"""
