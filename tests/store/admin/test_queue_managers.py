"""The life of a queue manager: what it has, what a start drops, and what an end waits for
(design §3.11).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.store.admin import manual_clock
from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.queue_managers import create_queue_manager, delete_queue_manager, how_it_ended
from mqsc.store.admin.starting import BATCH
from mqsc.store.admin.system_object_reset import redefine
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQPMO, MQRC, MQRCCF
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import (
    connection,
    handle,
    message,
    metadata,
    object_,
    queue,
    queue_member,
)
from mqsc.store.sql.managers import ENDED
from mqsc.store.sqlite.database import Reading
from tests.conftest import START
from tests.scenarios.looking import happened
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import Frozen, history, put, queue_row, refused, shown

QLOCAL = KINDS["QLOCAL"]
DEFAULT = "SYSTEM.DEFAULT.LOCAL.QUEUE"


def test_a_new_queue_manager_has_ended_and_has_every_system_object(store: Store) -> None:
    create_queue_manager(store, "QM1")
    (row,) = store.queue_managers()
    store.queue_manager("QM1").start()
    found = inquire(store.queue_manager("QM1"), list(KINDS.values()), "*")
    names = [row.get("QUEUE") or next(iter(row.values())) for row in found]
    assert (row.name, row.state, row.created_at, row.clock_at) == (
        "QM1",
        ENDED,
        1_700_000_000_000_000,
        None,
    )
    assert sorted(names) == sorted(["QM1", *(each.name for each in SYSTEM_OBJECTS)])


def test_the_first_is_the_default_until_another_is_chosen(store: Store) -> None:
    for name, default in (("QM2", False), ("QM1", False), ("QM3", True)):
        create_queue_manager(store, name, default=default)
        assert store.queue_manager().name == ("QM3" if default else "QM2")
    assert [(row.name, row.is_default) for row in store.queue_managers()] == [
        ("QM1", 0),
        ("QM2", 0),
        ("QM3", 1),
    ]


def test_how_it_ended(store: Store) -> None:
    """Since it was created: an earlier queue manager of that name does not count."""
    create_queue_manager(store, "QM1")
    create_queue_manager(store, "QM2")
    told = [how_it_ended(store, "QM1")]
    for immediate in (True, False):
        qmgr = store.queue_manager("QM1")
        qmgr.start()
        qmgr.end(immediate=immediate)
        told.append(how_it_ended(store, "QM1"))
    delete_queue_manager(store, "QM1")
    create_queue_manager(store, "QM1")
    assert [*told, how_it_ended(store, "QM1")] == ["", "immediate", "controlled", ""]
    assert how_it_ended(store, "QM2") == ""


def test_a_name_that_exists_or_cannot_be_is_refused(store: Store) -> None:
    create_queue_manager(store, "QM1")
    for name, reason in (
        ("QM1", MQRCCF.OBJECT_ALREADY_EXISTS),
        *((name, MQRC.Q_MGR_NAME_ERROR) for name in ("", "no good", "Q" * 49)),
    ):
        with refused(reason, name):
            create_queue_manager(store, name)
    assert [row.name for row in store.queue_managers()] == ["QM1"]


def test_creation_is_in_the_history_and_deletion_needs_an_end(qmgr: QueueManager) -> None:
    (made,) = history(qmgr.store, "SYSTEM.DEFAULT.MODEL.QUEUE")
    assert (made.kind, made.cause, made.target) == ("DEFINE", "create", "QMODEL")
    for name, reason in (("QM1", MQRC.OBJECT_IN_USE), ("QM2", MQRC.Q_MGR_NAME_ERROR)):
        with refused(reason):
            delete_queue_manager(qmgr.store, name)
    assert qmgr.is_running


def test_nothing_but_its_history_remains_of_a_deleted_queue_manager(
    qmgr: QueueManager,
    environment: Frozen,
) -> None:
    store = qmgr.store
    other = store.create_queue_manager("QM2")
    for each in (qmgr, other):
        create(each, QLOCAL, "Q", {})
        with each.connect() as opened:
            queue_handle = opened.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
            queue_handle.put([Message(b"x"), Message(b"y")])
    left = counts(store)
    qmgr.end()
    delete_queue_manager(store, "QM1")
    assert [row.name for row in store.queue_managers()] == ["QM2"]
    assert counts(store) == {name: count // 2 for name, count in left.items()}
    # Two of them are event messages about its start and its end.
    assert [(e.kind, e.target, e.detail) for e in history(qmgr.store, "QM1")] == [
        ("DELETE", "QMGR", {"messages": 4}),
    ]
    assert len(history(qmgr.store, "Q")) > 2
    assert next(inquire(other, [QLOCAL], "Q"))["CURDEPTH"] == 2
    store.create_queue_manager("QM1")


def counts(store: Store) -> dict[str, int]:
    tables = (message, object_, queue, queue_member, handle, connection)
    assert set(tables) < set(metadata.sorted_tables)
    with Reading(store.database) as reading:
        return {table.name: len(reading.all(text_of(table.select()))) for table in tables}


def test_units_in_doubt_go_with_their_queue_manager(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    with qmgr.connect() as opened:
        opened.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        opened.prepare("TO.QM2", "7")
    qmgr.end()
    delete_queue_manager(qmgr.store, "QM1")
    (deleted,) = [each for each in history(qmgr.store, "QM1") if each.kind == "DELETE"]
    # Two of them are event messages about its start and its end.
    assert deleted.detail == {"messages": 3}
    cleared = {each.queue: each.detail for each in history(qmgr.store, "Q") if each.kind == "CLEAR"}
    assert cleared == {"Q": {"messages": 1}}
    assert qmgr.store.create_queue_manager("QM1").in_doubt() == []


def test_every_nonpersistent_message_is_dropped_among_those_that_stay(qmgr: QueueManager) -> None:
    """In any number, and whichever message is the last of a batch. Those of NPMCLASS(HIGH) stay
    too.
    """
    number = 2 * BATCH + 1
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 3 * number})
    create(qmgr, KINDS["QLOCAL"], "HIGH", {"NPMCLASS": "HIGH"})
    with qmgr.connect() as connection:
        connection.put1("HIGH", Message(b""))
        mixed = [
            Message(b"", MessageDescriptor(persistence=each % 2)) for each in range(2 * number)
        ]
        connection.open("Q", MQOO.OUTPUT).put(mixed)
        connection.put1("HIGH", Message(b""))
    qmgr.end()
    assert qmgr.start()
    assert (queue_row(qmgr, "Q").depth, queue_row(qmgr, "HIGH").depth) == (number, 2)
    assert sum(each.kind == "DISCARD" for each in history(qmgr.store, "Q")) == number


OBJECTS = "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(HIGH) NPMCLASS(HIGH)\n"


def again(qmgr: QueueManager) -> None:
    """End immediately and start."""
    qmgr.end(immediate=True)
    assert qmgr.start()


def test_what_a_restart_keeps(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS)
    play.run("""
        put n1 n2 persistence=0
        put p1 p2 persistence=1
        put n3 on HIGH persistence=0
        put e on HIGH persistence=0 expiry=10
        B: get syncpoint msg_id=p1 => p1
        B: put p3 persistence=1 syncpoint
        advance 1
        restart
        on Q => p1 p2
        depth Q => 2
        on HIGH => n3
        history DISCARD Q => nonpersistent nonpersistent
        history EXPIRE HIGH => restart
        get => p1 bc=1
    """)


def test_a_queue_manager_starts_once(store: Store, qmgr: QueueManager, environment: Frozen) -> None:
    first = qmgr.row()
    assert not qmgr.start()
    environment.clock.advance(1)
    again(qmgr)
    row = qmgr.row()
    assert (row.state, row.run, row.started_at) == ("RUNNING", first.run + 1, START + 1_000_000)
    told = [("START", None), ("END", "immediate"), ("START", None)]
    assert [each[:2] for each in happened(store, "START", "END")] == told


def test_a_start_resets_the_trigger_interval(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr).run("put m persistence=1 on APPQ")
    assert queue_row(qmgr, "APPQ").last_trigger == START
    again(qmgr)
    assert queue_row(qmgr, "APPQ").last_trigger is None


def test_a_controlled_end_waits_for_the_last_connection(store: Store, qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    assert qmgr.end() == "QUIESCING"
    assert (qmgr.end(), qmgr.start()) == ("QUIESCING", False)
    connection.disconnect()
    assert qmgr.row().state == "ENDED"
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        qmgr.end()
    # Without connections it does not wait.
    qmgr.start()
    assert (qmgr.end(), happened(store, "END")[-1][:2]) == ("ENDED", ("END", "controlled"))


def test_an_immediate_end_backs_out_and_breaks_connections(
    store: Store,
    qmgr: QueueManager,
) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + "put m persistence=1 syncpoint\nB: put n persistence=1")
    assert qmgr.end(immediate=True) == "ENDED"
    assert [each[1] for each in happened(store, "BACKOUT")] == ["broken"]
    qmgr.start()
    play.run("put m => 2/2009\nC: depth Q => 1")


def test_a_quiescing_queue_manager_whose_last_program_died_starts(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    qmgr.end()
    qmgr.store.abandoned.append(connection.number)
    assert qmgr.start()


def test_a_manual_clock_moves_only_when_it_is_set(tmp_path: Path, qmgr: QueueManager) -> None:
    with open_store(f"sqlite:///{tmp_path / 'manual.db'}") as store:
        manual = store.create_queue_manager("QM1", manual_clock_at=START)
        assert store.queue_managers()[0].clock_at == START
        manual.advance_clock(250)
        manual.set_clock(manual.now() - 1000)
        assert manual.now() == START - 750
        with pytest.raises(ValueError, match="not negative"):
            manual.advance_clock(-1)
        for at in (manual_clock.CLOCK_TIMES[0] - 1, manual_clock.CLOCK_TIMES.stop):
            with pytest.raises(ValueError, match="in the years 1000 to 9995"):
                manual.set_clock(at)
        for call in (manual.set_clock, manual.advance_clock):
            with pytest.raises(TypeError, match="must be int, not float"):
                call(2.5)  # type: ignore[arg-type]
        assert store.bound().now == {"QM1": START - 750}
    with pytest.raises(ValueError, match="QM1 follows real time"):
        qmgr.set_clock(0)


def test_system_objects_are_made_anew_as_shipped_unless_of_another_type(qmgr: QueueManager) -> None:
    """strmqm -c does it."""
    put(qmgr, DEFAULT, b"x")
    change(qmgr, QLOCAL, DEFAULT, {"MAXDEPTH": 7})
    delete(qmgr, KINDS["PROCESS"], "SYSTEM.DEFAULT.PROCESS")
    create(qmgr, QLOCAL, "OWN", {"MAXDEPTH": 7})
    assert redefine(qmgr) == (1, len(SYSTEM_OBJECTS) - 1, [])
    assert [shown(qmgr, "QLOCAL", name)["MAXDEPTH"] for name in (DEFAULT, "OWN")] == [5000, 7]
    assert queue_row(qmgr, DEFAULT).depth == 1
    assert redefine(qmgr) == (0, len(SYSTEM_OBJECTS), [])
    name = "SYSTEM.ADMIN.COMMAND.QUEUE"
    delete(qmgr, QLOCAL, name)
    create(qmgr, KINDS["QALIAS"], name, {"TARGET": "X"})
    (error,) = redefine(qmgr).failed
    assert (error.reason, error.object_name) == (MQRCCF.OBJECT_WRONG_TYPE, name)
    assert shown(qmgr, "QALIAS", name)["TARGET"] == "X"
    qmgr.end(immediate=True)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        redefine(qmgr)
