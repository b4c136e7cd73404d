"""MQDLH, MQXQH, MQTM, MQTMC2, MQMDE and MQRFH2, compared with bytes written by hand; headers at
the start of data.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh, mqmd, mqmde, mqrfh2, mqxqh
from mqsc.store.headers.chain import data_after_headers
from mqsc.store.headers.layout import HeaderError
from mqsc.store.headers.mqrfh2 import RulesHeader
from tests.store.headers.byte_orders import BOTH, big


def test_a_dead_letter_header_in_ebcdic_and_big_endian() -> None:
    header = mqdlh.DeadLetterHeader(
        2053,
        "Q1",
        "QM1",
        785,
        500,
        "MQSTR",
        2,
        "JOB",
        "20231114",
        "22132012",
    )
    data = mqdlh.pack_mqdlh(header, 785, 500)
    assert data[:20] == b"\xc4\xd3\xc8\x40" + big(1) + big(2053) + b"\xd8\xf1" + b"\x40" * 6
    assert data[108:124] == big(785) + big(500) + b"\xd4\xd8\xe2\xe3\xd9\x40\x40\x40"
    assert mqdlh.unpack_mqdlh(data, 785, 500) == header


@BOTH
def test_every_byte_of_a_transmission_header(encoding: int, i: Callable[[int], bytes]) -> None:
    sent = MessageDescriptor(
        report=0x0100_0000,
        expiry=300,
        coded_char_set_id=819,
        format="MQSTR",
        priority=4,
        persistence=1,
        msg_id=b"M" * 24,
        correl_id=b"C" * 24,
        reply_to_q="REPLY",
        reply_to_q_mgr="QM1",
        user_identifier="alice",
        accounting_token=b"T" * 32,
        put_appl_type=6,
        put_appl_name="billing",
        put_date="20231114",
        put_time="22132000",
    )
    data = b"".join(
        [
            *[b"XQH ", i(1), b"Q1".ljust(48), b"QM2".ljust(48)],
            *[
                b"MD  ",
                i(1),
                i(0x0100_0000),
                i(8),
                i(300),
                i(0),
                i(546),
                i(819),
                b"MQSTR   ",
                i(4),
                i(1),
            ],
            *[
                b"M" * 24,
                b"C" * 24,
                i(0),
                b"REPLY".ljust(48),
                b"QM1".ljust(48),
                b"alice".ljust(12),
                b"T" * 32,
            ],
            *[b" " * 32, i(6), b"billing".ljust(28), b"20231114", b"22132000", b" " * 4],
        ],
    )
    header = mqxqh.TransmissionHeader("Q1", "QM2", sent)
    assert len(data) == 428
    assert mqxqh.pack(header, encoding) == data
    assert data[104:] == mqmd.pack(sent, 1, encoding)
    assert mqxqh.unpack(data + b"data", encoding) == header


@BOTH
def test_every_byte_of_a_dead_letter_header(encoding: int, i: Callable[[int], bytes]) -> None:
    header = mqdlh.DeadLetterHeader(
        2053,
        "Q1",
        "QM1",
        785,
        500,
        "MQSTR",
        7,
        "QM1",
        "20231114",
        "22132012",
    )
    data = b"".join(
        [
            *[
                b"DLH ",
                i(1),
                i(2053),
                b"Q1".ljust(48),
                b"QM1".ljust(48),
                i(785),
                i(500),
                b"MQSTR   ",
                i(7),
            ],
            *[b"QM1".ljust(28), b"20231114", b"22132012"],
        ],
    )
    assert len(data) == 172
    assert mqdlh.pack_mqdlh(header, encoding) == data
    assert mqdlh.unpack_mqdlh(data + b"hello", encoding) == header


@BOTH
def test_the_embedded_expiry_is_read_and_written_in_place(
    encoding: int,
    i: Callable[[int], bytes],
) -> None:
    data = bytes(range(120)) + i(20) + b"behind"
    assert mqxqh.embedded_expiry(data, encoding) == 20
    changed = mqxqh.with_embedded_expiry(data, -1, encoding)
    assert changed == bytes(range(120)) + b"\xff\xff\xff\xff" + b"behind"
    assert mqxqh.embedded_expiry(changed, encoding) == -1
    assert mqxqh.embedded_expiry(bytes(123), 546) is None
    assert mqxqh.embedded_expiry(bytes(124), 546) == 0


def test_a_transmission_header_around_another_structure_is_refused() -> None:
    data = mqxqh.pack(mqxqh.TransmissionHeader("Q", "QM", MessageDescriptor()))
    mqxqh.MQXQH.check(data, 546, 1208)
    with pytest.raises(HeaderError, match="not an MQMD: StrucId"):
        mqxqh.unpack(data[:104] + b"XX" + data[106:])
    with pytest.raises(HeaderError, match="not an MQXQH: 427 bytes instead of 428"):
        mqxqh.MQXQH.check(data[:427], 546, 1208)


@pytest.mark.parametrize("ccsid", mqrfh2.NAME_VALUE_CCSIDS)
@pytest.mark.parametrize("encoding", [273, 546])
def test_a_header_comes_back_in_every_character_set(ccsid: int, encoding: int) -> None:
    folder = mqrfh2.folder_of("<usr><a>grün</a></usr>", ccsid, encoding)
    header = RulesHeader(273, 500, "MQSTR", (folder, b""), 7, ccsid)
    data = mqrfh2.pack(header, encoding)
    found = mqrfh2.unpack(data + b"rest", encoding)
    assert (found.struc_length, found.folders, found.flags) == (len(data), (folder, b""), 7)
    text = mqrfh2.text_of(found.folders[0], ccsid, encoding)
    assert text is not None
    assert text.rstrip() == "<usr><a>grün</a></usr>"


def test_a_header_with_a_wrong_length_is_refused() -> None:
    data = bytearray(mqrfh2.pack(RulesHeader(546, 1208, "MQSTR", (b"    ",))))
    data[36:40] = (8).to_bytes(4, "little")
    with pytest.raises(HeaderError, match="NameValueLength 8, with 4 bytes left"):
        mqrfh2.unpack(bytes(data))


def rfh2(format: str, length: int = 40) -> bytes:
    fixed = [
        b"RFH ",
        (2).to_bytes(4, "little"),
        length.to_bytes(4, "little"),
        (546).to_bytes(4, "little"),
    ]
    return b"".join([*fixed, (1208).to_bytes(4, "little"), format.ljust(8).encode(), bytes(12)])


DEAD = mqdlh.pack_mqdlh(mqdlh.DeadLetterHeader(2053, "Q", "QM", 273, 500, "MQSTR", 6, "", "", ""))
DEAD_EXTENDED = mqdlh.pack_mqdlh(
    mqdlh.DeadLetterHeader(2053, "Q", "QM", 273, 500, "MQHMDE", 6, "", "", ""),
)
EXTENSION = mqmde.pack_extension(
    mqmde.DescriptorExtension(546, 1208, "MQHRF2", bytes(24)), 273, 500
)
SENT = mqxqh.pack(
    mqxqh.TransmissionHeader("Q", "QM", MessageDescriptor(format="MQDEAD", encoding=546)),
)

ROWS = [
    ("none", "MQSTR", b"text", 0),
    ("blank format", "", b"text", 0),
    ("dead letter", "MQDEAD", DEAD + b"text", 172),
    (
        "dead letter, extension, RFH2",
        "MQDEAD",
        DEAD_EXTENDED + EXTENSION + rfh2("MQSTR") + b"text",
        172 + 72 + 40,
    ),
    ("transmission header, dead letter", "MQXMIT", SENT + DEAD + b"text", 428 + 172),
    ("RFH2 alone", "MQHRF2", rfh2("MQSTR"), 40),
    ("broken: too short", "MQDEAD", DEAD[:100], 0),
    ("broken: another structure", "MQXMIT", b"x" * 500, 0),
    ("broken: longer than the data", "MQHRF2", rfh2("MQSTR", 400), 0),
    ("broken: no length", "MQHRF2", rfh2("MQSTR", 0), 0),
    ("broken behind a good one", "MQDEAD", DEAD_EXTENDED + b"MDE?", 172),
]


@pytest.mark.parametrize(("id", "format", "data", "length"), ROWS)
def test_headers_at_the_start_of_data(id: str, format: str, data: bytes, length: int) -> None:
    assert data_after_headers(format, data, 546, 1208).at == length


def test_a_header_may_inherit_its_character_set_and_an_unknown_one_hides_it() -> None:
    inherits = rfh2("MQDEAD")[:16] + (-2).to_bytes(4, "little", signed=True) + rfh2("MQDEAD")[20:]
    assert data_after_headers("MQHRF2", inherits + DEAD, 546, 819).at == 40 + 172

    assert data_after_headers("MQHRF2", rfh2("MQSTR"), 546, 65535).at == 0
