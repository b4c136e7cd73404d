"""Looking up events: whatever the index says, the same is found as by reading everything."""

from __future__ import annotations

import random
from array import array
from contextlib import suppress
from pathlib import Path

import pytest

from mqsc.store.admin.event_search import (
    EventIndex,
    EventSelection,
    chosen,
    events,
    is_known,
    last_event,
    newest,
    wait_for_event,
)
from mqsc.store.client.store import Store
from mqsc.store.environment import Environment
from mqsc.store.published import KINDS
from mqsc.store.rules import event_index, names as generic_names
from mqsc.store.rules.event_index import Wanted, of_kind, of_queue
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sql import history, search
from mqsc.store.sql.rows import UNIT_BITS
from mqsc.store.sqlite.database import BUSY_TIMEOUT_SECONDS, Reading, Transaction
from mqsc.store.sqlite.driver import sqlite_library
from tests.conftest import START

SECOND = 1_000_000
QUEUES = ("A", "A.B", "B", "QLOCAL")
EVENTS = 400


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with EVENTS events of every kind, by chance; the clock runs backwards now and
    then.
    """
    monkeypatch.setattr(event_index, "SEGMENT", 8)
    chance = random.Random(17)
    store = Store(None, Environment.frozen(START))
    with Transaction(store.database, durable=False) as tx:
        for number in range(EVENTS):
            kind, connection = chance.choice([*KINDS]), chance.choice([None, 1, 2, 3])
            undone = chance.choice([*QUEUES, "A much longer key"])
            row = {
                "at": START + (number + chance.choice([0, 0, 0, -50])) * SECOND,
                **{"qmgr": chance.choice(["QM1", "QM2"]), "kind": kind},
                "cause": chance.choice([None, *KINDS[kind].causes]),
                "queue": chance.choice([None, *QUEUES]),
                "target": chance.choice([None, *QUEUES, "CHANNEL"]),
                "msg_id": chance.choice([None, chance.randbytes(24)]),
                "unit": None
                if connection is None
                else chance.choice([None, connection << UNIT_BITS | 1]),
                "connection": chance.choice([None, connection]),
                "detail": chance.choice(
                    [None, '{"member": "QM2"}', f'{{"{undone}": {{"puts": 0, "gets": 1}}}}']
                ),
            }
            history.append(tx, row)
    return store


def belongs(event: TracedEvent, selection: EventSelection) -> bool:
    """Whether an event belongs to a selection: the rule once more, in other words."""
    to_queue = (
        event.kind
        in "TRIGGER TRIGGER_LOST DEAD_LETTER REQUEUE FORWARD REPORT REPORT_LOST MOVE".split()
    )
    of_object = event.kind in ("DEFINE", "ALTER", "SET", "DELETE") and event.target != "QLOCAL"
    names = ([] if of_object else [event.queue]) + ([event.target] if to_queue else [])
    if event.kind == "BACKOUT":
        names += [*{*event.detail} & {*QUEUES}]
    return (
        (
            selection.queue is None
            or any(name and generic_names.matches(selection.queue, name) for name in names)
        )
        and (not selection.qmgr or selection.qmgr in (event.qmgr, event.detail.get("member")))
        and (not selection.unit or event.unit == selection.unit)
        and (
            not selection.connection
            or selection.connection in (event.connection, (event.unit or 0) >> UNIT_BITS)
        )
        and (selection.since is None or event.at >= selection.since)
        and (selection.until is None or event.at < selection.until)
        and (not selection.kinds or event.kind in selection.kinds)
        and (not selection.causes or event.cause in selection.causes)
    )


RANGES = ((1, 200), (50, 60))
SELECTIONS = [
    EventSelection(),
    *(EventSelection(queue=queue) for queue in ("A", "A*", "*", "QLOCAL", "NONE")),
    EventSelection(qmgr="QM2"),
    EventSelection(unit=2 << UNIT_BITS | 1),
    EventSelection(connection=3),
    EventSelection(since=START + 100 * SECOND),
    EventSelection(until=START + 100 * SECOND),
    EventSelection(since=START + 100 * SECOND, until=START + 110 * SECOND),
    EventSelection(kinds=frozenset({"EXPIRE"})),
    EventSelection(queue="A.B", kinds=frozenset({"BACKOUT"})),
    EventSelection(kinds=frozenset({"TRIGGER", "PUT"}), causes=frozenset({"put", "stream"})),
    EventSelection(queue="B", kinds=frozenset({"MOVE"}), qmgr="QM1", since=START + 30 * SECOND),
]


def test_the_same_is_found_as_by_reading_everything(store: Store) -> None:
    """Twice: without the index, and with it."""
    every, numbers = [*events(store, EventSelection())], [*range(1, EVENTS, 3)]
    assert [each.seq for each in every] == [*range(1, EVENTS + 1)]
    for selection in (*SELECTIONS, *SELECTIONS):
        expected = [each for each in every if belongs(each, selection)]
        assert [*events(store, selection)] == expected, selection
        assert newest(store, selection, 3) == expected[-3:], selection
        assert newest(store, selection, 0) == [], selection
        until_200, some = (
            [each for each in expected if first <= each.seq <= last] for first, last in RANGES
        )
        assert newest(store, selection, EVENTS, last=200) == until_200, selection
        assert [*events(store, selection, first=50, last=60)] == some, selection
        assert chosen(store, selection, numbers) == {each.seq for each in expected} & set(
            numbers,
        ), selection


def test_what_is_known(store: Store) -> None:
    assert is_known(
        store,
        EventSelection(queue="A", kinds=frozenset({"JOIN"}), since=START + 10**9 * SECOND),
    )
    assert not is_known(store, EventSelection(queue="NONE"))
    assert is_known(store, EventSelection(connection=2))
    assert not is_known(store, EventSelection(connection=4))
    store.create_queue_manager("QM1")
    assert is_known(store, EventSelection(queue="SYSTEM.DEAD*"))


def test_waiting_ends_at_once_when_there_is_an_event_or_by_an_exception(store: Store) -> None:
    wait_for_event(store, EVENTS - 1)
    assert last_event(store) == EVENTS
    looks = []

    def look_up() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        wait_for_event(store, EVENTS, look_up)


@pytest.fixture
def segments(monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with 10 events, 4 to a segment: PUT on A, B, A, B, ..., one second apart."""
    monkeypatch.setattr(event_index, "SEGMENT", 4)
    store = Store(None, Environment.frozen(START))
    with Transaction(store.database, durable=False) as tx:
        for number in range(10):
            queue = "AB"[number % 2]
            history.append(
                tx,
                {"at": START + number * 1_000_000, "qmgr": "Q", "kind": "PUT", "queue": queue},
            )
    return store


