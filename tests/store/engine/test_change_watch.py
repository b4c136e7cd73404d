"""Threads that wait: who watches the store, and who sleeps until when."""

from __future__ import annotations

import pytest

from store.engine.change_watch import LOOK_SECONDS, NEVER, ChangeWatch, Sleeper
from store.environment import FrozenClock

VERSION = 7


class Recorded(Sleeper):
    """A sleeper that notes how long it is to sleep."""

    def __init__(self, *, concerned: bool) -> None:
        super().__init__(lambda: concerned)
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def watch() -> ChangeWatch:
    """A watch on a store of that version, with a watcher."""
    made = ChangeWatch(lambda: VERSION, FrozenClock(0))
    made.pause(Sleeper(lambda: False), 0)
    return made


# (version seen, whether the store concerns the sleeper, what it sleeps, whether it is told to look)
@pytest.mark.parametrize(
    ("seen", "concerned", "slept", "looks"),
    [
        (VERSION, True, [LOOK_SECONDS], False),
        (VERSION - 1, True, [], True),
        (VERSION - 1, False, [LOOK_SECONDS], False),
        # A get that leaves a message to another one must let time pass before it looks again.
        (NEVER, True, [LOOK_SECONDS], True),
    ],
)
def test_a_sleeper(watch: ChangeWatch, seen: int, concerned: bool, slept: list[float], looks: bool) -> None:
    sleeper = Recorded(concerned=concerned)
    sleeper.seen = seen
    assert watch.pause(sleeper, LOOK_SECONDS) is looks
    assert sleeper.slept == slept
    watch.end(sleeper)


def test_the_longest_sleeper_takes_over(watch: ChangeWatch) -> None:
    first, second = Recorded(concerned=False), Recorded(concerned=False)
    watcher = watch._watcher
    assert watcher is not None
    for sleeper in (first, second):
        watch.pause(sleeper, LOOK_SECONDS)
    watch.end(watcher)
    assert watch._watcher is first
    watch.end(second)
    watch.end(first)
    assert watch._watcher is None
