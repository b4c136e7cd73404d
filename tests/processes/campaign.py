"""Campaigns of kills and of interruptions: their command line, the kills, and the exception for a failure."""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.source import ROOT

# A program that is not at work after this time is killed nevertheless.
PATIENCE_SECONDS = 20.0
BETWEEN_LOOKS_SECONDS = 0.002


class Broken(Exception):
    """A guarantee under test was violated."""


class Victim(NamedTuple):
    """A process to kill, `life` seconds after it is at work."""

    process: int
    is_at_work: Callable[[], bool]
    life: float


def at_once() -> bool:
    """A process is killed at any moment after its start."""
    return True


def kill_each(victims: Sequence[Victim]) -> None:
    """Kill the processes, each at its own time. On a busy machine they would otherwise be killed before they work."""
    impatient = time.monotonic() + PATIENCE_SECONDS
    ends: dict[int, float] = {}
    alive = list(victims)
    while alive:
        time.sleep(BETWEEN_LOOKS_SECONDS)
        now = time.monotonic()
        for each in list(alive):
            if each.process not in ends and (now > impatient or each.is_at_work()):
                ends[each.process] = now + each.life
            if each.process in ends and ends[each.process] <= now:
                os.kill(each.process, signal.SIGKILL)
                alive.remove(each)


def command_line(run: Callable[[Path, int, int], str], what: str, by_default: int) -> None:
    """Run a campaign with the folder, number and seed given as arguments; print its summary line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument(f"--{what}", dest="number", type=int, default=by_default)
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(1 << 32)
    try:
        print(run(chosen.folder, chosen.number, seed))
    except Broken as broken:
        print(f"seed {seed}: {broken}")
        sys.exit(1)
    except BaseException:
        print(f"seed {seed}")
        raise


def held(driver: str, folder: Path, what: str, number: str) -> None:
    """Run a campaign in a process of its own and show its summary, which has the seed; AssertionError if it broke."""
    command = [sys.executable, "-m", f"tests.processes.{driver}", str(folder), f"--{what}", number]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.rstrip().endswith(("held", "nothing left behind")), ran.stdout
