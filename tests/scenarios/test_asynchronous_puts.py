"""Asynchronous puts and MQSTAT (callbacks §5, A19 and A20)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi.state import PutStatus
from tests.scenarios.test_properties import reason

ASYNC = PutMessageOptions(MQPMO.ASYNC_RESPONSE)


@pytest.fixture
def connection(qmgr: QueueManager) -> Iterator[Connection]:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        yield connection


def alter(connection: Connection, **attributes: int | str) -> None:
    change(connection.qmgr, KINDS["QLOCAL"], "Q", attributes)


def test_a19_failures_are_recorded(connection: Connection) -> None:
    queue = connection.open("Q", MQOO.OUTPUT)
    for _ in range(10):
        queue.put(Message(b"m"), ASYNC)
    alter(connection, PUT="DISABLED")
    for _ in range(10):
        queue.put(Message(b"m"), ASYNC)
    assert connection.stat() == PutStatus(2, 2051, 10, 0, 10, 1, "Q", "QM1", "Q", "QM1")
    assert connection.stat() == PutStatus()


def test_a20_a_failure_replaces_a_warning(connection: Connection) -> None:
    alter(connection, MAXDEPTH=1)
    queue = connection.open("Q", MQOO.OUTPUT)
    queue.put(Message(b"m", MessageDescriptor(priority=12)), ASYNC)
    queue.put(Message(b"m"), ASYNC)
    assert connection.stat() == PutStatus(2, 2053, 0, 1, 1, 1, "Q", "QM1", "Q", "QM1")


def test_defpresp_of_the_object_opened(connection: Connection) -> None:
    alter(connection, DEFPRESP="ASYNC", PUT="DISABLED")
    queue = connection.open("Q", MQOO.OUTPUT)
    queue.put([Message(b"m"), Message(b"m")])
    assert connection.stat().put_failure_count == 2
    assert reason(lambda: queue.put(Message(b"m"), PutMessageOptions(MQPMO.SYNC_RESPONSE))) == 2051
    assert reason(lambda: connection.put1("Q", Message(b"m"))) == 2051
    alter(connection, DEFPRESP="SYNC", PUT="ENABLED")
    queue.put(Message(b"m"))
    queue.put(Message(b"m"))
    alter(connection, PUT="DISABLED")
    assert reason(lambda: queue.put(Message(b"m"))) == 2051


def test_mistakes_of_the_program_fail_the_call(connection: Connection) -> None:
    queue = connection.open("Q", MQOO.INPUT_SHARED)
    assert reason(lambda: queue.put(Message(b"m"), ASYNC)) == 2039
    both = PutMessageOptions(MQPMO.ASYNC_RESPONSE | MQPMO.SYNC_RESPONSE)
    assert reason(lambda: connection.put1("Q", Message(b"m"), both)) == 2046
    assert [reason(partial(connection.stat, each)) for each in (1, 2, 3)] == [2012, 2012, 2430]
    assert connection.stat() == PutStatus()


def test_mqput1(connection: Connection) -> None:
    connection.put1("Q", Message(b"m"), ASYNC)
    connection.put1("NOWHERE", Message(b"m"), ASYNC)
    assert connection.stat() == PutStatus(2, 2085, 1, 0, 1, 1, "NOWHERE", "QM1", "", "")


def test_a_unit_of_work_that_misses_a_put_is_backed_out(
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    queue = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
    in_unit = PutMessageOptions(MQPMO.ASYNC_RESPONSE | MQPMO.SYNCPOINT)
    for ends in (Connection.commit, Connection.back):
        queue.put(Message(b"m"), in_unit)
        alter(connection, PUT="DISABLED")
        queue.put(Message(b"m"), in_unit)
        alter(connection, PUT="ENABLED")
        if ends is Connection.commit:
            with pytest.raises(MQError) as refused:
                connection.commit()
            assert (refused.value.completion, refused.value.reason) == (1, 2003)
        else:
            connection.back()
            connection.commit()
        assert reason(lambda: queue.get(GetMessageOptions())) == 2033
    other = qmgr.connect()
    other.put1("Q", Message(b"x" * 5_000_000), in_unit)
    with pytest.raises(MQError, match="2003"):
        other.disconnect()
    assert not other.is_connected
