"""The cells of the kill matrix (poison-and-channels §4), and the programs that are killed in them.

Run as a program, it is a server that has everything imported. For each line, a cell with its folders as JSON, it forks
a program that runs the channel and kills itself at the step, and answers with the signal that ended it, or 0.
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
    """A moment of a run: the step, the number of the message, and how many times it is passed before."""

    name: str
    step: Step
    number: int = 0
    passed: int = 1

    def hook(self, act: Hook) -> Hook:
        """A hook that acts at this moment."""
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
# FAST messages alone are neither numbered nor prepared.
_NUMBERED = frozenset({Step.S4_BEFORE, Step.S4_AFTER, Step.S5_BEFORE, Step.S5_AFTER})


class Cell(NamedTuple):
    """A moment, what kind of messages there are, and whether there are two stores."""

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
    """End this program as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


class Killer:
    """The server, as those who have cells played see it."""

    def __init__(self) -> None:
        # Newer Pythons warn of a fork while threads run.
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-m", "tests.processes.channel_cells"]
        pipe = subprocess.PIPE
        self._server = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def play(self, cell: Cell, folders: Folders) -> int:
        """Have the channel run, and killed in that cell; the signal that ended its program, or 0."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps([CELLS.index(cell), str(folders.own), str(folders.partner)]) + "\n")
        return int(self._server.stdout.readline())

    def close(self) -> None:
        """End the server."""
        self._server.communicate()


def _play(line: str) -> None:
    index, own, partner = json.loads(line)
    cell = CELLS[index]
    with opened(Folders(Path(own), Path(partner), cell.two)) as world:
        ending = world.run(cell.moment.hook(kill_self))
    os._exit(0 if ending.status == MQCHS.INACTIVE else 1)


def serve() -> None:
    """Answer line by line until the input ends."""
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
