"""Looking up events: whatever the index says, the same is found as by reading everything."""

from __future__ import annotations

import random

import pytest

from store.admin.event_search import EventSelection, chosen, events, is_known, last_event, newest, wait_for_event
from store.client.api import Store
from store.environment import Environment
from store.published import KINDS
from store.rules import event_index
from store.rules import names as generic_names
from store.rules.message_trace import TracedEvent
from store.sql import history
from store.sql.rows import UNIT_BITS
from store.sqlite.database import Transaction

START = 1_700_000_000_000_000
SECOND = 1_000_000
QUEUES = ("A", "A.B", "B", "QLOCAL")
EVENTS = 400


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with EVENTS events of every kind, by chance; the clock runs backwards now and then."""
    monkeypatch.setattr(event_index, "SEGMENT", 8)
    chance = random.Random(17)
    store = Store(None, Environment.frozen(START))
    with Transaction(store.database, durable=False) as tx:
        for number in range(EVENTS):
            kind = chance.choice([*KINDS])
            connection = chance.choice([None, 1, 2, 3])
            row = {
                "at": START + (number + chance.choice([0, 0, 0, -50])) * SECOND,
                "qmgr": chance.choice(["QM1", "QM2"]),
                "kind": kind,
                "cause": chance.choice([None, *KINDS[kind].causes]),
                "queue": chance.choice([None, *QUEUES]),
                "target": chance.choice([None, *QUEUES, "CHANNEL"]),
                "msg_id": chance.choice([None, chance.randbytes(24)]),
                "unit": None if connection is None else chance.choice([None, connection << UNIT_BITS | 1]),
                "connection": chance.choice([None, connection]),
                "detail": chance.choice([None, '{"member": "QM2"}']),
            }
            history.append(tx, row)
    return store


def belongs(event: TracedEvent, selection: EventSelection) -> bool:
    """Whether an event belongs to a selection: the rule once more, in other words."""
    if selection.queue is not None:
        to_queue = event.kind in "TRIGGER TRIGGER_LOST DEAD_LETTER REQUEUE FORWARD REPORT REPORT_LOST MOVE".split()
        of_object = event.kind in ("DEFINE", "ALTER", "SET", "DELETE") and event.target != "QLOCAL"
        names = [] if of_object else [event.queue]
        names += [event.target] if to_queue else []
        if not any(name and generic_names.matches(selection.queue, name) for name in names):
            return False
    if selection.qmgr and selection.qmgr not in (event.qmgr, event.detail.get("member")):
        return False
    if selection.unit and event.unit != selection.unit:
        return False
    if selection.connection and selection.connection not in (event.connection, (event.unit or 0) >> UNIT_BITS):
        return False
    if selection.since is not None and event.at < selection.since:
        return False
    if selection.until is not None and event.at >= selection.until:
        return False
    if selection.kinds and event.kind not in selection.kinds:
        return False
    return not selection.causes or event.cause in selection.causes


SELECTIONS = [
    EventSelection(),
    EventSelection(queue="A"),
    EventSelection(queue="A*"),
    EventSelection(queue="*"),
    EventSelection(queue="QLOCAL"),
    EventSelection(queue="NONE"),
    EventSelection(qmgr="QM2"),
    EventSelection(unit=2 << UNIT_BITS | 1),
    EventSelection(connection=3),
    EventSelection(since=START + 100 * SECOND),
    EventSelection(until=START + 100 * SECOND),
    EventSelection(since=START + 100 * SECOND, until=START + 110 * SECOND),
    EventSelection(kinds=frozenset({"EXPIRE"})),
    EventSelection(kinds=frozenset({"TRIGGER", "PUT"}), causes=frozenset({"put", "stream"})),
    EventSelection(queue="B", kinds=frozenset({"MOVE"}), qmgr="QM1", since=START + 30 * SECOND),
]


@pytest.mark.parametrize("selection", SELECTIONS)
def test_the_same_is_found_as_by_reading_everything(store: Store, selection: EventSelection) -> None:
    every = [*events(store, EventSelection())]
    assert [each.seq for each in every] == [*range(1, EVENTS + 1)]
    expected = [each for each in every if belongs(each, selection)]
    # Twice: without the index, and with it.
    for _ in range(2):
        assert [*events(store, selection)] == expected
        assert newest(store, selection, 3) == expected[-3:]
    assert newest(store, selection, 0) == []
    assert newest(store, selection, EVENTS, last=200) == [each for each in expected if each.seq <= 200]
    assert [*events(store, selection, first=50, last=60)] == [each for each in expected if 50 <= each.seq <= 60]
    numbers = [*range(1, EVENTS, 3)]
    assert chosen(store, selection, numbers) == {each.seq for each in expected} & set(numbers)


def test_what_is_known(store: Store) -> None:
    assert is_known(store, EventSelection(queue="A", kinds=frozenset({"JOIN"}), since=START + 10**9 * SECOND))
    assert not is_known(store, EventSelection(queue="NONE"))
    assert is_known(store, EventSelection(connection=2))
    assert not is_known(store, EventSelection(connection=4))
    store.create_queue_manager("QM1")
    assert is_known(store, EventSelection(queue="SYSTEM.DEAD*"))


def test_waiting_ends_at_once_when_there_is_an_event(store: Store) -> None:
    wait_for_event(store, EVENTS - 1)
    assert last_event(store) == EVENTS


def test_waiting_ends_by_an_exception(store: Store) -> None:
    looks = []

    def look_up() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        wait_for_event(store, EVENTS, look_up)
