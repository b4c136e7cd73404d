"""The occasions of triggering by shared queues beyond the scenarios of sharing §11, and what
follows from them.
"""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQIA, MQOO, MQPMO
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.scenarios.group_triggers import SHARED, GroupTriggers, run
from tests.store.admin.looking import queue_row

NOBODY, ALL = (0, 0, 0), (1, 1, 1)
IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def group(store: Store) -> GroupTriggers:
    return GroupTriggers(store)


def recorded(store: Store, kind: str) -> list[tuple[str, str, str, str, str | None]]:
    """Queue manager, cause, queue, target and member of the events of a kind."""
    columns = (event.c.qmgr, event.c.cause, event.c.queue, event.c.target, event.c.detail)
    with Reading(store.database) as reading:
        rows = reading.all(
            text_of(select(*columns).where(event.c.kind == kind).order_by(event.c.seq)),
        )
    return [(*row[:4], json.loads(row[4] or "{}").get("member")) for row in rows]


def test_the_trigger_message_and_its_event_name_the_member(
    group: GroupTriggers,
    store: Store,
) -> None:
    group.put(2, 5)
    assert [group.makers(number) for number in (1, 2, 3)] == [["QM1"], ["QM2"], ["QM3"]]
    assert recorded(store, "TRIGGER") == [
        ("QSG1", "put", "SQ", "INIT", name) for name in ("QM1", "QM2", "QM3")
    ]


def test_depth_switches_trigger_off_for_the_group_once(group: GroupTriggers, store: Store) -> None:
    group.alter(1, "TRIGTYPE(DEPTH) TRIGDPTH(1)")
    group.put(3, 5)
    assert recorded(store, "SET") == [("QSG1", "depth", "SQ", "QLOCAL", "QM3")]
    group.alter(2, "TRIGGER")
    assert group.new == (2, 2, 2)


def test_members_that_have_ended_do_not_decide(group: GroupTriggers) -> None:
    group.members[3].end(immediate=True)
    group.put(1, 5)
    assert group.new == (1, 1, 0)


def test_a_member_that_ends_may_close_the_last_input_handle(group: GroupTriggers) -> None:
    group.open(1)
    group.put(2, 5)
    assert group.new == (0, 1, 1)
    group.members[1].end(immediate=True)
    assert group.new[1:] == (1, 1)


def test_o_get_and_o_alter_concern_every_member(group: GroupTriggers) -> None:
    group.alter(1, "GET(DISABLED)")
    group.put(1, 5)
    assert group.new == NOBODY
    group.alter(2, "GET(ENABLED)")
    assert group.new == ALL
    group.monitors[3].close()
    # O-ALTER does not ask for a monitor, O-GET does.
    group.alter(2, "TRIGMPRI(4)")
    assert group.new == ALL
    group.alter(2, "GET(DISABLED)")
    group.alter(2, "GET(ENABLED)")
    assert group.new == (1, 1, 0)


def test_mqset_is_an_event_too(group: GroupTriggers) -> None:
    group.put(1, 0)
    group.members[2].connect().open("SQ", MQOO.SET).set({MQIA.TRIGGER_MSG_PRIORITY: 0})
    assert group.new == ALL


def test_o_open_and_o_initq_put_of_an_own_initiation_queue_concern_its_member(
    group: GroupTriggers,
) -> None:
    group.monitors[2].close()
    run(group.members[3], "ALTER QLOCAL(INIT) PUT(DISABLED)")
    group.put(1, 5)
    assert group.new == (1, 0, 0)
    group.monitor(2)
    assert group.new == (0, 1, 0)
    run(group.members[3], "ALTER QLOCAL(INIT) PUT(ENABLED)")
    assert group.new == (0, 0, 1)


def test_events_of_a_shared_initiation_queue(store: Store) -> None:
    group = GroupTriggers(store, monitors=(), shared_initq=True)
    group.put(1, 5)
    assert group.new == (0,)
    # Nobody has it open: the member that commands.
    group.alter(2, "TRIGMPRI(4)")
    assert group.new == (1,)
    assert group.makers() == ["QM2"]
    first = group.monitor(3)
    assert group.new == (1,)
    group.monitor(1)
    assert group.new == (0,)
    run(group.members[2], "ALTER QLOCAL(INIT) QSGDISP(SHARED) PUT(DISABLED)")
    run(group.members[2], "ALTER QLOCAL(INIT) QSGDISP(SHARED) PUT(ENABLED)")
    assert group.makers() == ["QM2", "QM3", "QM1", "QM3"]
    assert group.new == (2,)
    first.close()
    group.alter(2, "TRIGMPRI(3)")
    assert group.makers()[4:] == ["QM1"]


