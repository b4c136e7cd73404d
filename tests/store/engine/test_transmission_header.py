"""A message on its way to another queue manager: MQXQH, the two descriptors, and the extension (rows M8)."""

from __future__ import annotations

import pytest

from store.admin.altering import change_queue_manager
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO, MQPMO, MQRO
from store.descriptor import FIELDS, NO_ID, MessageDescriptor
from store.environment import Environment, FrozenClock
from store.headers import mqmd, mqxqh
from store.message import Message, PutMessageOptions
from tests.store.tables import rows

SENT = MessageDescriptor(
    report=int(MQRO.COA | MQRO.COD | MQRO.EXCEPTION | MQRO.EXPIRATION | MQRO.PASS_DISCARD_AND_EXPIRY),
    msg_type=1,
    expiry=300,
    feedback=7,
    encoding=273,
    coded_char_set_id=500,
    format="OWN",
    priority=6,
    persistence=1,
    msg_id=b"sent",
    correl_id=b"related",
    reply_to_q="REPLY",
    reply_to_q_mgr="QM7",
    user_identifier="someone",
    accounting_token=b"token",
    appl_identity_data="identity",
    put_appl_type=11,
    put_appl_name="program",
    put_date="20010203",
    put_time="04050607",
    appl_origin_data="orig",
)


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "XQ", {"USAGE": "XMITQ"})
    create(qmgr, KINDS["QREMOTE"], "FAR", {"RNAME": "T", "RQMNAME": "QM2", "XMITQ": "XQ"})
    return qmgr


def transmitted(qmgr: QueueManager, descriptor: MessageDescriptor, body: bytes = b"data") -> Message:
    """Put a message to FAR; return it as it is on the transmission queue."""
    with qmgr.connect() as connection:
        far = connection.open("FAR", MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT)
        far.put(Message(body, descriptor), PutMessageOptions(MQPMO.SET_ALL_CONTEXT))
        return connection.open("XQ", MQOO.INPUT_SHARED).get()


# (field of the separate descriptor, its value)
OUTER = [
    ("report", int(MQRO.EXCEPTION | MQRO.EXPIRATION)),
    ("msg_type", 1),
    ("expiry", 300),
    ("feedback", 7),
    ("encoding", 546),
    ("coded_char_set_id", 1208),
    ("format", "MQXMIT"),
    ("priority", 6),
    ("persistence", 1),
    ("correl_id", b"sent".ljust(24, b"\0")),
    ("backout_count", 0),
    ("reply_to_q", "REPLY"),
    ("reply_to_q_mgr", "QM7"),
    ("user_identifier", "someone"),
    ("accounting_token", b"token".ljust(32, b"\0")),
    ("appl_identity_data", "identity"),
    ("put_appl_type", 7),
    ("put_appl_name", "QM1"),
    ("put_date", "20231114"),
    ("put_time", "22132000"),
    ("appl_origin_data", ""),
    ("group_id", NO_ID),
    ("msg_seq_number", 1),
    ("offset", 0),
    ("msg_flags", 0),
    ("original_length", -1),
]


@pytest.mark.parametrize(("field", "value"), OUTER, ids=[f"M8-outer {field}" for field, _ in OUTER])
def test_the_separate_descriptor(qmgr: QueueManager, field: str, value: object) -> None:
    assert getattr(transmitted(qmgr, SENT).descriptor, field) == value


def test_every_field_but_the_message_id_is_listed() -> None:
    assert {field for field, _ in OUTER} == set(FIELDS) - {"msg_id"}


def test_m8_outer_msg_id_is_new(qmgr: QueueManager) -> None:
    ids = {transmitted(qmgr, SENT).descriptor.msg_id for _ in range(3)}

    assert len(ids) == 3
    assert all(each.startswith(b"AMQ QM1         ") for each in ids)


def test_m8_the_embedded_descriptor_is_the_programs_own(qmgr: QueueManager) -> None:
    waiting = transmitted(qmgr, SENT)
    header = mqxqh.unpack(waiting.body)

    assert (header.remote_q_name, header.remote_q_mgr_name) == ("T", "QM2")
    assert header.descriptor == SENT
    assert waiting.body[mqxqh.LENGTH :] == b"data"
    assert mqmd.version_of(waiting.body, at=mqxqh.LENGTH - mqmd.MQMD_1.length) == 1


def test_m8_embedded_what_the_queue_manager_decides(qmgr: QueueManager) -> None:
    with qmgr.connect(application="app", user="me") as connection:
        placed = connection.put1("FAR", Message(b"data"))
        waiting = connection.open("XQ", MQOO.INPUT_SHARED).get()
    embedded = mqxqh.unpack(waiting.body).descriptor

    assert embedded == placed
    assert (embedded.user_identifier, embedded.put_appl_name, embedded.put_date) == ("me", "app", "20231114")
    assert waiting.descriptor.correl_id == placed.msg_id


def test_m8_grouping_fields_travel_in_an_extension(qmgr: QueueManager) -> None:
    grouped = SENT.copy()
    grouped.group_id, grouped.msg_seq_number, grouped.msg_flags = b"g".ljust(24, b"\0"), 3, 8
    waiting = transmitted(qmgr, grouped)
    embedded = mqxqh.unpack(waiting.body).descriptor
    whole, data = mqmd.merge_extension(embedded, waiting.body[mqxqh.LENGTH :])

    assert (embedded.format, embedded.encoding, embedded.coded_char_set_id) == ("MQHMDE", 546, 1208)
    assert (whole, data) == (grouped, b"data")


def test_m8_without_grouping_there_is_none(qmgr: QueueManager) -> None:
    assert len(transmitted(qmgr, SENT).body) == mqxqh.LENGTH + 4


@rows((500, 500), (1200, 1208))
def test_headers_are_in_the_queue_managers_character_set_where_they_can_be(
    qmgr: QueueManager, ccsid: int, written: int
) -> None:
    change_queue_manager(qmgr, {"CCSID": ccsid})
    waiting = transmitted(qmgr, SENT)

    assert waiting.descriptor.coded_char_set_id == written
    assert mqxqh.unpack(waiting.body, 546, written).remote_q_name == "T"


def test_time_on_the_transmission_queue_counts_in_both(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    with qmgr.connect() as connection:
        connection.put1("FAR", Message(b"data", MessageDescriptor(expiry=300)))
        environment.clock.advance(10)
        waiting = connection.open("XQ", MQOO.INPUT_SHARED).get()

    assert (waiting.descriptor.expiry, mqxqh.embedded_expiry(waiting.body, 546)) == (200, 200)
