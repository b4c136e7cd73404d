"""The history of events, and the statements of `mqsc doctor`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.sql import connections, history, maintenance, objects
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.rows import ArchiveRow, EventRow
from mqsc.store.sqlite.database import Transaction
from tests.store.sql.stored import changed, connected, stored, stored_queue

CAUSE = (9, "QM1", "Q", 3, "app", "alice")
_EVENTS = text_of(text("SELECT kind, queue, msg_id, unit, reason, detail FROM event ORDER BY seq"))
ID = b"m" * 24


def test_events_are_appended_in_order_and_other_columns_are_null(tx: Transaction) -> None:
    history.append(tx, {"at": 1, "qmgr": "QM1", "kind": "CREATE"})
    history.append_all(
        tx,
        [EventRow(1, "QM1", "PUT", queue="Q", msg_id=ID), {"at": 1, "qmgr": "QM1", "kind": "END"}],
    )
    put = ("PUT", "Q", ID, None, None, None)
    assert tx.all(_EVENTS) == [("CREATE", *(None,) * 5), put, ("END", *(None,) * 5)]


def test_a_detail_that_is_a_mapping_is_readable_in_any_language(tx: Transaction) -> None:
    event = {"at": 1, "qmgr": "QM1", "kind": "FORWARD", "detail": {"destination": "GRÖSSE"}}
    history.append(tx, event)
    history.append_all(tx, [event, {**event, "detail": None}])
    text = '{"destination": "GRÖSSE"}'
    assert [row[-1] for row in tx.all(_EVENTS)] == [text, text, None]


def test_messages_are_recorded_from_their_rows(tx: Transaction) -> None:
    ids = [stored(tx, unit=unit, descriptor=MessageDescriptor(msg_id=ID)) for unit in (None, 7)]
    history.record_puts(tx, CAUSE, *ids)
    assert (
        history.record_put_with_detail(tx, CAUSE, ids[0], 2053, {}) == history.last_number(tx) == 3
    )
    history.record_get(tx, CAUSE, ids[1])
    assert tx.all(_EVENTS) == [
        ("PUT", "Q", ID, None, None, None),
        ("PUT", "Q", ID, 7, None, None),
        ("PUT", "Q", ID, None, 2053, "{}"),
        ("GET", "Q", ID, 7, None, None),
    ]
    who = text_of(text("SELECT DISTINCT at, qmgr, connection, application, user FROM event"))
    assert tx.all(who) == [(9, "QM1", 3, "app", "alice")]


def test_copies_recorded_together_are_recorded_as_alone(tx: Transaction) -> None:
    names = ["PRICES", "'a' \"b\" \\c/", "GRÖSSE \t\n\x01\x7f ☕", "", "12"]
    ids = [
        stored(tx, unit=unit, descriptor=MessageDescriptor(msg_id=bytes([number]) * 24))
        for number, unit in enumerate((None, 7, None, 7, None))
    ]
    before, after = {"member": "QM1"}, {"publication": 5}
    for id, name in zip(ids, names, strict=True):
        history.record_copy(tx, CAUSE, id, None, {**before, "subscription": name, **after})
    listed = history.subscription_names(names)
    history.record_copies(tx, CAUSE, ids[0], listed, 5, "QM1")
    for id, name in zip(ids, names, strict=True):
        history.record_copy(tx, CAUSE, id, None, {"subscription": name})
    history.record_copies(tx, CAUSE, ids[0], listed, 0)
    columns = ", ".join(name for name in EventRow._fields if name != "seq")
    alone, together, in_brief, together_in_brief = batched(
        tx.all(text_of(text(f"SELECT {columns} FROM event ORDER BY seq"))), len(names)
    )
    assert (together, together_in_brief) == (alone, in_brief)


def batched(listed: list[Any], size: int) -> list[list[Any]]:
    return [listed[start : start + size] for start in range(0, len(listed), size)]


def test_moves_of_a_message_are_counted(tx: Transaction) -> None:
    for kind in ("REQUEUE", "FORWARD", "DISCARD"):
        history.append(tx, EventRow(1, "QM1", kind, queue="Q", msg_id=ID))
    history.append(tx, EventRow(1, "QM2", "REQUEUE", queue="Q", msg_id=ID))
    history.append(tx, EventRow(1, "QM1", "REQUEUE", queue="Q", msg_id=ID, correl_id=ID))
    asked = (("Q", ID, None), ("Q", ID, ID), ("R", ID, None), ("Q", b"", None))
    assert [history.times_moved(tx, "QM1", *each) for each in asked] == [2, 1, 0, 0]


def test_moves_are_counted_by_target_time_and_number(tx: Transaction) -> None:
    for at, target in enumerate(("A", "B", "A"), 1):
        history.append(tx, EventRow(at, "QM1", "FORWARD", queue="Q", target=target, msg_id=ID))

    def moved(**limits: Any) -> int:
        return history.times_moved(tx, "QM1", "Q", ID, None, **limits)

    assert (moved(), moved(target="A"), moved(target="C"), moved(until=2), moved(until=0)) == (
        3,
        2,
        0,
        2,
        0,
    )
    assert (moved(last=1), moved(target="A", until=2, last=3)) == (1, 1)


def test_the_bound_is_the_last_event_and_message(tx: Transaction) -> None:
    assert history.bound(tx) == (0, 0)
    history.append(tx, EventRow(1, "QM1", "CREATE"))
    id = stored(tx)
    assert history.bound(tx) == (1, id)


def test_depths_are_compared_with_the_messages_of_each_queue(tx: Transaction) -> None:
    right, empty, high = (
        stored_queue(tx, name, depth=depth) for name, depth in (("R", 2), ("E", 0), ("H", 3))
    )
    low = stored_queue(tx, "A", owner="QM2", depth=0)
    for queue in (right, right, high, low):
        stored(tx, queue=queue)
    assert maintenance.wrong_depths(tx) == [(high, "QM1", "H", 3, 1), (low, "QM2", "A", 0, 1)]
    assert empty not in {each.id for each in maintenance.wrong_depths(tx)}


def test_messages_that_a_unit_of_work_has_put_count_and_those_that_it_has_got_do_not(
    tx: Transaction,
) -> None:
    queue = stored_queue(tx, depth=1)
    stored(tx, queue=queue, unit=7)
    changed(tx, stored(tx, queue=queue), state=2, unit=7)
    assert maintenance.wrong_depths(tx) == []


def test_damaged_definitions_in_order_up_to_a_limit(tx: Transaction) -> None:
    rows = [
        ("QM2", "QLOCAL", "A"),
        ("QM1", "QLOCAL", "B"),
        ("QM1", "PROCESS", "C"),
        ("QM1", "QLOCAL", "WHOLE"),
    ]
    for owner, type, name in rows:
        row = {
            "owner": owner,
            "namespace": type,
            "name": name,
            "type": type,
            "created_at": 1,
            "altered_at": 1,
        }
        objects.add(tx, {**row, "attributes": {}})
    tx.run(text_of(text("UPDATE object SET attributes = '{' WHERE name <> 'WHOLE'")))
    damaged = [("QM1", "PROCESS", "C"), ("QM1", "QLOCAL", "B"), ("QM2", "QLOCAL", "A")]
    assert maintenance.damaged_definitions(tx, 5) == damaged
    assert maintenance.damaged_definitions(tx, 2) == damaged[:2]


def test_messages_whose_queue_is_gone(tx: Transaction) -> None:
    queue = stored_queue(tx)
    for number in (queue, queue + 1, queue + 1):
        stored(tx, queue=number)
    assert maintenance.messages_without_queue(tx) == 2


def test_the_history_of_a_new_store_and_one_with_a_gap(tx: Transaction) -> None:
    assert maintenance.history(tx) == maintenance.History(0, 1, 0, 0, 0)
    assert maintenance.queue_managers(tx) == 0
    history.append_all(tx, [{"at": 1, "qmgr": "QM1", "kind": "CREATE"}] * 5)
    tx.run(text_of(text("DELETE FROM event WHERE seq IN (1, 3, 5)")))
    assert maintenance.history(tx) == maintenance.History(2, 1, 4, 5, 0)


def test_pruned_events_are_not_missing(tx: Transaction) -> None:
    history.append_all(tx, [{"at": 1, "qmgr": "QM1", "kind": "CREATE"}] * 5)
    steps = ((4, "(2, 4)", (1, 5, 5, 5, 2)), (5, "(1, 3, 5)", (0, 6, 5, 5, 0)))
    for pruned_to, seqs, found in steps:
        maintenance.write_archiving(
            tx,
            ArchiveRow(1, "some", "COMMITTED", "file:///archive", 1, 5, "", pruned_to),
        )
        tx.run(text_of(text(f"DELETE FROM event WHERE seq IN {seqs}")))
        assert maintenance.history(tx) == maintenance.History._make(found)


def test_connections_of_each_process(tx: Transaction) -> None:
    one, other = connections.add_process(tx, "one"), connections.add_process(tx, "other")
    connected(tx, process=one)
    connected(tx, "QM2", process=one)
    assert maintenance.connections_by_process(tx) == [("one", 2), ("other", 0)]
    assert other > one
