"""Expired messages that a get meets are discarded many at a time, and the history has them in the order they stood."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from store.admin import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQIA, MQOO, MQRC, MQRO
from store.descriptor import MessageDescriptor
from store.environment import FrozenClock
from store.error import MQError
from store.message import GetMessageOptions, Message
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

_EXPIRED = Statement(
    select(event.c.msg_id, event.c.cause, event.c.queue, event.c.connection, event.c.detail)
    .where(event.c.kind == "EXPIRE")
    .order_by(event.c.seq)
)


def test_expired_messages_in_front_go_in_their_order_whether_they_ask_for_reports_or_not(qmgr: QueueManager) -> None:
    for name in ("Q", "REPLIES"):
        create(qmgr, KINDS["QLOCAL"], name, {})
    asking = dict.fromkeys((2, 3, 6), MQRO.EXPIRATION)
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        for number in range(1, 9):
            handle.put(
                Message(
                    b"x",
                    MessageDescriptor(
                        expiry=1, msg_id=bytes([number]), report=asking.get(number, 0), reply_to_q="REPLIES"
                    ),
                )
            )
        handle.put(Message(b"live"))
        clock = qmgr.store.environment.clock
        assert isinstance(clock, FrozenClock)
        clock.advance(1)

        assert handle.get(GetMessageOptions(MQGMO.NO_WAIT)).body == b"live"
        replies = connection.open("REPLIES", MQOO.INPUT_SHARED)
        reported = [replies.get().descriptor.correl_id[0] for _ in asking]
        with Reading(qmgr.store.database) as reading:
            rows = reading.all(_EXPIRED)
        number = connection.number
    assert [row[0][0] for row in rows] == list(range(1, 9))
    assert {row[1:4] for row in rows} == {("get", "Q", number)}
    assert [row[0][0] for row in rows if row[4]] == list(asking) == reported


def test_a_queue_of_expired_messages_is_empty_and_counts_none(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.INQUIRE)
        # More than one transaction discards.
        handle.put([Message(b"x", MessageDescriptor(expiry=1))] * 1001)
        clock = qmgr.store.environment.clock
        assert isinstance(clock, FrozenClock)
        clock.advance(1)
        with pytest.raises(MQError) as refused:
            handle.get()
        assert refused.value.reason == MQRC.NO_MSG_AVAILABLE
        assert handle.inquire(MQIA.CURRENT_Q_DEPTH) == {MQIA.CURRENT_Q_DEPTH: 0}
