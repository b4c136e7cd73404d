"""Every field of every structure: offsets and lengths as in the manual; character sets and Python's codecs."""

from __future__ import annotations

import codecs

import pytest

from store.constants import MQDLH as MQDLH_CONSTANTS
from store.constants import MQMD, value_of
from store.constants import MQTM as MQTM_CONSTANTS
from store.constants import MQXQH as MQXQH_CONSTANTS
from store.headers.layout import (
    CODECS,
    ROWS,
    HeaderError,
    Layout,
    byte_order,
    codec_of,
    fitted,
    header_codec,
    read_integer,
    signed,
    writable,
)
from store.headers.mqmd import MQMD_1, MQMD_2, MQMDE
from store.headers.mqxqh import MQDLH, MQTM, MQTMC2, MQXQH

MQMD_1_OFFSETS = [
    *[(0, 4), (4, 4), (8, 4), (12, 4), (16, 4), (20, 4), (24, 4), (28, 4), (32, 8), (40, 4), (44, 4), (48, 24)],
    *[(72, 24), (96, 4), (100, 48), (148, 48), (196, 12), (208, 32), (240, 32), (272, 4), (276, 28), (304, 8)],
    *[(312, 8), (320, 4)],
]
MQTM_OFFSETS = [(0, 4), (4, 4), (8, 48), (56, 48), (104, 64), (168, 4), (172, 256), (428, 128), (556, 128)]
# (layout, length, (offset, length) of every field in order)
LAYOUT_ROWS: list[tuple[Layout, int, list[tuple[int, int]]]] = [
    (MQMD_1, 324, MQMD_1_OFFSETS),
    (MQMD_2, 364, [*MQMD_1_OFFSETS, (324, 24), (348, 4), (352, 4), (356, 4), (360, 4)]),
    (
        MQDLH,
        172,
        [
            *[(0, 4), (4, 4), (8, 4), (12, 48), (60, 48), (108, 4), (112, 4), (116, 8), (124, 4), (128, 28)],
            *[(156, 8), (164, 8)],
        ],
    ),
    (MQXQH, 428, [(0, 4), (4, 4), (8, 48), (56, 48), (104, 324)]),
    (MQTM, 684, MQTM_OFFSETS),
    (MQTMC2, 732, [*MQTM_OFFSETS, (684, 48)]),
    (
        MQMDE,
        72,
        [*[(0, 4), (4, 4), (8, 4), (12, 4), (16, 4), (20, 8), (28, 4), (32, 24), (56, 4), (60, 4), (64, 4)], (68, 4)],
    ),
]


@pytest.mark.parametrize(("layout", "length", "places"), LAYOUT_ROWS, ids=lambda value: getattr(value, "name", ""))
def test_offsets_and_lengths_of_fields(layout: Layout, length: int, places: list[tuple[int, int]]) -> None:
    assert layout.length == length
    assert [(each.offset, each.length) for each in layout.fields] == places


@pytest.mark.parametrize("layout", [row[0] for row in LAYOUT_ROWS], ids=lambda layout: layout.name)
def test_there_is_no_gap_between_fields(layout: Layout) -> None:
    ends = [each.offset + each.length for each in layout.fields]
    assert [0, *ends[:-1]] == [each.offset for each in layout.fields]


def test_structure_ids_and_lengths_are_those_of_the_constants() -> None:
    assert (MQMD_1.struc_id, MQDLH.struc_id) == (MQMD.STRUC_ID, MQDLH_CONSTANTS.STRUC_ID)
    assert (MQXQH.struc_id, MQTM.struc_id) == (MQXQH_CONSTANTS.STRUC_ID, MQTM_CONSTANTS.STRUC_ID)
    lengths = [(MQMD_2, "MQMD"), (MQDLH, "MQDLH"), (MQXQH, "MQXQH"), (MQTM, "MQTM"), (MQTMC2, "MQTMC2")]
    assert all(layout.length == value_of(f"{name}_CURRENT_LENGTH") for layout, name in lengths)


@pytest.mark.parametrize(("encoding", "order"), [(546, "<"), (273, ">"), (785, ">"), (0, "<"), (17, ">"), (34, "<")])
def test_the_encoding_gives_the_byte_order_of_integers(encoding: int, order: str) -> None:
    assert byte_order(encoding) == order


