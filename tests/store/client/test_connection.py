"""Ending a connection: by a call, by leaving its block, and by an exception."""

from __future__ import annotations

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.message import Message, PutMessageOptions
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


def work_and_fail(qmgr: QueueManager, *, end: bool) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED).put(Message(b"x"), SYNCPOINT)
        if end:
            qmgr.end(immediate=True)
        raise KeyError


@pytest.mark.parametrize("end", [False, True])
def test_m1_11_leaving_the_block_by_an_exception_backs_out(qmgr: QueueManager, end: bool) -> None:
    """A connection that is broken by then does not hide the exception."""
    with pytest.raises(KeyError):
        work_and_fail(qmgr, end=end)
    left = queue_row(qmgr, "Q")
    assert (left.depth, left.input_handles, left.output_handles) == (0, 0, 0)
