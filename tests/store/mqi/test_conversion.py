"""MQGMO_CONVERT: text, dead-letter and trigger headers into the queue manager's character set
(rows M4.4).
"""

from __future__ import annotations

import pytest

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh, mqmde, mqtm, mqxqh, pcf
from mqsc.store.headers.pcf import CommandHeader, Filter, Integer64, Parameter
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi.conversion import Representation, converted
from tests.rows import rows
from tests.store.tables import named_rows

LETTER = mqdlh.DeadLetterHeader(
    2053,
    "Q",
    "QM1",
    273,
    500,
    "MQSTR",
    6,
    "app",
    "20231114",
    "22132000",
)
TOLD = mqtm.TriggerMessage("Q", "P", "data", 6, "/bin/serve", "-v", "user")


# (format, encoding, CCSID, data, CCSID wanted, reason, data then)
@named_rows(
    ("EBCDIC", "MQSTR", 785, 500, "Größe".encode("cp500"), 1208, 0, "Größe".encode()),
    ("Latin", "MQSTR", 546, 819, b"\xe9", 1208, 0, b"\xc3\xa9"),
    ("into EBCDIC", "MQSTR", 546, 1208, "é".encode(), 500, 0, "é".encode("cp500")),
    ("the same", "MQSTR", 273, 1208, b"text", 1208, 0, b"text"),
    ("UTF-16 big", "MQSTR", 273, 1200, "é".encode("utf-16-be"), 1208, 0, "é".encode()),
    ("UTF-16 little", "MQSTR", 546, 1200, "é".encode("utf-16-le"), 1208, 0, "é".encode()),
    ("nothing", "MQSTR", 546, 819, b"", 1208, 0, b""),
    ("blank format", "", 546, 819, b"x", 1208, 2110, b"x"),
    ("own format", "OWN", 546, 819, b"x", 1208, 2110, b"x"),
    ("unknown source", "MQSTR", 546, 65000, b"x", 1208, 2111, b"x"),
    ("unknown target", "MQSTR", 546, 819, b"x", 65000, 2115, b"x"),
    ("no place in the target", "MQSTR", 546, 1208, "€".encode(), 819, 2119, "€".encode()),
    ("no meaning in the source", "MQSTR", 546, 1208, b"\xff", 819, 2119, b"\xff"),
)
def test_text(
    format: str,
    encoding: int,
    ccsid: int,
    body: bytes,
    target: int,
    reason: int,
    becomes: bytes,
) -> None:
    descriptor = MessageDescriptor(format=format, encoding=encoding, coded_char_set_id=ccsid)
    assert converted(descriptor, body, Representation(target, 546)) == (reason, becomes)
    now = (descriptor.encoding, descriptor.coded_char_set_id)
    assert now == ((encoding, ccsid) if reason else (546, target))


def test_a_dead_letter_is_converted_with_the_text_behind_it() -> None:
    descriptor = MessageDescriptor(format="MQDEAD", encoding=273, coded_char_set_id=500)
    body = mqdlh.pack_mqdlh(LETTER, 273, 500) + "Größe".encode("cp500")
    reason, becomes = converted(descriptor, body, Representation(1208, 546))
    header = mqdlh.unpack_mqdlh(becomes)
    assert (reason, descriptor.encoding, descriptor.coded_char_set_id) == (0, 546, 1208)
    assert (header.dest_q_name, header.encoding, header.coded_char_set_id) == ("Q", 546, 1208)
    assert becomes[mqdlh.MQDLH_LENGTH :] == "Größe".encode()


def test_what_cannot_be_converted_behind_a_dead_letter_header_stays_described_as_it_is() -> None:
    own = mqdlh.DeadLetterHeader(
        2053,
        "Q",
        "QM1",
        273,
        500,
        "OWN",
        6,
        "app",
        "20231114",
        "22132000",
    )
    descriptor = MessageDescriptor(format="MQDEAD", encoding=273, coded_char_set_id=500)
    reason, becomes = converted(
        descriptor,
        mqdlh.pack_mqdlh(own, 273, 500) + b"\x01\x02",
        Representation(1208, 546),
    )
    header = mqdlh.unpack_mqdlh(becomes)
    assert (reason, header.encoding, header.coded_char_set_id, header.format) == (
        0,
        273,
        500,
        "OWN",
    )
    assert becomes[mqdlh.MQDLH_LENGTH :] == b"\x01\x02"


def test_a_trigger_message_is_converted() -> None:
    descriptor = MessageDescriptor(format="MQTRIG", encoding=273, coded_char_set_id=500)
    assert converted(descriptor, mqtm.pack_mqtm(TOLD, 273, 500), Representation(1208, 546)) == (
        0,
        mqtm.pack_mqtm(TOLD),
    )