def test_integers_are_signed_and_report_options_may_come_without_a_sign() -> None:
    assert read_integer(b"\xff\xff\xff\xff", 0, 273) == -1
    assert read_integer(b"..\x01\0\0\0", 2, 546) == 1
    assert [signed(value) for value in (0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, -1)] == [2**31 - 1, -(2**31), -1, -1]


FITTED_ROWS = [
    ("AB", 4, "latin_1", b"AB  "),
    ("ABCDEF", 4, "latin_1", b"ABCD"),
    ("AB", 4, "cp500", b"\xc1\xc2\x40\x40"),
    ("ABCé", 4, "utf_8", b"ABC "),  # é needs two bytes: it is not cut in half
    ("a€", 2, "latin_1", b"a?"),
]


@pytest.mark.parametrize(("text", "length", "codec", "expected"), FITTED_ROWS)
def test_texts_fill_their_field(text: str, length: int, codec: str, expected: bytes) -> None:
    assert fitted(text, length, codec) == expected


@pytest.mark.parametrize("ccsid", [1200, 13488, 65535, -1])
def test_character_sets_that_cannot_be_used_in_a_header(ccsid: int) -> None:
    with pytest.raises(ValueError, match=f"CCSID {ccsid} cannot be used in a header"):
        header_codec(ccsid)
    with pytest.raises(HeaderError, match=f"not an MQDLH: CCSID {ccsid}"):
        MQDLH.check(bytes(172), 546, ccsid)
    assert writable(ccsid) == 1208


@pytest.mark.parametrize(("ccsid", "header_ccsid"), [(0, 1208), (1208, 1208), (819, 819), (500, 500)])
def test_headers_are_written_in_the_queue_managers_character_set(ccsid: int, header_ccsid: int) -> None:
    assert writable(ccsid) == header_ccsid


FAULT_ROWS = [
    (b"DLH ", "4 bytes instead of 172"),
    (b"MQX " + bytes(168), "StrucId b'MQX ' instead of 'DLH ' in CCSID 1208"),
    (b"DLH " + b"\x02\0\0\0" + bytes(164), "Version 2 instead of 1"),
]


@pytest.mark.parametrize(("data", "difference"), FAULT_ROWS)
def test_other_data_is_refused_with_the_difference(data: bytes, difference: str) -> None:
    with pytest.raises(HeaderError) as caught:
        MQDLH.unpack(data, 546, 1208)
    assert str(caught.value) == f"not an MQDLH: {difference}"


# (CCSID, encoding of the message, a text, its bytes)
TEXT_ROWS = [
    (37, 785, "MQ!", b"\xd4\xd8\x5a"),
    (500, 785, "MQ!", b"\xd4\xd8\x4f"),
    (437, 546, "é", b"\x82"),
    (819, 273, "é", b"\xe9"),
    (850, 546, "é", b"\x82"),
    (858, 546, "€", b"\xd5"),
    (1140, 785, "€", b"\x9f"),
    (1208, 546, "€", b"\xe2\x82\xac"),
    (0, 546, "€", b"\xe2\x82\xac"),
    (1252, 546, "€", b"\x80"),
    (943, 546, "日", b"\x93\xfa"),
    (1386, 546, "中", b"\xd6\xd0"),
    (1200, 273, "A", b"\0A"),
    (1200, 546, "A", b"A\0"),
    (13488, 546, "A", b"\0A"),
    (1202, 273, "A", b"A\0"),
]


@pytest.mark.parametrize(("ccsid", "encoding", "text", "data"), TEXT_ROWS)
def test_text_in_a_character_set(ccsid: int, encoding: int, text: str, data: bytes) -> None:
    codec = codec_of(ccsid, encoding)
    assert codec is not None
    assert (text.encode(codec), data.decode(codec)) == (data, text)


@pytest.mark.parametrize("ccsid", [-1, -2, -3, 1, 930, 65535])
def test_a_character_set_without_a_codec(ccsid: int) -> None:
    assert codec_of(ccsid) is None


def test_every_row_names_a_codec_and_each_ccsid_is_unique() -> None:
    assert len(CODECS) == len(ROWS)
    assert [ccsid for ccsid, _ in ROWS] == sorted(CODECS)
    assert all(codecs.lookup(codec) for _, codec in ROWS)