def ranges(segments: Store, wanted: Wanted, *, newest_first: bool = False) -> list[tuple[int, int]]:
    return [*EventIndex(segments).ranges(wanted, newest_first=newest_first)]


def entries(segments: Store) -> list[int]:
    with Reading(segments.database) as reading:
        return [row[0] for row in search.entries(reading, 0, 100)]


def test_which_segments_are_read(segments: Store) -> None:
    assert ranges(segments, Wanted()) == [(1, 4), (5, 8), (9, 10)]
    assert entries(segments) == [0, 1]
    assert ranges(segments, Wanted(((of_queue("C"),),))) == [(9, 10)]
    assert ranges(segments, Wanted(), newest_first=True) == [(9, 10), (5, 8), (1, 4)]
    assert [*EventIndex(segments).ranges(Wanted(), first=3, last=6)] == [(3, 4), (5, 6)]
    assert [*EventIndex(segments).ranges(Wanted(), first=7, last=6)] == []
    assert [*EventIndex(segments).ranges(Wanted(), first=11)] == []
    assert ranges(segments, Wanted(((of_queue("C"), of_queue("A")), (of_kind("PUT"),)))) == [
        (1, 4),
        (5, 8),
        (9, 10),
    ]
    assert ranges(segments, Wanted(((of_queue("A"),), (of_kind("GET"),)))) == [(9, 10)]
    assert ranges(segments, Wanted(since=START + 4_000_000)) == [(5, 8), (9, 10)]
    assert ranges(segments, Wanted(until=START + 4_000_000)) == [(1, 4), (9, 10)]


