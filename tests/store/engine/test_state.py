"""The process of an open store, and the state of a queue manager."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from store.client.api import QueueManager, Store, open_store
from store.constants import MQRC
from store.engine.state import QueueManagerState, StoreState
from store.environment import Environment
from store.error import MQError, StoreError
from store.sqlite import locks
from store.sqlite.database import Reading, Transaction
from tests.conftest import START


def test_a_process_that_cannot_register_leaves_no_file(tmp_path: Path) -> None:
    """Nothing would ever delete its file, because no row of the store names it."""
    path = str(tmp_path / "held.db")
    with open_store(f"sqlite:///{path}") as store, open_store(f"sqlite:///{path}") as other:
        store.database.busy_timeout = 0
        with Transaction(other.database, durable=False):
            before = {*locks.folder_beside(path).iterdir()}
            with pytest.raises(MQError, match="2102"):
                store.register_process()
            assert {*locks.folder_beside(path).iterdir()} == before
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
    assert (call.qmgr.name, call.now, call.connection) == ("QM1", START, None)
    assert (call.application, call.user) == ("mqsc", "tester")
    assert qmgr.now() == START


def test_a_queue_manager_that_has_ended_or_is_gone(store: Store, qmgr: QueueManager) -> None:
    qmgr.end()
    with Reading(store.database) as reading:
        assert qmgr.call_context(reading, running=False).qmgr.state == "ENDED"
        with pytest.raises(MQError) as ended:
            qmgr.call_context(reading)
        gone = QueueManagerState(store, "GONE")
        with pytest.raises(MQError) as missing:
            gone.call_context(reading, running=False)
    with pytest.raises(MQError) as no_row:
        gone.row()
    reasons = [each.value.reason for each in (ended, missing, no_row)]
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
