"""Units of work beside those of other connections."""

from __future__ import annotations

import pytest

from store.admin import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO, MQPMO
from store.message import Message, PutMessageOptions
from store.sql.schema import UNIT_BITS
from tests.store.admin.looking import queue_row

IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.mark.parametrize("before", [0, 1 << 24, (1 << UNIT_BITS) - 2])
def test_units_are_the_connections_own_however_many_there_were(qmgr: QueueManager, before: int) -> None:
    with qmgr.connect() as connection:
        other = qmgr.connect()
        connection.unit.serial += before
        handle = connection.open("Q", MQOO.OUTPUT)
        handle.put(Message(b"m"), IN_UNIT)
        other.abend()
        assert queue_row(qmgr, "Q").depth == 1

        connection.back()
        assert queue_row(qmgr, "Q").depth == 0