def test_a_message_of_a_transmission_queue_is_converted_with_what_it_carries() -> None:
    sent = MessageDescriptor(
        format="MQHMDE",
        encoding=273,
        coded_char_set_id=500,
        reply_to_q="REPLY",
        msg_id=b"M",
    )
    extension = mqmde.DescriptorExtension(273, 500, "MQSTR", b"G" * 24, 3)
    body = mqxqh.pack(mqxqh.TransmissionHeader("T", "QM2", sent), 273, 500)
    body += mqmde.pack_extension(extension, 273, 500) + "Größe".encode("cp500")
    descriptor = MessageDescriptor(format="MQXMIT", encoding=273, coded_char_set_id=500)
    reason, becomes = converted(descriptor, body, Representation(1208, 546))
    header = mqxqh.unpack(becomes)
    whole, data = mqmde.merge_extension(header.descriptor, becomes[mqxqh.LENGTH :])
    assert (reason, descriptor.encoding, descriptor.coded_char_set_id) == (0, 546, 1208)
    assert (header.remote_q_name, whole.reply_to_q, whole.msg_id[:1]) == ("T", "REPLY", b"M")
    assert (whole.format, whole.encoding, whole.coded_char_set_id) == ("MQSTR", 546, 1208)
    assert (whole.group_id, whole.msg_seq_number, data) == (b"G" * 24, 3, "Größe".encode())


EVERY_KIND = [
    Parameter(2016, "Q", 48),
    Parameter(20, -1),
    Parameter(7, Integer64(1 << 40)),
    Parameter(8, [1, 2]),
    Parameter(9, [Integer64(3)]),
    Parameter(10, ["A", "BC"], 4),
    Parameter(11, b"\0\xff"),
    Parameter(12, Filter(1, 5)),
    Parameter(13, Filter(18, "A*"), 4),
    Parameter(14, (Parameter(2013, "Größe", 5), Parameter(15, Filter(1, b"x")))),
]


@pytest.mark.parametrize("format", ["MQADMIN", "MQEVENT", "MQPCF"])
def test_pcf_is_converted_with_all_kinds_of_parameters(format: str) -> None:
    header = CommandHeader(pcf.EVENT, 44, 1, 2085)
    descriptor = MessageDescriptor(format=format, encoding=273, coded_char_set_id=500)
    reason, becomes = converted(
        descriptor,
        pcf.pack(header, EVERY_KIND, 273, 500),
        Representation(1208, 546),
    )
    assert (reason, descriptor.encoding, descriptor.coded_char_set_id) == (0, 546, 1208)
    found, parameters = pcf.unpack(becomes)
    assert (found, parameters[:-1]) == (header, EVERY_KIND[:-1])
    # Two of the five characters need two bytes.
    assert parameters[-1] == Parameter(
        14,
        (Parameter(2013, "Größe", 7), Parameter(15, Filter(1, b"x"))),
    )


@rows(("€", 1208, 819, 2119), ("é", 1208, 1200, 0), ("\ufffd", 1208, 500, 2119))
def test_pcf_with_a_text_that_is_hard_to_convert(
    text: str,
    source: int,
    target: int,
    reason: int,
) -> None:
    body = pcf.pack(CommandHeader(pcf.RESPONSE, 13), [Parameter(2013, text, 8)], 546, source)
    descriptor = MessageDescriptor(format="MQADMIN", encoding=546, coded_char_set_id=source)
    found, becomes = converted(descriptor, body, Representation(target, 546))
    assert (found, becomes == body) == (reason, True)


HEADERS = ["MQDEAD", "MQTRIG", "MQXMIT", "MQHMDE", "MQADMIN", "MQEVENT", "MQPCF"]


@pytest.mark.parametrize("format", HEADERS)
def test_a_header_that_is_none_is_2110(format: str) -> None:
    descriptor = MessageDescriptor(format=format, encoding=546, coded_char_set_id=1208)
    assert converted(descriptor, b"short", Representation(819, 546)) == (2110, b"short")


@pytest.mark.parametrize("format", HEADERS)
def test_no_header_is_in_utf_16(format: str) -> None:
    descriptor = MessageDescriptor(format=format, encoding=546, coded_char_set_id=1200)
    assert converted(descriptor, b"x" * 800, Representation(819, 546)) == (2111, b"x" * 800)


def test_data_is_converted_to_the_encoding_that_the_getter_wants() -> None:
    descriptor = MessageDescriptor(format="MQDEAD", encoding=546, coded_char_set_id=1208)
    reason, becomes = converted(
        descriptor,
        mqdlh.pack_mqdlh(LETTER, 546, 1208),
        Representation(500, 273),
    )
    assert (reason, descriptor.encoding, descriptor.coded_char_set_id) == (0, 273, 500)
    assert mqdlh.unpack_mqdlh(becomes, 273, 500).dest_q_name == "Q"
    text = MessageDescriptor(format="MQSTR", encoding=546, coded_char_set_id=1208)
    assert converted(text, "é".encode(), Representation(1200, 273)) == (0, "é".encode("utf-16-be"))
    assert converted(text, "é".encode("utf-16-be"), Representation(1200, 546)) == (
        0,
        "é".encode("utf-16-le"),
    )


def test_a_get_converts_to_what_its_options_say(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        queue.put([Message("é".encode(), MessageDescriptor(format="MQSTR")) for _ in range(2)])
        latin = queue.get(GetMessageOptions(MQGMO.CONVERT, coded_char_set_id=819))
        assert (latin.body, latin.descriptor.coded_char_set_id) == (b"\xe9", 819)
        own = queue.get(GetMessageOptions(MQGMO.CONVERT))
        assert (own.body, own.descriptor.coded_char_set_id) == ("é".encode(), 1208)
