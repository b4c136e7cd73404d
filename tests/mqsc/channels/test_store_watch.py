"""Threads that wait for stores to change share one watch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread, Timer

import pytest

from mqsc.channels.driver import StoreWait, StoreWatch
from store.client.api import Store, open_store

SOON, LONG = 0.1, 60.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'one.db'}") as store:
        store.create_queue_manager("QM1")
        yield store


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'other.db'}") as store:
        store.create_queue_manager("QM2")
        yield store


def wait_for(
    store: Store, stop: Event | None = None, seconds: float | None = LONG, rarely: Store | None = None
) -> StoreWait:
    also = [] if rarely is None else [(rarely, rarely.database.data_version())]
    return StoreWait([(store, store.database.data_version())], stop or Event(), seconds, also)


def change(store: Store) -> None:
    store.create_queue_manager("QM9")


def test_one_change_wakes_all_that_wait_for_it(store: Store, other: Store) -> None:
    """So does the change of a store that only one of them waits for, whoever watches."""
    watch = StoreWatch()
    waits = [wait_for(store), wait_for(store), wait_for(other), wait_for(other)]
    threads = [Thread(target=watch.wait, args=(each,)) for each in waits]
    for each in threads:
        each.start()
    change(store)
    for each in threads[:2]:
        each.join(LONG)
    assert [each.is_over for each in waits] == [True, True, False, False]
    change(other)
    for each in threads[2:]:
        each.join(LONG)
    assert all(each.is_over for each in waits)


def test_a_wait_that_ends_leaves_the_watch_to_another(store: Store) -> None:
    watch = StoreWatch()
    short, long = wait_for(store, seconds=SOON), wait_for(store)
    threads = [Thread(target=watch.wait, args=(each,)) for each in (short, long)]
    for each in threads:
        each.start()
    threads[0].join(LONG)
    assert (short.is_over, long.is_over) == (False, False)
    change(store)
    threads[1].join(LONG)
    assert long.is_over


def test_a_store_that_is_rarely_looked_at(store: Store, other: Store) -> None:
    wait = wait_for(store, rarely=other)
    Timer(SOON, change, (other,)).start()
    StoreWatch().wait(wait)
    assert wait.is_over


def test_a_stop(store: Store) -> None:
    stop = Event()
    wait = wait_for(store, stop, seconds=None)
    Timer(SOON, stop.set).start()
    StoreWatch().wait(wait)
    assert wait.is_over
