"""MQCONN, the state of connections, units of work and handles, and what they notice of changes."""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from typing import Any

import pytest

from mqsc.store.admin.connection_status import connections, stop_connections
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQPMO, MQRC
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi.state import UnitOfWork
from mqsc.store.rules.grouping import NO_GROUP
from mqsc.store.sql.rows import UNIT_BITS
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.mqi.calls import CALLS, FOR_ALL_CALLS, Call, reason_of
from tests.store.plays import plays

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def test_m1_1_two_connections_of_one_thread_are_independent(qmgr: QueueManager) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        one.open("Q", MQOO.OUTPUT).put(Message(b"x"), SYNCPOINT)
        assert (one.number == other.number, one.unit.is_open, other.unit.is_open) == (
            False,
            True,
            False,
        )


def test_m1_3_a_blank_name_is_the_default_queue_manager(store: Store) -> None:
    assert reason_of(lambda: store.queue_manager()) == MQRC.Q_MGR_NAME_ERROR
    store.create_queue_manager("FIRST")
    store.create_queue_manager("SECOND")
    with store.queue_manager("").connect() as connection:
        assert connection.qmgr.name == "FIRST"


def test_m1_4_an_unknown_name_is_2058(qmgr: QueueManager) -> None:
    assert reason_of(lambda: qmgr.store.queue_manager("ABSENT")) == MQRC.Q_MGR_NAME_ERROR


def test_m1_5_a_queue_manager_that_does_not_run_is_2059(qmgr: QueueManager) -> None:
    qmgr.end()
    assert reason_of(qmgr.connect) == MQRC.Q_MGR_NOT_AVAILABLE


def test_m1_6_a_quiescing_queue_manager_is_2161(qmgr: QueueManager) -> None:
    with qmgr.connect():
        qmgr.end()
        assert reason_of(qmgr.connect) == MQRC.Q_MGR_QUIESCING
    assert reason_of(qmgr.connect) == MQRC.Q_MGR_NOT_AVAILABLE


@rows(
    ({"application": "half \ud83d a smile"}, "application has an unpaired surrogate at position 5"),
    ({"user": "\udc80"}, "user has an unpaired surrogate at position 0"),
    ({"application": 7}, "application must be str, not int"),
)
def test_a_name_that_cannot_be_encoded_is_refused(
    qmgr: QueueManager,
    given: dict[str, Any],
    fault: str,
) -> None:
    with pytest.raises(ValueError, match=fault):
        qmgr.connect(**given)
    with qmgr.connect("ein Programm für Čapek 🙂", "用户") as connection:
        connection.put1("Q", Message(b"x"))


def test_the_login_name_is_that_of_the_process_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Authority D9: LOGNAME and USER can be set by anybody."""
    monkeypatch.setenv("LOGNAME", "anna")
    monkeypatch.setenv("USER", "anna")
    with (
        open_store("sqlite://") as store,
        store.create_queue_manager("QM1").connect() as connection,
    ):
        assert connection.user == pwd.getpwuid(os.geteuid()).pw_name


def test_a_unit_of_work_is_numbered_within_its_connection() -> None:
    unit = UnitOfWork(3)
    assert (unit.is_open, unit.begin(), unit.begin(), unit.is_open) == (
        False,
        (3 << UNIT_BITS) + 1,
        unit.number,
        True,
    )
    unit.reset()
    assert (unit.is_open, unit.begin()) == (False, (3 << UNIT_BITS) + 2)


def test_a_failed_call_restores_what_it_changed_but_uses_up_its_number() -> None:
    unit = UnitOfWork(1)
    before = unit.snapshot
    first = unit.begin()
    unit.count, unit.marked, unit.durable, unit.recorded = 2, 5, True, True
    unit.restore(before)
    assert (unit.is_open, unit.count, unit.marked, unit.durable, unit.recorded) == (
        False,
        0,
        0,
        False,
        False,
    )
    assert unit.begin() == first + 1


def test_a_reset_forgets_everything_but_the_serial() -> None:
    unit = UnitOfWork(1)
    unit.begin()
    unit.count, unit.marked, unit.durable, unit.recorded = 2, 5, True, True
    unit.positions_before[1, "puts"] = NO_GROUP
    unit.reset()
    assert (unit.snapshot, unit.positions_before) == ((0, 0, 0, False, False), {})


def test_every_identifier_of_a_connection_is_new(qmgr: QueueManager) -> None:
    with qmgr.connect() as one, qmgr.connect() as other:
        made = [next(connection.identifiers) for connection in (one, one, other, other)]
    assert len(set(made)) == 4
    assert one.number.to_bytes(4, "big") + (2).to_bytes(4, "big") == made[1][16:]


def test_a_new_handle_expects_messages_of_the_default_persistence(qmgr: QueueManager) -> None:
    Play(qmgr).run(
        "ALTER QLOCAL(Q) DEFPSIST(YES) · DEFINE QALIAS(AL) TARGET(Q) DEFPSIST(NO) · DEFINE "
        "PROCESS(P)",
    )
    with qmgr.connect() as connection:
        handles = [connection.open(name, MQOO.INPUT_SHARED) for name in ("Q", "AL")]
        handles.append(connection.open("P", MQOO.INQUIRE, object_type=3))
        assert [each.expects_persistent for each in handles] == [True, False, False]
        for each in handles:
            assert (each.is_open, each.cursor, each.positions, each.marked) == (
                True,
                None,
                {},
                set(),
            )
        assert connection.handles == {each.number: each for each in handles}


OBJECTS = """
    DEFINE QLOCAL(R) · DEFINE QALIAS(AL) TARGET(Q) · DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)
    put m0 · put a0 on AL
