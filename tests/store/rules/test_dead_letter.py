"""A message on its way to a dead-letter queue."""

from __future__ import annotations

from store.descriptor import FIELDS, MessageDescriptor
from store.headers import mqxqh
from store.rules.report_message import DeliveryFailure, dead_letter
from tests.store.tables import rows

NOW = 1_700_000_000_120_000
ORIGINAL = MessageDescriptor(
    expiry=20,
    encoding=273,
    coded_char_set_id=819,
    format="MQSTR",
    priority=6,
    persistence=1,
    msg_id=b"M",
    correl_id=b"C",
    user_identifier="alice",
    put_appl_name="billing",
    put_date="20200101",
    put_time="00000000",
)


def made(descriptor: MessageDescriptor = ORIGINAL, ccsid: int = 1208) -> tuple[MessageDescriptor, bytes]:
    return dead_letter(
        descriptor,
        b"hello",
        DeliveryFailure(2053, "Q1", "QM1"),
        put_appl_type=7,
        put_appl_name="QM1",
        now=NOW,
        coded_char_set_id=ccsid,
    )


def test_only_format_encoding_and_character_set_of_the_descriptor_change() -> None:
    placed, _ = made()
    changed = {name: getattr(placed, name) for name in FIELDS if getattr(placed, name) != getattr(ORIGINAL, name)}
    assert changed == {"format": "MQDEAD", "encoding": 546, "coded_char_set_id": 1208}
    assert ORIGINAL.format == "MQSTR"


def test_the_header_has_reason_destination_data_format_and_putter() -> None:
    _, body = made()
    assert body[172:] == b"hello"
    assert mqxqh.unpack_mqdlh(body) == mqxqh.DeadLetterHeader(
        2053, "Q1", "QM1", 273, 819, "MQSTR", 7, "QM1", "20231114", "22132012"
    )


# (CCSID of the queue manager, that of the header)
@rows((819, 819), (500, 500), (0, 1208), (1200, 1208), (65535, 1208))
def test_the_header_is_in_a_character_set_that_it_can_be_written_in(ccsid: int, header_ccsid: int) -> None:
    placed, body = made(ccsid=ccsid)
    assert placed.coded_char_set_id == header_ccsid
    assert mqxqh.unpack_mqdlh(body, 546, header_ccsid).dest_q_name == "Q1"


def test_trap_25_ccsid_zero_becomes_that_of_the_queue_manager() -> None:
    _, body = made(MessageDescriptor(coded_char_set_id=0), ccsid=850)
    assert mqxqh.unpack_mqdlh(body, 546, 850).coded_char_set_id == 850
