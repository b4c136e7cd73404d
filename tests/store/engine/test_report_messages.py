"""Reports, and messages on their way to another queue manager (mqi-semantics §9, rows M8)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.effects import REPORT, Arrival
from mqsc.store.engine.report_messages import confirm_arrival, confirm_delivery, report_expiry
from mqsc.store.engine.state import CallContext
from mqsc.store.headers import mqmd, mqmde, mqxqh
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.sql import messages
from mqsc.store.sql.rows import StoredMessage
from mqsc.store.sqlite.database import Transaction
from tests.conftest import START
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

ASKED = MessageDescriptor(
    report=int(MQRO.COA | MQRO.COD),
    reply_to_q="R",
    reply_to_q_mgr="QM9",
    msg_id=b"M",
    expiry=50,
)


@pytest.fixture
def call(qmgr: QueueManager) -> CallContext:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with Transaction(qmgr.store.database, durable=False) as tx:
        return qmgr.call_context(tx)


def later(call: CallContext) -> CallContext:
    return replace(call, now=START + 1_000_000)


def stored(qmgr: QueueManager, message: Message, queue: str = "Q") -> StoredMessage:
    """Put a message; return it as it is stored."""
    with qmgr.connect() as connection:
        connection.put1(queue, message)
    with Transaction(qmgr.store.database, durable=False) as tx:
        found = messages.by_id(tx, 2)
    assert found is not None
    return found


def test_a_confirmation_goes_to_the_reply_queue_in_the_putters_unit(
    qmgr: QueueManager,
    call: CallContext,
) -> None:
    made = confirm_arrival(call, queue_row(qmgr, "Q"), Arrival(ASKED, b"data"), 7)
    assert (made.kind, made.queue, made.queue_manager, made.unit) == (REPORT, "R", "QM9", 7)
    assert (made.cause, made.about, made.reason) == ("coa", "Q", 259)
    assert (made.descriptor.feedback, made.descriptor.correl_id, made.body) == (
        259,
        ASKED.msg_id,
        b"",
    )
    assert made.detail == {"original": ASKED.msg_id.hex(), "data": "plain"}


@rows(
    (MQRO.COA, "plain", b""),
    (MQRO.COA_WITH_DATA, "data", b"d" * 100),
    (MQRO.COA_WITH_FULL_DATA, "full", b"d" * 120),
)
def test_how_much_data_a_report_repeats(
    qmgr: QueueManager,
    call: CallContext,
    report: int,
    amount: str,
    body: bytes,
) -> None:
    arrival = Arrival(MessageDescriptor(report=int(report), reply_to_q="R"), b"d" * 120)
    made = confirm_arrival(call, queue_row(qmgr, "Q"), arrival, None)
    assert (made.detail["data"], made.body) == (amount, body)


@rows(("", 1), ("MQDEAD", 0))
def test_a_message_taken_from_a_dead_letter_queue_is_not_confirmed(
    qmgr: QueueManager,
    call: CallContext,
    format: str,
    reports: int,
) -> None:
    descriptor = ASKED.copy()
    descriptor.format = format
    found = confirm_delivery(
        later(call),
        queue_row(qmgr, "Q"),
        stored(qmgr, Message(b"x", descriptor)),
        7,
    )
    assert [(each.cause, each.reason, each.unit) for each in found] == [("cod", 260, 7)] * reports


def test_a_report_passes_on_what_remains_of_the_expiry_if_asked(
    qmgr: QueueManager,
    call: CallContext,
) -> None:
    descriptor = ASKED.copy()
    descriptor.report = int(MQRO.COD | MQRO.PASS_DISCARD_AND_EXPIRY)
    (made,) = confirm_delivery(
        later(call),
        queue_row(qmgr, "Q"),
        stored(qmgr, Message(b"x", descriptor)),
        None,
    )
    assert made.descriptor.expiry == 40


@rows((MQRO.EXPIRATION, True), (MQRO.EXPIRATION_WITH_DATA, True), (MQRO.COD, False))
def test_an_expired_message_is_reported_if_it_asked(
    qmgr: QueueManager,
    call: CallContext,
    report: int,
    is_made: bool,
) -> None:
    message = Message(
        b"x",
        MessageDescriptor(report=int(report), reply_to_q="R", expiry=10, msg_id=b"M"),
    )
    made = report_expiry(later(call), queue_row(qmgr, "Q"), stored(qmgr, message))
    assert (made is not None) is is_made
    if made is not None:
        assert (made.cause, made.unit, made.reason, made.descriptor.feedback) == (
            "expiration",
            None,
            258,
            258,
        )
        assert made.descriptor.correl_id == b"M".ljust(24, b"\0")


@pytest.mark.parametrize("reply_to_q", ["SENDERS", ""])
def test_an_expired_message_on_a_transmission_queue_is_reported_as_its_sender_knows_it(
    qmgr: QueueManager,
    call: CallContext,
    reply_to_q: str,
) -> None:
    """If the sender gave no reply queue, there is no report, whatever the outer descriptor says."""
    sent = MessageDescriptor(
        reply_to_q=reply_to_q,
        reply_to_q_mgr="QM9",
        expiry=10,
        msg_id=b"S",
        priority=0,
    )
    sent.report, sent.persistence = int(MQRO.EXPIRATION_WITH_FULL_DATA), 0
    body = mqxqh.pack(mqxqh.TransmissionHeader("T", "QM2", sent)) + b"data"
    outer = MessageDescriptor(
        format="MQXMIT",
        expiry=10,
        msg_id=b"O",
        report=int(MQRO.EXPIRATION),
        reply_to_q="OUTER",
    )
    found = stored(qmgr, Message(body, outer), "XQ")
    made = report_expiry(later(call), queue_row(qmgr, "XQ"), found)
    assert (made is not None) is bool(reply_to_q)
    if made is not None:
        assert (made.queue, made.queue_manager, made.body) == ("SENDERS", "QM9", b"data")
        assert made.descriptor.correl_id == sent.msg_id


# No field has its default.
_SENT: dict[str, Any] = {
    "report": int(
        MQRO.COA | MQRO.COD | MQRO.EXCEPTION | MQRO.EXPIRATION | MQRO.PASS_DISCARD_AND_EXPIRY,
    ),
    **{
        "msg_type": 1,
        "expiry": 300,
        "feedback": 7,
        "encoding": 273,
        "coded_char_set_id": 500,
        "format": "OWN",
    },
    **{
        "priority": 6,
        "persistence": 1,
        "msg_id": b"sent",
        "correl_id": b"related",
        "reply_to_q": "REPLY",
    },
    **{
        "reply_to_q_mgr": "QM7",
        "user_identifier": "someone",
        "accounting_token": b"token",
        "put_appl_type": 11,
    },
    **{
        "appl_identity_data": "identity",
        "put_appl_name": "program",
        "put_date": "20010203",
        "put_time": "04050607",
    },
}
SENT = MessageDescriptor(**_SENT, appl_origin_data="orig")


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "XQ", {"USAGE": "XMITQ"})
    create(qmgr, KINDS["QREMOTE"], "FAR", {"RNAME": "T", "RQMNAME": "QM2", "XMITQ": "XQ"})
    return qmgr


def transmitted(
    qmgr: QueueManager,
    descriptor: MessageDescriptor,
    body: bytes = b"data",
) -> Message:
    """Put a message to FAR; return it as it is on the transmission queue."""
    with qmgr.connect() as connection:
        far = connection.open("FAR", MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT)
        far.put(Message(body, descriptor), PutMessageOptions(MQPMO.SET_ALL_CONTEXT))
        return connection.open("XQ", MQOO.INPUT_SHARED).get()


def test_m8_the_outer_descriptor_is_separate(qmgr: QueueManager) -> None:
    found = transmitted(qmgr, SENT).descriptor
    report = int(MQRO.EXCEPTION | MQRO.EXPIRATION)
    expected = MessageDescriptor(
        report,
        1,
        300,
        7,
        546,
        1208,
        "MQXMIT",
        6,
        1,
        found.msg_id,
        SENT.msg_id,
    )
    for name in (
        "reply_to_q",
        "reply_to_q_mgr",
        "user_identifier",
        "accounting_token",
        "appl_identity_data",
    ):
        setattr(expected, name, getattr(SENT, name))
    expected.put_appl_type, expected.put_appl_name = 7, "QM1"
    expected.put_date, expected.put_time = "20231114", "22132000"
    assert found == expected


def test_m8_outer_msg_id_is_new(qmgr: QueueManager) -> None:
    ids = {transmitted(qmgr, SENT).descriptor.msg_id for _ in range(3)}
    assert len(ids) == 3
    assert all(each.startswith(b"AMQ QM1         ") for each in ids)


def test_m8_the_embedded_descriptor_is_the_programs_own(qmgr: QueueManager) -> None:
    waiting = transmitted(qmgr, SENT)
    header = mqxqh.unpack(waiting.body)
    assert (header.remote_q_name, header.remote_q_mgr_name, header.descriptor) == ("T", "QM2", SENT)
    # Without grouping there is no extension.
    assert waiting.body[mqxqh.LENGTH :] == b"data"
    assert mqmd.layout_of(waiting.body, at=mqxqh.LENGTH - mqmd.MQMD_1.length).version == 1


def test_m8_embedded_what_the_queue_manager_decides(qmgr: QueueManager) -> None:
    with qmgr.connect(application="app", user="me") as connection:
        placed = connection.put1("FAR", Message(b"data"))
        waiting = connection.open("XQ", MQOO.INPUT_SHARED).get()
    embedded = mqxqh.unpack(waiting.body).descriptor
    assert embedded == placed
    assert (embedded.user_identifier, embedded.put_appl_name, embedded.put_date) == (
        "me",
        "app",
        "20231114",
    )
    assert waiting.descriptor.correl_id == placed.msg_id


def test_m8_grouping_fields_travel_in_an_extension(qmgr: QueueManager) -> None:
    grouped = SENT.copy()
    grouped.group_id, grouped.msg_seq_number, grouped.msg_flags = b"g".ljust(24, b"\0"), 3, 8
    waiting = transmitted(qmgr, grouped)
    embedded = mqxqh.unpack(waiting.body).descriptor
    whole, data = mqmde.merge_extension(embedded, waiting.body[mqxqh.LENGTH :])
    assert (embedded.format, embedded.encoding, embedded.coded_char_set_id) == ("MQHMDE", 546, 1208)
    assert (whole, data) == (grouped, b"data")


@rows((500, 500), (1200, 1208))
def test_headers_are_in_the_character_set_where_they_can_be(
    qmgr: QueueManager,
    ccsid: int,
    written: int,
) -> None:
    change_queue_manager(qmgr, {"CCSID": ccsid})
    waiting = transmitted(qmgr, SENT)
    assert waiting.descriptor.coded_char_set_id == written
    assert mqxqh.unpack(waiting.body, 546, written).remote_q_name == "T"


def test_time_on_the_transmission_queue_counts_in_both(qmgr: QueueManager) -> None:
    Play(qmgr).run("put1 m on FAR expiry=300 · advance 10 · get from XQ => expiry=200 embedded=200")
