"""What every call checks first: the connection, a quiescing queue manager, and the size of the unit of work."""

from __future__ import annotations

import pytest

from store.admin import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQRC
from tests.store.mqi.calls import CALLS, FOR_ALL_CALLS, Call, reason_of


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_m1_8_a_connection_that_the_queue_manager_broke_is_2009(qmgr: QueueManager, call: Call) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", FOR_ALL_CALLS)
    qmgr.end(immediate=True)
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN

    qmgr.start()
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN
