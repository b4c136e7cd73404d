"""A preview of a put has the same result as the put, for every reason for which it can fail."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.altering import change, change_queue_manager
from store.admin.defining import create
from store.admin.put_preview import PutPreview, leads_to
from store.catalog import KINDS
from store.client.api import Connection, QueueManager
from store.constants import MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    """QM1 with queues of every kind."""
    for kind, name, given in (
        ("QLOCAL", "Q", {}),
        ("QLOCAL", "SHORT", {"MAXMSGL": 10}),
        ("QLOCAL", "TWO", {"MAXDEPTH": 2}),
        ("QLOCAL", "CLOSED", {"PUT": "DISABLED"}),
        ("QLOCAL", "XMIT", {"USAGE": "XMITQ"}),
        ("QALIAS", "ALIAS", {"TARGET": "Q"}),
        ("QALIAS", "CLOSED.ALIAS", {"TARGET": "Q", "PUT": "DISABLED"}),
        ("QALIAS", "NOWHERE", {"TARGET": "NONE"}),
        ("QALIAS", "TWO.ALIAS", {"TARGET": "TWO"}),
        ("QREMOTE", "FAR", {"RNAME": "Q", "RQMNAME": "QM2", "XMITQ": "XMIT"}),
        ("QREMOTE", "FAR.NOWHERE", {"RNAME": "Q", "RQMNAME": "QM2", "XMITQ": "NONE"}),
        ("QMODEL", "MODEL", {}),
        ("QLOCAL", "COPIED", {"STREAMQ": "TWO", "STRMQOS": "MUSTDUP"}),
        ("QLOCAL", "COPIED.TO.CLOSED", {"STREAMQ": "CLOSED", "STRMQOS": "MUSTDUP"}),
        ("QLOCAL", "COPIED.NOWHERE", {"STREAMQ": "NONE", "STRMQOS": "MUSTDUP"}),
        ("QLOCAL", "COPIED.IF.POSSIBLE", {"STREAMQ": "CLOSED"}),
    ):
        create(qmgr, KINDS[kind], name, given)
    return qmgr


@pytest.mark.parametrize(
    ("queue", "manager", "length", "fields", "reason"),
    [
        ("Q", "", 5, {}, 0),
        ("Q", "QM1", 5, {}, 0),
        ("ALIAS", "", 5, {}, 0),
        ("FAR", "", 5, {}, 0),
        ("NONE", "", 5, {}, 2085),
        ("", "", 5, {}, 2085),
        ("A B", "", 5, {}, 2085),
        ("Q", "A B", 5, {}, 2086),
        ("NOWHERE", "", 5, {}, 2082),
        ("MODEL", "", 5, {}, 2057),
        ("Q", "QM9", 5, {}, 2087),
        ("FAR.NOWHERE", "", 5, {}, 2196),
        ("SHORT", "", 10, {}, 0),
        ("SHORT", "", 11, {}, 2030),
        ("CLOSED", "", 5, {}, 2051),
        ("CLOSED.ALIAS", "", 5, {}, 2051),
        ("TWO", "", 5, {}, 0),
        ("COPIED", "", 5, {}, 0),
        ("COPIED.TO.CLOSED", "", 5, {}, 2051),
        ("COPIED.NOWHERE", "", 5, {}, 2085),
        ("COPIED.IF.POSSIBLE", "", 5, {}, 0),
        ("Q", "", 5, {"msg_type": 1}, 2027),
        ("Q", "", 5, {"feedback": -2}, 2014),
        ("Q", "", 5, {"priority": 12}, 2049),
    ],
)
def test_a_put(qmgr: QueueManager, queue: str, manager: str, length: int, fields: dict[str, Any], reason: int) -> None:
    descriptor = MessageDescriptor(**{"persistence": 0, **fields})
    assert PutPreview(qmgr).put(queue, manager, descriptor, length).reason == reason
    message = Message(b"x" * length, descriptor)
    with qmgr.connect() as connection:
        assert reason_of(connection, queue, message, manager) == reason


def reason_of(connection: Connection, queue: str, message: Message, manager: str) -> int:
    """Put a message; return the reason."""
    try:
        connection.put1(queue, message, queue_manager=manager)
    except MQError as error:
        return int(error.reason)
    return message.reason


def test_persistent_messages_on_a_temporary_queue(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        name = connection.open("MODEL", MQOO.INPUT_SHARED, dynamic_name="D*").destination.queue.name  # type: ignore[union-attr]
        preview = PutPreview(qmgr)
        assert [preview.put(name, "", MessageDescriptor(persistence=each), 1).reason for each in (0, 1)] == [0, 2048]


def test_messages_before_it_count(qmgr: QueueManager) -> None:
    """Under either name: the queue has room for two."""
    preview, descriptor = PutPreview(qmgr), MessageDescriptor(persistence=0)
    outlooks = [preview.put(name, "", descriptor, 1) for name in ("TWO", "TWO.ALIAS", "TWO", "TWO.ALIAS")]
    assert [(each.reason, each.queue) for each in outlooks] == [(0, "TWO"), (0, "TWO"), (2053, "TWO"), (2053, "TWO")]


def test_copies_for_a_stream_queue_count(qmgr: QueueManager) -> None:
    preview, descriptor = PutPreview(qmgr), MessageDescriptor(persistence=0)
    assert [preview.put(name, "", descriptor, 1).reason for name in ("COPIED", "TWO", "TWO", "COPIED")] == [
        0,
        0,
        2053,
        2053,
    ]


def test_a_message_that_goes_back_to_its_queue_needs_no_room(qmgr: QueueManager) -> None:
    """The message is got first; the space of one that goes elsewhere becomes free."""
    with qmgr.connect() as connection:
        for _ in range(2):
            connection.put1("TWO", Message(b""))
        preview, descriptor = PutPreview(qmgr, "TWO"), MessageDescriptor(persistence=0)
        assert [preview.put("TWO", "", descriptor, 1).reason for _ in range(3)] == [0, 0, 0]
        handle = connection.open("TWO", MQOO.INPUT_SHARED)
        handle.get(GetMessageOptions(2))
        connection.put1("TWO", Message(b""), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()


def test_a_preview_is_of_the_moment_it_was_begun(qmgr: QueueManager) -> None:
    preview = PutPreview(qmgr)
    assert preview.reason_for("Q", "") == 0
    change(qmgr, KINDS["QLOCAL"], "Q", {"PUT": "DISABLED"})
    assert preview.put("Q", "", MessageDescriptor(persistence=0), 1).reason == 0
    assert PutPreview(qmgr).put("Q", "", MessageDescriptor(persistence=0), 1).reason == 2051


@pytest.mark.parametrize(
    ("queue", "manager", "local"),
    [("Q", "", "Q"), ("ALIAS", "QM1", "Q"), ("FAR", "", "XMIT"), ("NONE", "", ""), ("NOWHERE", "", ""), ("", "", "")],
)
def test_where_a_name_leads(qmgr: QueueManager, queue: str, manager: str, local: str) -> None:
    assert leads_to(qmgr, queue, manager) == local


def test_the_default_transmission_queue(qmgr: QueueManager) -> None:
    change_queue_manager(qmgr, {"DEFXMITQ": "XMIT"})
    assert leads_to(qmgr, "ANY", "QM9") == "XMIT"
