"""Campaigns of kills: programs are killed at random moments, each at its own time, and a failure
is an exception.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from signal import SIGKILL
from typing import NamedTuple

from tests.processes.programs import Program

# A program that is not at work after this time is killed nevertheless.
PATIENCE_SECONDS = 20.0
BETWEEN_LOOKS_SECONDS = 0.002
# The share of programs that are killed only once they are at work; the others at any moment after
# their start.
AT_WORK = 0.8


class Broken(Exception):
    """A guarantee under test was violated."""


class Victim(NamedTuple):
    """A program to kill, at most so many seconds after it is at work. It says something when it
    is.
    """

    program: Program
    longest_life: float


def kill_each(victims: Sequence[Victim], chance: random.Random) -> None:
    """Kill the programs. On a busy machine they would be killed before they work if it were not
    for what they say.
    """
    impatient = time.monotonic() + PATIENCE_SECONDS
    lives = {each.program: chance.uniform(0, each.longest_life) for each in victims}
    waiting = {each.program for each in victims if chance.random() < AT_WORK}
    ends = {each: time.monotonic() + life for each, life in lives.items() if each not in waiting}
    while waiting or ends:
        time.sleep(BETWEEN_LOOKS_SECONDS)
        now = time.monotonic()
        at_work = {each for each in waiting if now > impatient or not each.is_silent(0)}
        waiting -= at_work
        ends.update({each: now + lives[each] for each in at_work})
        for each in [each for each, end in ends.items() if end <= now]:
            each.signal(SIGKILL)
            del ends[each]
    for each in lives:
        with each:
            if each.wait() != -SIGKILL:
                raise Broken(f"a program ended by itself with {each.wait()}")