def test_a_queue_of_a_member_may_trigger_to_a_shared_initiation_queue(store: Store) -> None:
    group = GroupTriggers(store, monitors=(1,), shared_initq=True)
    for number in (1, 2):
        run(group.members[number], "DEFINE QLOCAL(OWN) TRIGGER PROCESS(P1) INITQ(INIT)")
        with group.members[number].connect() as connection:
            connection.put1("OWN", Message(b"x"))
    assert group.makers() == ["QM1"]
    # The first monitor of that member, though not of the group.
    group.monitor(2)
    assert group.makers() == ["QM1", "QM2"]
    run(group.members[1], "ALTER QLOCAL(INIT) QSGDISP(SHARED) PUT(DISABLED)")
    run(group.members[1], "ALTER QLOCAL(INIT) QSGDISP(SHARED) PUT(ENABLED)")
    assert group.makers() == ["QM1", "QM2", "QM1", "QM2"]


def test_a_name_that_both_have_is_no_initiation_queue(store: Store) -> None:
    group = GroupTriggers(store)
    run(group.members[1], "ALTER QLOCAL(SQ) QSGDISP(SHARED) INITQ(BOTH)", "DEFINE QLOCAL(BOTH)")
    run(group.members[2], SHARED.format("BOTH"))
    for number in (2, 3):
        group.members[number].connect().open("BOTH", MQOO.INPUT_SHARED)
    group.put(1, 5)
    assert recorded(store, "TRIGGER") == [
        ("QSG1", "put", "SQ", "BOTH", name) for name in ("QM2", "QM3")
    ]
    assert recorded(store, "DEAD_LETTER") == recorded(store, "TRIGGER_LOST") == []


def test_a_full_initiation_queue_leads_to_the_dead_letter_queue_of_its_member(
    group: GroupTriggers,
    store: Store,
) -> None:
    run(
        group.members[2],
        "ALTER QLOCAL(INIT) MAXDEPTH(0)",
        "DEFINE QLOCAL(DLQ)",
        "ALTER QMGR DEADQ(DLQ)",
    )
    run(group.members[3], "ALTER QLOCAL(INIT) MAXDEPTH(0)")
    group.put(1, 5)
    assert group.new == (1, 0, 0)
    assert queue_row(group.members[2], "DLQ").depth == 1
    # As the messages on the dead-letter queue, it is the member's own.
    assert recorded(store, "DEAD_LETTER") == [("QM2", "put", "SQ", "DLQ", None)]
    assert recorded(store, "TRIGGER_LOST") == [("QSG1", "put", "SQ", "INIT", "QM3")]


def test_move_triggers_as_its_messages_arrive(group: GroupTriggers) -> None:
    group.alter(1, "TRIGTYPE(EVERY)")
    for priority in (0, 5):
        run(group.members[2], f"DEFINE QLOCAL(HERE) REPLACE DEFPRTY({priority})")
        with group.members[2].connect() as connection:
            connection.open("HERE", MQOO.OUTPUT).put([Message(b"x"), Message(b"y"), Message(b"z")])
        run(group.members[2], "MOVE QLOCAL(HERE) TOQLOCAL(SQ) TYPE(ADD)")
    assert group.new == (3, 3, 3)


def test_a_unit_in_doubt_counts_when_any_member_commits_it(group: GroupTriggers) -> None:
    with group.members[1].connect() as connection:
        connection.open("SQ", MQOO.OUTPUT).put([Message(b"x")] * 2, IN_UNIT)
        group.alter(1, "TRIGMPRI(0)")
        connection.prepare("CH", "1")
    assert group.new == NOBODY
    group.members[3].resolve("CH", "1", commit=True)
    assert group.new == ALL


def test_a_copy_for_a_shared_stream_queue_counts_at_the_commit(group: GroupTriggers) -> None:
    group.alter(1, "TRIGMPRI(0)")
    run(group.members[1], "DEFINE QLOCAL(OWN) STREAMQ(SQ)")
    connection = group.members[1].connect()
    connection.open("OWN", MQOO.OUTPUT).put(Message(b"x"), IN_UNIT)
    assert group.new == NOBODY
    connection.commit()
    assert group.new == ALL


def test_t52_a_message_that_is_split_is_one_event_at_its_commit(group: GroupTriggers) -> None:
    group.alter(1, "TRIGTYPE(EVERY) TRIGMPRI(0) MAXMSGL(32)")
    connection = group.members[1].connect()
    queue = connection.open("SQ", MQOO.OUTPUT)
    message = Message(b"x" * 80)
    message.descriptor.msg_flags = 1
    queue.put(message, IN_UNIT)
    queue.put(Message(b"y"), IN_UNIT)
    connection.commit()
    assert group.new == (2, 2, 2)


def shared_dynamic(qmgr: QueueManager) -> str:
    model = (
        "DEFINE QMODEL(M) DEFTYPE(SHAREDYN) CFSTRUCT(APPL1) TRIGGER TRIGTYPE(FIRST) PROCESS(P1) "
        "INITQ(INIT)"
    )
    run(qmgr, model)
    return qmgr.connect().open("M", MQOO.OUTPUT, dynamic_name="DYN").name


def test_a_shared_dynamic_queue_triggers_everywhere(group: GroupTriggers) -> None:
    name = shared_dynamic(group.members[2])
    group.members[1].connect().open(name, MQOO.OUTPUT).put(Message(b"x"))
    assert group.new == ALL
