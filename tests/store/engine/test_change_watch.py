"""Who watches for changes of the store."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from mqsc.store.engine.change_watch import LOOK_SECONDS, NEVER, ChangeWatch, Sleeper
from mqsc.store.environment import FrozenClock
from mqsc.store.sql.statistics import WaitPlace, WaitState
from tests.rows import rows

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
    made = ChangeWatch(lambda: VERSION, FrozenClock(0), lambda places: {})
    made.pause(Sleeper(lambda: False), 0)
    return made


# (version seen, whether the store concerns the sleeper, what it sleeps, whether it is told to look)
@rows(
    (VERSION, True, [LOOK_SECONDS], False),
    (VERSION - 1, True, [], True),
    (VERSION - 1, False, [LOOK_SECONDS], False),
    # A get that leaves a message to another one must let time pass before it looks again.
    (NEVER, True, [LOOK_SECONDS], True),
)
def test_a_sleeper(
    watch: ChangeWatch,
    seen: int,
    concerned: bool,
    slept: list[float],
    looks: bool,
) -> None:
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


def test_a_change_elsewhere_is_asked_about_once_for_all() -> None:
    """The cost of a wait does not depend on what happens to other queues."""
    versions = iter(range(1, 100))
    asked: list[int] = []
    looked: list[set[WaitPlace]] = []
    states: dict[WaitPlace, WaitState] = {("QM1", 1): ("a",), ("QM1", 2): ("b",)}

    def states_of(places: Collection[WaitPlace]) -> dict[WaitPlace, WaitState]:
        looked.append(set(places))
        return {place: states[place] for place in places if place in states}

    def waiting_on(queue: int) -> Sleeper:
        def concerns() -> bool:
            asked.append(queue)
            return False

        sleeper = Sleeper(concerns)
        sleeper.places = frozenset({("QM1", queue)})
        return sleeper

    watch = ChangeWatch(lambda: next(versions), FrozenClock(0), states_of)
    first, second, third = (waiting_on(queue) for queue in (1, 1, 2))
    watch._watcher = first
    watch._sleepers = {second: None, third: None}
    watch.pause(first, 0)
    assert sorted(asked) == [1, 1, 2]
    asked.clear()
    looked.clear()
    for _ in range(3):
        watch.pause(first, 0)
    assert (asked, looked) == ([], [{("QM1", 1), ("QM1", 2)}] * 3)
    states["QM1", 2] = ("c",)
    watch.pause(first, 0)
    assert asked == [2]
    # The state of a queue that was deleted, for example, is not known.
    del states["QM1", 1]
    watch.pause(first, 0)
    watch.pause(first, 0)
    assert asked == [2, 1, 1, 1, 1]
