"""One call at a time, and none after the connection has ended. An unreferenced connection is
backed out.
"""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO, MQPMO, MQRC
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sqlite.database import Transaction
from tests.store.admin.looking import queue_row
from tests.store.mqi.calls import CALLS, FOR_ALL_CALLS, reason_of

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def reasons(connection: Connection, handle: ObjectHandle) -> dict[str, int]:
    return {name: reason_of(partial(call, connection, handle)) for name, call in CALLS.items()}


def test_m1_8_a_connection_that_has_ended_answers_2018(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", FOR_ALL_CALLS)
    connection.disconnect()
    assert reasons(connection, handle) == dict.fromkeys(CALLS, MQRC.HCONN_ERROR)


def test_m1_8_a_connection_may_pass_from_thread_to_thread(qmgr: QueueManager) -> None:
    """But a call while another thread is in one is 2219."""
    with qmgr.connect() as connection, ThreadPoolExecutor(1) as thread:
        handle = connection.open("Q", FOR_ALL_CALLS)
        with connection.call():
            found = thread.submit(reasons, connection, handle).result()
        assert found == dict.fromkeys(CALLS, MQRC.CALL_IN_PROGRESS)
        thread.submit(handle.put, Message(b"x"), SYNCPOINT).result()
        connection.commit()
        assert handle.get().body == b"x"


def abandon(qmgr: QueueManager) -> None:
    """Drop the last reference to a connection with an open unit of work."""
    connection = qmgr.connect()
    connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED).put(Message(b"x"), SYNCPOINT)
    del connection
    gc.collect()


def test_m1_11_a_collected_connection_is_backed_out_by_the_next_call_of_any_connection(
    qmgr: QueueManager,
) -> None:
    with qmgr.connect() as other:
        abandon(qmgr)
        # The finalizer only records the connection, because it may run inside a transaction.
        assert queue_row(qmgr, "Q").depth == 1
        other.commit()
        left = queue_row(qmgr, "Q")
        assert (left.depth, left.input_handles, left.output_handles) == (0, 0, 0)


def test_a_call_that_cannot_recover_leaves_the_connection_free_for_the_next(
    qmgr: QueueManager,
) -> None:
    with open_store(f"sqlite:///{qmgr.store.path}") as program, qmgr.connect() as connection:
        abandon(qmgr)
        qmgr.store.database.busy_timeout = 0
        with Transaction(program.database, durable=False):
            assert reason_of(connection.commit) == MQRC.RESOURCE_PROBLEM
        assert reason_of(connection.commit) == 0
    assert queue_row(qmgr, "Q").depth == 0


def test_a_handle_that_nobody_holds_stays_open_and_an_ended_connection_is_not_backed_out(
    qmgr: QueueManager,
) -> None:
    connection = qmgr.connect()
    connection.open("Q", MQOO.INPUT_SHARED)
    gc.collect()
    assert queue_row(qmgr, "Q").input_handles == 1
    connection.disconnect()
    del connection
    gc.collect()
    assert qmgr.store.abandoned == []
