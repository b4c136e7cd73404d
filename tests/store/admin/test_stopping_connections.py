"""STOP CONN: break connections."""

from __future__ import annotations

import pytest

from store.admin.defining import create
from store.admin.status import connections, stop_connections
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQOO, MQPMO, MQRC, MQRCCF
from store.error import MQError
from store.message import Message, PutMessageOptions
from tests.store.admin.looking import history, queue_row


def test_a_connection_is_broken_and_its_work_backed_out(store: Store, qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    connection = qmgr.connect()
    other = qmgr.connect()
    handle = connection.open("Q", MQOO.OUTPUT)
    handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
    first, second = (row["CONN"] for row in connections(qmgr))
    assert stop_connections(qmgr, first) == 1
    with pytest.raises(MQError) as caught:
        handle.put(Message(b"y"))
    assert caught.value.reason == MQRC.CONNECTION_BROKEN
    assert [row["CONN"] for row in connections(qmgr)] == [second]
    assert queue_row(qmgr, "Q").depth == 0
    assert [(each.kind, each.cause) for each in history(store, "Q") if each.kind == "CLOSE"] == [("CLOSE", None)]
    other.disconnect()


def test_all_of_the_queue_manager(qmgr: QueueManager) -> None:
    kept = [qmgr.connect() for _ in range(2)]
    extended = next(iter(connections(qmgr)))["EXTCONN"]
    assert stop_connections(qmgr, "", extended) == 2
    assert [*connections(qmgr)] == []
    for connection in kept:
        with pytest.raises(MQError) as caught:
            connection.commit()
        assert caught.value.reason == MQRC.CONNECTION_BROKEN


@pytest.mark.parametrize(
    ("identifier", "extended"), [("", ""), ("0000000000000099", ""), ("00", ""), ("", "FF"), ("zz", "")]
)
def test_there_is_no_such_connection(qmgr: QueueManager, identifier: str, extended: str) -> None:
    with qmgr.connect(), pytest.raises(MQError) as caught:
        stop_connections(qmgr, identifier, extended)
    assert caught.value.reason == MQRCCF.CONNECTION_ID_ERROR
