"""Random histories in stores, and what these were like after some of the events."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mqsc.store.admin import load
from mqsc.store.admin.backup import back_up, restore
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment, SystemClock
from tests.reports.history import at
from tests.store.past.lifetimes import Lifetimes, put_unrecorded
from tests.store.past.test_as_of import state

STEPS = 120
# The owner and the name of a queue.
Key = tuple[str, str]


class Taken(NamedTuple):
    """What a store was like after an event: its state, the clocks, and the depths of queues by
    owner and name.
    """

    state: list[Any]
    clocks: dict[str, int]
    depths: dict[Key, int]


class Lived(NamedTuple):
    """A store with a history, and what it was like after some of its events.

    `programs` still have what they had open: those that were abandoned would be recovered in a
    test.
    """

    store: Store
    taken: dict[int, Taken]
    programs: Lifetimes


# Steps after a backup that a restore takes back.
LOST_STEPS = 15


@contextmanager
def history(seed: int, folder: Path, *, is_restored: bool) -> Iterator[Lived]:
    """A random history with manual clocks; with `is_restored`, a backup was restored in the
    middle.
    """
    chance = random.Random(seed)
    file = folder / "store.db"
    taken: dict[int, Taken] = {}
    if is_restored:
        with opened(file) as store:
            _live(store, chance, STEPS // 2, taken)
            back_up(store, file.with_name("backup.db"))
            _live(store, chance, LOST_STEPS, {})
        restore(str(file), file.with_name("backup.db"), at(0))
    with opened(file) as store:
        play = _live(store, chance, STEPS // 2 if is_restored else STEPS, taken)
        # The next call backs out the work of programs that were killed.
        gc.collect()
        look(store)
        yield Lived(store, taken, play)


def opened(file: Path) -> Store:
    return open_store(f"sqlite:///{file}", Environment(SystemClock(), "tester", "mqsc"))


def _live(
    store: Store,
    chance: random.Random,
    steps: int,
    taken: dict[int, Taken],
) -> Lifetimes:
    """Take steps, and look at the store after some."""
    is_new = not store.queue_managers()
    play = Lifetimes(chance, store)
    if is_new:
        put_unrecorded(store.queue_manager("QM2"), "UNRECORDED", 3)
    for _ in range(steps):
        play.step()
        if (seq := store.bound().seq) >= max(taken, default=0) + 10:
            taken[seq] = look(store)
    return play


def look(store: Store) -> Taken:
    managers = store.queue_managers()
    clocks = {each.name: store.queue_manager(each.name).now() for each in managers}
    return Taken(
        state(store),
        clocks,
        {key: depth for each in managers for key, depth in depths(store, each.name)},
    )


def depths(store: Store, name: str) -> Iterator[tuple[Key, int]]:
    qmgr = store.queue_manager(name)
    if qmgr.is_running:
        yield from (((name, each.name), each.depth) for each in load.load(qmgr).queues)
