"""The cells of the kill matrix (poison-and-channels §4), and the programs that are killed in them.

Run as a program, this is a server that has imported everything in advance. For each line of input, a cell with its
folders as JSON, it forks a program that runs the channel and kills itself at the step; the answer is the signal that
ended the program, or 0.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from pathlib import Path
from typing import NamedTuple

from mqsc.channels.link import Step
from store.constants import MQCHS
from tests.processes.channel_world import Folders, Hook, Kind, opened
from tests.source import ROOT


class Point(NamedTuple):
    """A moment of a run: the step, the number of the message, and how many times to let the step pass before acting."""

    name: str
    step: Step
    number: int = 0
    passed: int = 1

    def hook(self, act: Hook) -> Hook:
        """Return a hook that calls `act` at this moment."""
        left = [self.passed]

        def hook(step: Step, number: int) -> None:
            if (step, number) == (self.step, self.number):
                left[0] -= 1
                if left[0] < 0:
                    act(step, number)

        return hook


# All are in the second batch of three; its second message is retried and dead-lettered.
MOMENTS = (
    Point("S1", Step.S1, 2),
    *(
        Point(f"{step.value} {name}", step, at)
        for step in (Step.S2, Step.R1)
        for at, name in enumerate(("first", "middle", "last"), 1)
    ),
    Point("S3", Step.S3),
    Point("S4 before", Step.S4_BEFORE),
    Point("S4 after", Step.S4_AFTER),
    Point("R2 before", Step.R2_BEFORE),
    Point("R2 after", Step.R2_AFTER),
    Point("S5 before", Step.S5_BEFORE),
    Point("S5 after", Step.S5_AFTER),
    Point("retry wait", Step.RETRY_WAIT, 2, passed=0),
    Point("dead-letter put", Step.DEAD_LETTER, 2, passed=0),
)
# Batches of FAST messages alone have no sequence number and are not prepared.
_NUMBERED = frozenset({Step.S4_BEFORE, Step.S4_AFTER, Step.S5_BEFORE, Step.S5_AFTER})


class Cell(NamedTuple):
    """A moment, the kind of the messages, and whether each queue manager has its own store."""

    moment: Point
    kind: Kind
    two: bool

    @property
    def name(self) -> str:
        return f"{self.moment.name}, {self.kind.value}, {'two stores' if self.two else 'one store'}"

    @property
    def is_reached(self) -> bool:
        return self.kind is not Kind.FAST or self.moment.step not in _NUMBERED


CELLS = [Cell(moment, kind, two) for two in (False, True) for kind in Kind for moment in MOMENTS]


def kill_self(step: Step, number: int) -> None:
    """Kill this process, as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


class Killer:
    """The client of the server."""

    def __init__(self) -> None:
        # Python 3.12 and later warn about a fork while threads run.
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-m", "tests.processes.channel_cells"]
        pipe = subprocess.PIPE
        self._server = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def play(self, cell: Cell, folders: Folders) -> int:
        """Run the channel until it is killed in that cell; return the signal that ended the process, or 0."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps([CELLS.index(cell), str(folders.own), str(folders.partner)]) + "\n")
        return int(self._server.stdout.readline())

    def close(self) -> None:
        self._server.communicate()


def _play(line: str) -> None:
    index, own, partner = json.loads(line)
    cell = CELLS[index]
    with opened(Folders(Path(own), Path(partner), cell.two)) as world:
        ending = world.run(cell.moment.hook(kill_self))
    os._exit(0 if ending.status == MQCHS.INACTIVE else 1)


def serve() -> None:
    """Answer each line until the input ends."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                _play(line)
            except BaseException:
                traceback.print_exc()
                os._exit(2)
        _, status = os.waitpid(child, 0)
        print(os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status), flush=True)


if __name__ == "__main__":
    serve()
