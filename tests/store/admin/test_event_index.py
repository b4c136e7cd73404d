"""The index of the history: nothing is missed, whatever is in it and whoever makes it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from store.admin.event_search import EventIndex, EventSelection, events, last_event
from store.client.api import Store
from store.environment import Environment
from store.rules import event_index
from store.rules.event_index import Wanted, of_kind, of_queue
from store.sql import history, search
from store.sqlite.database import BUSY_TIMEOUT_SECONDS, Reading, Transaction
from store.sqlite.driver import sqlite_library

START = 1_700_000_000_000_000


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with 10 events, 4 to a segment: PUT on A, B, A, B, ..., one second apart."""
    monkeypatch.setattr(event_index, "SEGMENT", 4)
    store = Store(None, Environment.frozen(START))
    with Transaction(store.database, durable=False) as tx:
        for number in range(10):
            queue = "AB"[number % 2]
            history.append(tx, {"at": START + number * 1_000_000, "qmgr": "Q", "kind": "PUT", "queue": queue})
    return store


def ranges(store: Store, wanted: Wanted, *, newest_first: bool = False) -> list[tuple[int, int]]:
    return [*EventIndex(store).ranges(wanted, newest_first=newest_first)]


def entries(store: Store) -> list[int]:
    with Reading(store.database) as reading:
        return [row[0] for row in search.entries(reading, 0, 100)]


def test_only_complete_segments_have_an_entry(store: Store) -> None:
    assert ranges(store, Wanted()) == [(1, 4), (5, 8), (9, 10)]
    assert entries(store) == [0, 1]


def test_a_segment_without_an_entry_is_always_read(store: Store) -> None:
    assert ranges(store, Wanted(((of_queue("C"),),))) == [(9, 10)]


def test_the_newest_first(store: Store) -> None:
    assert ranges(store, Wanted(), newest_first=True) == [(9, 10), (5, 8), (1, 4)]


def test_part_of_the_history(store: Store) -> None:
    assert [*EventIndex(store).ranges(Wanted(), first=3, last=6)] == [(3, 4), (5, 6)]
    assert [*EventIndex(store).ranges(Wanted(), first=7, last=6)] == []
    assert [*EventIndex(store).ranges(Wanted(), first=11)] == []


def test_every_group_must_be_there(store: Store) -> None:
    assert ranges(store, Wanted(((of_queue("C"), of_queue("A")), (of_kind("PUT"),)))) == [(1, 4), (5, 8), (9, 10)]
    assert ranges(store, Wanted(((of_queue("A"),), (of_kind("GET"),)))) == [(9, 10)]


def test_times(store: Store) -> None:
    assert ranges(store, Wanted(since=START + 4_000_000)) == [(5, 8), (9, 10)]
    assert ranges(store, Wanted(until=START + 4_000_000)) == [(1, 4), (9, 10)]


def test_a_store_without_events() -> None:
    assert ranges(Store(None, Environment.frozen(START)), Wanted()) == []


def test_events_that_are_gone_from_the_beginning_of_the_history(store: Store) -> None:
    ranges(store, Wanted())
    with Transaction(store.database, durable=False) as tx:
        tx.script(["DELETE FROM event WHERE seq <= 6"])
    assert ranges(store, Wanted()) == [(7, 8), (9, 10)]
    assert [each.seq for each in events(store, EventSelection())] == [7, 8, 9, 10]


def test_a_history_of_which_everything_is_gone(store: Store) -> None:
    with Transaction(store.database, durable=False) as tx:
        tx.script(["DELETE FROM event"])
    assert ranges(store, Wanted()) == []
    assert last_event(store) == 0


def test_a_store_that_another_program_writes_is_read_without_the_index(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(event_index, "SEGMENT", 4)
    monkeypatch.setattr("store.admin.event_search.PATIENCE_SECONDS", 0.0)
    with Store(str(tmp_path / "s.db"), Environment.frozen(START)) as store:
        store.create_queue_manager("QM1")
        last = last_event(store)
        other = sqlite_library().connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        found = ranges(store, Wanted(((of_queue("NONE"),),)))
        other.execute("ROLLBACK")
        other.close()
        # Of the first the entry was made, though it could not be kept.
        assert (found[0], found[-1][1], entries(store)) == ((5, 8), last, [])
        assert store.database.busy_timeout == BUSY_TIMEOUT_SECONDS
        assert [first for first, _ in ranges(store, Wanted(((of_queue("NONE"),),)))] == [last - last % 4 + 1]


def test_many_entries_are_announced_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.admin.event_search.MANY", 2)
    said: list[str] = []
    for _ in range(2):
        assert len([*EventIndex(store, lambda: said.append("indexing")).ranges(Wanted())]) == 3
    assert said == ["indexing"]


def test_events_that_are_rolled_back_leave_no_entry_behind(store: Store) -> None:
    with suppress(ValueError), store.database.one_transaction():
        with Transaction(store.database, durable=False) as tx:
            history.append_all(tx, [{"at": START, "qmgr": "Q", "kind": "GET", "queue": "A"}] * 2)
        assert ranges(store, Wanted(((of_kind("GET"),),))) == [(9, 12)]
        raise ValueError
    assert entries(store) == []


def test_entries_are_made_one_by_one_for_whoever_asks(store: Store) -> None:
    """As `mqsc serve` does: the first missing one each time, and none for the segment that still grows."""
    index = EventIndex(store)
    assert [index.make_next(), index.make_next(0), index.make_next(1)] == [0, 1, None]
    assert entries(store) == [0, 1]
    with Transaction(store.database, durable=False) as tx:
        for _ in range(2):
            history.append(tx, {"at": START, "qmgr": "Q", "kind": "PUT", "queue": "A"})
    assert (index.make_next(1), entries(store)) == (2, [0, 1, 2])