def test_backouts_are_found_by_their_queues(segments: Store) -> None:
    """Also in an entry of an earlier version, which does not have the queues."""
    backout = {
        **{"at": START, "qmgr": "Q", "kind": "BACKOUT"},
        "detail": '{"C": {"puts": 0, "gets": 1}}',
    }
    other = {"at": START, "qmgr": "Q", "kind": "PUT", "queue": "A"}
    with Transaction(segments.database, durable=False) as tx:
        history.append_all(tx, [other] * 2 + [backout] + [other] * 4)
    of_c = EventSelection(queue="C", kinds=frozenset({"BACKOUT"}))
    for _ in range(2):
        assert [each.seq for each in events(segments, of_c)] == [13]
        assert ranges(segments, of_c.wanted()) == [(13, 16), (17, 17)]
    with Transaction(segments.database, durable=False) as tx:
        search.remove_entry(tx, 3)
        prints = event_index.prints_of([], [], [])
        earlier = array("I", [event_index.BACKOUT_ON_ANY_QUEUE]).tobytes()
        search.add_entry(tx, 3, START, START, earlier + prints)
    assert ranges(segments, of_c.wanted()) == [(13, 16), (17, 17)]
    with Transaction(segments.database, durable=False) as tx:
        search.remove_entry(tx, 3)
        search.add_entry(tx, 3, START, START, prints)
    assert ranges(segments, of_c.wanted()) == [(17, 17)]


def test_events_that_are_gone_from_the_history(segments: Store) -> None:
    ranges(segments, Wanted())
    with Transaction(segments.database, durable=False) as tx:
        tx.script(["DELETE FROM event WHERE seq <= 6"])
    assert ranges(segments, Wanted()) == [(7, 8), (9, 10)]
    assert [each.seq for each in events(segments, EventSelection())] == [7, 8, 9, 10]
    with Transaction(segments.database, durable=False) as tx:
        tx.script(["DELETE FROM event"])
    assert (ranges(segments, Wanted()), last_event(segments)) == ([], 0)
    assert ranges(Store(None, Environment.frozen(START)), Wanted()) == []


def test_a_store_that_is_written_needs_no_index(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(event_index, "SEGMENT", 4)
    monkeypatch.setattr("mqsc.store.admin.event_search.PATIENCE_SECONDS", 0.0)
    with Store(str(tmp_path / "s.db"), Environment.frozen(START)) as segments:
        segments.create_queue_manager("QM1")
        last = last_event(segments)
        other = sqlite_library().connect(segments.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        found = ranges(segments, Wanted(((of_queue("NONE"),),)))
        other.execute("ROLLBACK")
        other.close()
        # Of the first the entry was made, though it could not be kept.
        assert (found[0], found[-1][1], entries(segments)) == ((5, 8), last, [])
        assert segments.database.busy_timeout == BUSY_TIMEOUT_SECONDS
        assert [first for first, _ in ranges(segments, Wanted(((of_queue("NONE"),),)))] == [
            last - last % 4 + 1,
        ]


def test_many_entries_are_announced_once(segments: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mqsc.store.admin.event_search.MANY", 2)
    said: list[str] = []
    for _ in range(2):
        assert len([*EventIndex(segments, lambda: said.append("indexing")).ranges(Wanted())]) == 3
    assert said == ["indexing"]


def test_events_that_are_rolled_back_leave_no_entry_behind(segments: Store) -> None:
    with suppress(ValueError), segments.database.one_transaction():
        with Transaction(segments.database, durable=False) as tx:
            history.append_all(tx, [{"at": START, "qmgr": "Q", "kind": "GET", "queue": "A"}] * 2)
        assert ranges(segments, Wanted(((of_kind("GET"),),))) == [(9, 12)]
        raise ValueError
    assert entries(segments) == []


def test_entries_are_made_one_by_one_for_whoever_asks(segments: Store) -> None:
    """As `mqsc serve` does: the first missing one each time, and none for the segment that still
    grows.
    """
    index = EventIndex(segments)
    assert [index.make_next(), index.make_next(0), index.make_next(1)] == [0, 1, None]
    assert entries(segments) == [0, 1]
    with Transaction(segments.database, durable=False) as tx:
        for _ in range(2):
            history.append(tx, {"at": START, "qmgr": "Q", "kind": "PUT", "queue": "A"})
    assert (index.make_next(1), entries(segments)) == (2, [0, 1, 2])
