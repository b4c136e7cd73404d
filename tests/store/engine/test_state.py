"""The state of a store and of a queue manager; a call's time, identifiers and cause."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQRC
from mqsc.store.engine import state
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.environment import Environment
from mqsc.store.error import MQError, StoreError
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.rows import rows
from tests.store.mqi.calls import reason_of


def test_a_process_that_cannot_register_leaves_no_file(tmp_path: Path) -> None:
    """Nothing would ever delete its file, because no row of the store names it."""
    path = str(tmp_path / "held.db")
    with open_store(f"sqlite:///{path}") as store, open_store(f"sqlite:///{path}") as other:
        store.database.busy_timeout = 0
        with Transaction(other.database, durable=False):
            before = {*liveness.folder_beside(path).iterdir()}
            with pytest.raises(MQError, match="2102"):
                store.register_process()
            assert {*liveness.folder_beside(path).iterdir()} == before
        assert store.register_process() == 1


def test_a_process_registers_once_and_a_store_in_memory_never(store: Store) -> None:
    assert store.process == 0
    assert store.register_process() == store.register_process() == store.process > 0
    with open_store("sqlite://") as memory:
        assert memory.register_process() == 0


def test_a_missing_file_is_not_created_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(StoreError, match="there is no store at"):
        StoreState(str(path), Environment.system(), create=False)
    assert not path.exists()


def test_the_administrator_is_the_cause_of_a_command(qmgr: QueueManager) -> None:
    with Reading(qmgr.store.database) as reading:
        call = qmgr.call_context(reading)
    assert (call.qmgr.name, call.now, qmgr.now(), call.connection) == ("QM1", START, START, None)
    assert (call.application, call.user) == ("mqsc", "tester")


def test_a_queue_manager_that_has_ended_or_is_gone(store: Store, qmgr: QueueManager) -> None:
    qmgr.end()
    with Reading(store.database) as reading:
        assert qmgr.call_context(reading, running=False).qmgr.state == "ENDED"
        gone = QueueManagerState(store, "GONE")
        calls = (
            lambda: qmgr.call_context(reading),
            lambda: gone.call_context(reading, running=False),
            gone.row,
        )
        reasons = [reason_of(each) for each in calls]
    assert reasons == [MQRC.Q_MGR_NOT_AVAILABLE, MQRC.Q_MGR_NAME_ERROR, MQRC.Q_MGR_NAME_ERROR]


def test_a_forked_child_owns_nothing_of_its_parents_registration(store: Store) -> None:
    store.register_process()
    store.abandoned.append(1)
    child = os.fork()
    if child == 0:
        left = (store.forks, store.process, store.abandoned)
        os._exit(0 if left == (1, 0, []) and store.register_process() > 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (store.forks, store.process, store.abandoned) == (0, 1, [1])
    store.abandoned.clear()


@pytest.fixture
def call(qmgr: QueueManager) -> CallContext:
    with Reading(qmgr.store.database) as reading:
        return qmgr.call_context(reading)


def test_a_frozen_clock_overrides_a_manual_one_and_a_manual_one_the_machines(
    call: CallContext,
) -> None:
    manual, real = replace(call.qmgr, clock_at=7), Environment.system()
    assert [state.time_of(each, call.environment) for each in (call.qmgr, manual)] == [START, START]
    assert state.time_of(manual, real) == 7
    assert state.time_of(call.qmgr, real) > START


@rows(
    ("QM1", 0, 2, b"AMQ QM1         " + bytes([0, 0, 0, 2, 0, 0, 0, 3])),
    ("LONG.NAME.OF.QM", 0, 0, b"AMQ LONG.NAME.OF" + bytes([0, 0, 0, 0, 0, 0, 0, 3])),
    # The salt is added, modulo 2 to the 64th.
    ("QM1", (1 << 64) - 1, 2, b"AMQ QM1         " + bytes([0, 0, 0, 2, 0, 0, 0, 2])),
    ("QM1", (1 << 64) - 2, 0, b"AMQ QM1         " + bytes([0, 0, 0, 0, 0, 0, 0, 1])),
)
def test_an_identifier_names_the_queue_manager_the_connection_and_its_number(
    qmgr: str,
    salt: int,
    connection: int,
    third: bytes,
) -> None:
    made = state.identifiers(qmgr, salt, connection)
    assert [next(made) for _ in range(3)][2] == third


def test_generated_identifiers_differ_from_each_other_and_from_those_of_connections(
    call: CallContext,
) -> None:
    made = {call.new_identifier() for _ in range(20)}
    assert len(made) == 20
    # Identifiers of connections have their number there, which is never 0.
    assert {each[16:20] for each in made} == {bytes(4)}


def test_an_event_names_who_caused_it_and_when(call: CallContext) -> None:
    by = replace(call, connection=5, application="billing", user="alice")
    assert by.event("GET", queue="Q") == {
        **{"at": START, "qmgr": "QM1", "kind": "GET", "queue": "Q"},
        **{"connection": 5, "application": "billing", "user": "alice"},
    }
