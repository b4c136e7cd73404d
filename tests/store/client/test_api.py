"""The classes that programs use: leaving a `with` block, starting, closing, and arguments of the wrong type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager, open_store
from store.constants import MQOO, MQPMO
from store.environment import Environment, FrozenClock
from store.message import Message, PutMessageOptions
from store.sql.connections import other_processes
from store.sqlite.database import Reading
from tests.store.admin.looking import queue_row

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


def test_m1_9_disconnecting_closes_handles_and_commits(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_EXCLUSIVE).put(Message(b"x"), SYNCPOINT)
    connection.disconnect()

    left = queue_row(qmgr, "Q")
    assert (left.input_handles, left.output_handles, left.depth) == (0, 0, 1)
    with qmgr.connect() as other:
        assert other.open("Q", MQOO.INPUT_EXCLUSIVE).get().body == b"x"


def test_m1_9_leaving_the_block_disconnects(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT).put(Message(b"x"), SYNCPOINT)

    assert (connection.is_connected, queue_row(qmgr, "Q").depth) == (False, 1)


def work_and_fail(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED).put(Message(b"x"), SYNCPOINT)
        raise KeyError


def leave_by_an_exception(qmgr: QueueManager) -> None:
    with pytest.raises(KeyError):
        work_and_fail(qmgr)


def test_m1_11_leaving_the_block_by_an_exception_backs_out(qmgr: QueueManager) -> None:
    leave_by_an_exception(qmgr)

    left = queue_row(qmgr, "Q")
    assert (left.depth, left.input_handles, left.output_handles) == (0, 0, 0)


def lose_the_connection_and_fail(qmgr: QueueManager) -> None:
    with qmgr.connect():
        qmgr.end(immediate=True)
        raise KeyError


def test_an_exception_in_the_block_is_not_hidden_by_a_broken_connection(qmgr: QueueManager) -> None:
    with pytest.raises(KeyError):
        lose_the_connection_and_fail(qmgr)


def test_an_ended_queue_manager_does_not_run(qmgr: QueueManager) -> None:
    assert (qmgr.is_running, qmgr.start()) == (True, False)
    assert (qmgr.end(), qmgr.is_running, qmgr.start(), qmgr.is_running) == ("ENDED", False, True, True)


def test_closing_a_store_takes_back_its_registration_unless_connections_are_left(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    for keeps_a_connection in (False, True):
        program = open_store(f"sqlite:///{qmgr.store.path}", environment=environment)
        connection = program.queue_manager("QM1").connect()
        if not keeps_a_connection:
            connection.disconnect()
        before = program.process
        program.close()
        with Reading(qmgr.store.database) as reading:
            left = [number for number, _ in other_processes(reading, mine=0)]
        assert (before in left, program.process) == (keeps_a_connection, 0)
    assert qmgr.store.recover()
    assert not qmgr.store.recover()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda handle: handle.put(Message(b"x"), MQPMO.SYNCPOINT), "options must be"),
        (lambda handle: handle.get(MQPMO.SYNCPOINT), "options must be"),
        (lambda handle: handle.inquire("DESCR"), "selectors are MQIA and MQCA numbers"),
        (lambda handle: handle.set([1]), "values by their selectors can be set, not list"),
        (lambda handle: handle.set({"PUT": 1}), "selectors are MQIA and MQCA numbers"),
        (lambda handle: handle.close("DELETE"), "options must be int, not str"),
    ],
)
def test_arguments_of_the_wrong_type_are_a_type_error(
    qmgr: QueueManager, call: Callable[[Any], object], said: str
) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED | MQOO.INQUIRE | MQOO.SET)
        with pytest.raises(TypeError, match=said):
            call(handle)
        handle.put(Message(b"the connection is free for the next call"))
