"""Dead letters."""

from __future__ import annotations

from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.headers import mqdlh
from mqsc.store.rules.dead_letter import DeadLetterPut, DeliveryFailure, dead_letter
from tests.rows import rows
from tests.store.rules.test_report_message import NOW, ORIGINAL


def lettered(
    descriptor: MessageDescriptor = ORIGINAL,
    ccsid: int = 1208,
) -> tuple[MessageDescriptor, bytes]:
    why, by = DeliveryFailure(2053, "Q1", "QM1"), DeadLetterPut(7, "QM1", NOW, ccsid)
    return dead_letter(descriptor, b"hello", why, by)


def test_only_format_encoding_and_character_set_of_the_descriptor_change() -> None:
    placed, _ = lettered()
    changed = {
        name: getattr(placed, name)
        for name in FIELDS
        if getattr(placed, name) != getattr(ORIGINAL, name)
    }
    assert changed == {"format": "MQDEAD", "encoding": 546, "coded_char_set_id": 1208}
    assert ORIGINAL.format == "MQSTR"


def test_the_header_has_reason_destination_data_format_and_putter() -> None:
    _, body = lettered()
    header = mqdlh.DeadLetterHeader(
        2053,
        "Q1",
        "QM1",
        273,
        819,
        "MQSTR",
        7,
        "QM1",
        "20231114",
        "22132012",
    )
    assert (mqdlh.unpack_mqdlh(body), body[172:]) == (header, b"hello")


# (CCSID of the queue manager, that of the header)
@rows((819, 819), (500, 500), (0, 1208), (1200, 1208), (65535, 1208))
def test_the_header_is_in_a_character_set_that_it_can_be_written_in(
    ccsid: int,
    header_ccsid: int,
) -> None:
    placed, body = lettered(ccsid=ccsid)
    assert placed.coded_char_set_id == header_ccsid
    assert mqdlh.unpack_mqdlh(body, 546, header_ccsid).dest_q_name == "Q1"


def test_trap_25_ccsid_zero_becomes_that_of_the_queue_manager() -> None:
    _, body = lettered(MessageDescriptor(coded_char_set_id=0), ccsid=850)
    assert mqdlh.unpack_mqdlh(body, 546, 850).coded_char_set_id == 850
