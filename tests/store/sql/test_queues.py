from __future__ import annotations

from mqsc.store.sql import managers, queues, triggers
from mqsc.store.sqlite.database import Transaction
from tests.store.sql.stored import queue_row, stored_queue


def test_puts_and_gets_are_counted(tx: Transaction) -> None:
    id = stored_queue(tx, depth=1, next_sequence=5, high_depth=1)
    queues.count_puts(tx, id, 3, 100)
    row = queue_row(tx, id)
    assert (row.depth, row.next_sequence, row.last_put_at, row.puts, row.high_depth) == (
        4,
        8,
        100,
        3,
        4,
    )
    queues.count_get(tx, id, 200, 64)
    queues.change_depth(tx, id, -2)
    row = queue_row(tx, id)
    assert (row.depth, row.last_get_at, row.gets, row.high_depth) == (1, 200, 1, 4)
    queues.change_depth(tx, id, 9)
    assert queue_row(tx, id).high_depth == 10


def test_the_earliest_expiry_only_becomes_earlier(tx: Transaction) -> None:
    id = stored_queue(tx)
    earliest = []
    for at in (10, 20, 5):
        queues.lower_earliest_expiry(tx, id, at)
        earliest.append(queue_row(tx, id).earliest_expiry)
    assert earliest == [10, 10, 5]


def test_handles_are_counted_for_each_queue_manager(tx: Transaction) -> None:
    id = stored_queue(tx)
    queues.count_handles(tx, id, "QM1", input=2, exclusive=1, output=1)
    queues.count_handles(tx, id, "QM1", input=-1, exclusive=0, output=1)
    queues.count_handles(tx, id, "QM2", input=1, exclusive=0, output=0)
    row = queue_row(tx, id)
    assert (row.input_handles, row.exclusive_handles, row.output_handles) == (1, 1, 2)
    assert queues.handles_of_all(tx, id) == (2, 1, 2)
    assert [queues.input_handles_of(tx, id, name) for name in ("QM2", "QM3")] == [
        (1, None),
        (0, None),
    ]


def test_a_closed_loop_of_triggers_is_counted_until_the_depth_falls(tx: Transaction) -> None:
    id = stored_queue(tx)
    repeats = []
    for depth, by_close in (
        (3, True),
        (3, True),
        (4, True),
        (2, True),
        (2, True),
        (2, False),
        (2, True),
    ):
        triggers.record(tx, id, "QM1", 100, depth, by_close=int(by_close))
        repeats.append(triggers.repeats(tx, id, "QM1"))
    assert repeats == [1, 2, 3, 1, 2, 0, 1]
    assert queue_row(tx, id).last_trigger == 100
    triggers.forget(tx, "QM1")
    assert queue_row(tx, id).last_trigger is None


def test_hot_columns_are_those_of_queue_and_queue_manager(tx: Transaction) -> None:
    id = stored_queue(tx, version=1, depth=2, next_sequence=3, earliest_expiry=4)
    assert queues.read_hot_columns(tx, id, "QM1") is None
    managers.add(tx, {"name": "QM1", "version": 5, "run": 6, "state": "RUNNING", "clock_at": 7})
    assert queues.read_hot_columns(tx, id, "QM1") == (1, 2, 3, 4, 5, 6, "RUNNING", 7)
    assert queues.read_hot_columns(tx, id + 1, "QM1") is None


def test_a_change_of_columns_raises_the_version(tx: Transaction) -> None:
    id = stored_queue(tx)
    queues.set_columns(tx, id, {"max_depth": 9, "name": "R"})
    row = queue_row(tx, id)
    assert (row.max_depth, row.name, row.version) == (9, "R", 1)


def test_queues_that_trigger_to_an_initiation_queue(tx: Transaction) -> None:
    stored_queue(tx, "OFF", initiation_queue="I")
    assert triggers.triggering_to(tx, "QM1", "I") == []
    assert [triggers.is_initiation_queue(tx, "QM1", name) for name in ("I", "J")] == [True, False]
    for name in ("B", "A"):
        stored_queue(tx, name, initiation_queue="I", trigger_on=1)
    assert [row.name for row in triggers.triggering_to(tx, "QM1", "I")] == ["A", "B"]
    queues.add(tx, {"owner": "QM1", "name": "I", "type": "QALIAS"})
    assert triggers.initiation_queue(tx, "QM1", "I") is None
    found = triggers.initiation_queue(tx, "QM1", "A")
    assert found == triggers.InitiationQueue("QM1", "A", 1, 1, 0, 0, 0, 0)


def test_pages_of_local_queues(tx: Transaction) -> None:
    for name in "CAB":
        stored_queue(tx, name, depth=int(name == "B"))
    stored_queue(tx, "D", type="QALIAS")
    stored_queue(tx, "E", owner="QM2")

    def page(low: str, high: str, after: str, limit: int = 9) -> str:
        return "".join(row.name for row in queues.local_page(tx, "QM1", low, high, after, limit))

    found = (page("", "", ""), page("B", "", ""), page("", "C", "A"), page("", "", "", 1))
    assert found == ("ABC", "BC", "B", "A")
    assert [queue_row(tx, id).name for id in queues.with_messages(tx, "QM1")] == ["B"]
