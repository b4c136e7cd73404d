"""COA, COD and expiration reports: who receives them, in which unit of work, and how the history records them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from store.client.api import QueueManager
from store.constants import MQRO
from store.descriptor import MessageDescriptor
from store.engine.history import REPORT, Arrival
from store.engine.report_messages import confirm_arrival, confirm_delivery, report_expiry
from store.engine.state import CallContext
from store.headers import mqxqh
from store.message import Message
from store.sql import messages
from store.sql.rows import StoredMessage
from store.sqlite.database import Transaction
from tests.conftest import START
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row
from tests.store.tables import rows

ASKED = MessageDescriptor(report=int(MQRO.COA | MQRO.COD), reply_to_q="R", reply_to_q_mgr="QM9", msg_id=b"M", expiry=50)


@pytest.fixture
def call(qmgr: QueueManager) -> CallContext:
    Play(qmgr).run("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(XQ) USAGE(XMITQ)")
    with Transaction(qmgr.store.database, durable=False) as tx:
        return qmgr.call_context(tx)


def stored(qmgr: QueueManager, message: Message, queue: str = "Q") -> StoredMessage:
    """Put a message; return it as it is stored."""
    with qmgr.connect() as connection:
        connection.put1(queue, message)
    with Transaction(qmgr.store.database, durable=False) as tx:
        found = messages.by_id(tx, 2)
    assert found is not None
    return found


def test_a_confirmation_of_arrival_goes_to_the_reply_queue_in_the_putters_unit(
    qmgr: QueueManager, call: CallContext
) -> None:
    made = confirm_arrival(call, queue_row(qmgr, "Q"), Arrival(ASKED, b"data"), 7)
    assert (made.kind, made.queue, made.queue_manager, made.unit) == (REPORT, "R", "QM9", 7)
    assert (made.cause, made.about, made.reason) == ("coa", "Q", 259)
    assert (made.descriptor.feedback, made.descriptor.correl_id, made.body) == (259, ASKED.msg_id, b"")
    assert made.detail == {"original": ASKED.msg_id.hex(), "data": "plain"}


@rows((MQRO.COA, "plain", b""), (MQRO.COA_WITH_DATA, "data", b"d" * 100), (MQRO.COA_WITH_FULL_DATA, "full", b"d" * 120))
def test_how_much_data_a_report_repeats(
    qmgr: QueueManager, call: CallContext, report: int, amount: str, body: bytes
) -> None:
    made = confirm_arrival(
        call, queue_row(qmgr, "Q"), Arrival(MessageDescriptor(report=int(report), reply_to_q="R"), b"d" * 120), None
    )
    assert (made.detail["data"], made.body) == (amount, body)


@rows(("", 1), ("MQDEAD", 0))
def test_a_message_taken_from_a_dead_letter_queue_is_not_confirmed(
    qmgr: QueueManager, call: CallContext, format: str, reports: int
) -> None:
    descriptor = ASKED.copy()
    descriptor.format = format
    found = confirm_delivery(
        replace(call, now=START + 1_000_000), queue_row(qmgr, "Q"), stored(qmgr, Message(b"x", descriptor)), 7
    )
    assert [(each.cause, each.reason, each.unit) for each in found] == [("cod", 260, 7)] * reports


def test_a_report_passes_on_what_remains_of_the_expiry_if_asked(qmgr: QueueManager, call: CallContext) -> None:
    descriptor = ASKED.copy()
    descriptor.report = int(MQRO.COD | MQRO.PASS_DISCARD_AND_EXPIRY)
    (made,) = confirm_delivery(
        replace(call, now=START + 1_000_000), queue_row(qmgr, "Q"), stored(qmgr, Message(b"x", descriptor)), None
    )
    assert made.descriptor.expiry == 40


@rows((MQRO.EXPIRATION, True), (MQRO.EXPIRATION_WITH_DATA, True), (MQRO.COD, False))
def test_an_expired_message_is_reported_if_it_asked(
    qmgr: QueueManager, call: CallContext, report: int, is_made: bool
) -> None:
    message = Message(b"x", MessageDescriptor(report=int(report), reply_to_q="R", expiry=10, msg_id=b"M"))
    made = report_expiry(replace(call, now=START + 1_000_000), queue_row(qmgr, "Q"), stored(qmgr, message))
    assert (made is not None) is is_made
    if made is not None:
        assert (made.cause, made.unit, made.reason, made.descriptor.feedback) == ("expiration", None, 258, 258)
        assert made.descriptor.correl_id == b"M".ljust(24, b"\0")


@pytest.mark.parametrize("reply_to_q", ["SENDERS", ""])
def test_an_expired_message_on_a_transmission_queue_is_reported_as_its_sender_knows_it(
    qmgr: QueueManager, call: CallContext, reply_to_q: str
) -> None:
    """If the sender gave no reply queue, there is no report, whatever the outer descriptor says."""
    sent = MessageDescriptor(
        report=int(MQRO.EXPIRATION_WITH_FULL_DATA),
        reply_to_q=reply_to_q,
        reply_to_q_mgr="QM9",
        expiry=10,
        msg_id=b"S",
        priority=0,
        persistence=0,
    )
    body = mqxqh.pack(mqxqh.TransmissionHeader("T", "QM2", sent)) + b"data"
    outer = MessageDescriptor(format="MQXMIT", expiry=10, msg_id=b"O", report=int(MQRO.EXPIRATION), reply_to_q="OUTER")
    found = stored(qmgr, Message(body, outer), "XQ")
    made = report_expiry(replace(call, now=START + 1_000_000), queue_row(qmgr, "XQ"), found)
    if not reply_to_q:
        assert made is None
        return
    assert made is not None
    assert (made.queue, made.queue_manager, made.body) == ("SENDERS", "QM9", b"data")
    assert made.descriptor.correl_id == sent.msg_id