"""
SCENARIOS = {
    "attributes": """
        ALTER QLOCAL(Q) DEFPRTY(7) · put m1 · get => m1 priority=7
        ALTER QLOCAL(Q) PUT(DISABLED) · put m2 => 2/2051 · put a2 on AL => 2/2051
        ALTER QLOCAL(Q) PUT(ENABLED) · ALTER QALIAS(AL) PUT(DISABLED) · put m2 · put a2 on AL => 2/2051
    """,
    "depth and room": """
        ALTER QLOCAL(Q) MAXDEPTH(3) · B: put m1 · put m2 => 2/2053 · get => m0
        put m2
    """,
    "a change with FORCE": """
        ALTER QALIAS(AL) TARGET(R) FORCE · put a1 on AL => 2/2041
        put m1 · ALTER QLOCAL(Q) USAGE(XMITQ) FORCE · put m1 => 2/2041
    """,
    "a deleted queue": """
        open PERM output dynamic=D as D · B: open D output as D · B: close D delete · put m on D => 2/2052
    """,
    "a queue manager that ended": "broken · put m => 2/2009",
    "MAXUMSGS of the queue manager": (
        "ALTER QMGR MAXUMSGS(1) · put m1 syncpoint · put m2 syncpoint => 2/2024"
    ),
    "a quiescing queue manager": "end · put m1 · put m2 fail-if-quiescing => 2/2161",
}

test_what_a_handle_notices = plays(OBJECTS, SCENARIOS)


def test_a_manual_clock_that_another_program_moved_counts_at_once(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'manual.db'}") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        play = Play(qmgr)
        play.run("DEFINE QLOCAL(Q)" + OBJECTS + "put e expiry=10 on R\nput f expiry=20 on R")
        with open_store(f"sqlite:///{store.path}") as program:
            program.queue_manager("QM1").advance_clock(1_000_000)
        play.run("get from R => f expiry=10")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_m1_8_a_connection_that_the_queue_manager_broke_is_2009(
    qmgr: QueueManager,
    call: Call,
) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", FOR_ALL_CALLS)
    qmgr.end(immediate=True)
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN
    qmgr.start()
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN


def test_m1_8_a_connection_that_a_command_stopped_is_2009_and_others_go_on(
    qmgr: QueueManager,
) -> None:
    play = Play(qmgr)
    play.run("put m1 · B: put m2")
    identifiers = {row["APPLTAG"]: row["CONN"] for row in connections(qmgr)}
    stop_connections(qmgr, identifiers["A"])
    play.run("put m3 => 2/2009 · get => 2/2009 · B: put m4")


def test_calls_fail_while_quiescing_only_if_they_ask_to(qmgr: QueueManager) -> None:
    Play(qmgr).run("""
        put m1 · B: put m2 · end · put m3 · put m4 fail-if-quiescing => 2/2161 · put1 m4 fail-if-quiescing => 2/2161
        get fail-if-quiescing => 2/2161 · open Q output fail-if-quiescing => 2/2161 · get => m1
    """)


def test_a_quiescing_queue_manager_is_named_in_the_error(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        qmgr.end()
        with pytest.raises(MQError) as refused:
            connection.open("Q", FOR_ALL_CALLS | MQOO.FAIL_IF_QUIESCING)
    assert (refused.value.reason, refused.value.object_name) == (MQRC.Q_MGR_QUIESCING, "QM1")
