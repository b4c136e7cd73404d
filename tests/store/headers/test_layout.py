"""Every field of every structure: offsets and lengths as in the manual; character sets and
Python's codecs.
"""

from __future__ import annotations

from itertools import accumulate

import pytest

from mqsc.store import constants
from mqsc.store.constants import MQMD, value_of
from mqsc.store.headers import layout as layouts
from mqsc.store.headers.layout import HeaderError, Layout, fitted, read_integer, signed, writable
from mqsc.store.headers.mqdlh import MQDLH
from mqsc.store.headers.mqmd import MQMD_1, MQMD_2
from mqsc.store.headers.mqmde import MQMDE
from mqsc.store.headers.mqtm import MQTM, MQTMC2
from mqsc.store.headers.mqxqh import MQXQH

# The lengths of the fields of each structure, in order: there is no gap between them.
MQMD_1_FIELDS = "4 4 4 4 4 4 4 4 8 4 4 24 24 4 48 48 12 32 32 4 28 8 8 4"
MQTM_FIELDS = "4 4 48 48 64 4 256 128 128"
LAYOUTS: list[tuple[Layout, int, str]] = [
    (MQMD_1, 324, MQMD_1_FIELDS),
    (MQMD_2, 364, f"{MQMD_1_FIELDS} 24 4 4 4 4"),
    (MQDLH, 172, "4 4 4 48 48 4 4 8 4 28 8 8"),
    (MQXQH, 428, "4 4 48 48 324"),
    (MQTM, 684, MQTM_FIELDS),
    (MQTMC2, 732, f"{MQTM_FIELDS} 48"),
    (MQMDE, 72, "4 4 4 4 4 8 4 24 4 4 4 4"),
]


@pytest.mark.parametrize(
    ("layout", "length", "fields"),
    LAYOUTS,
    ids=[layout.name for layout, *_ in LAYOUTS],
)
def test_offsets_and_lengths_of_fields(layout: Layout, length: int, fields: str) -> None:
    lengths = [int(each) for each in fields.split()]
    *offsets, end = accumulate(lengths, initial=0)
    assert [(each.offset, each.length) for each in layout.fields] == [
        *zip(offsets, lengths, strict=True),
    ]
    assert layout.length == end == length


def test_structure_ids_and_lengths_are_those_of_the_constants() -> None:
    assert (MQMD_1.struc_id, MQDLH.struc_id) == (MQMD.STRUC_ID, constants.MQDLH.STRUC_ID)
    assert (MQXQH.struc_id, MQTM.struc_id) == (constants.MQXQH.STRUC_ID, constants.MQTM.STRUC_ID)
    lengths = [
        (MQMD_2, "MQMD"),
        (MQDLH, "MQDLH"),
        (MQXQH, "MQXQH"),
        (MQTM, "MQTM"),
        (MQTMC2, "MQTMC2"),
    ]
    assert all(layout.length == value_of(f"{name}_CURRENT_LENGTH") for layout, name in lengths)


def test_the_encoding_gives_the_byte_order_of_integers() -> None:
    assert [layouts.byte_order(encoding) for encoding in (546, 0, 34, 273, 785, 17)] == [
        "<",
        "<",
        "<",
        ">",
        ">",
        ">",
    ]


def test_integers_are_signed_and_report_options_may_come_without_a_sign() -> None:
    assert read_integer(b"\xff\xff\xff\xff", 0, 273) == -1
    assert read_integer(b"..\x01\0\0\0", 2, 546) == 1
    assert [signed(value) for value in (0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, -1)] == [
        2**31 - 1,
        -(2**31),
        -1,
        -1,
    ]


def test_texts_fill_their_field() -> None:
    assert [fitted(text, 4, "latin_1") for text in ("AB", "ABCDEF", "a€")] == [
        b"AB  ",
        b"ABCD",
        b"a?  ",
    ]
    assert fitted("AB", 4, "cp500") == b"\xc1\xc2\x40\x40"
    # é needs two bytes: it is not cut in half.
    assert fitted("ABCé", 4, "utf_8") == b"ABC "


@pytest.mark.parametrize("ccsid", [1200, 13488, 65535, -1])
def test_character_sets_that_cannot_be_used_in_a_header(ccsid: int) -> None:
    with pytest.raises(ValueError, match=f"CCSID {ccsid} cannot be used in a header"):
        layouts.header_codec(ccsid)
    with pytest.raises(HeaderError, match=f"not an MQDLH: CCSID {ccsid}"):
        MQDLH.check(bytes(172), 546, ccsid)
    assert writable(ccsid) == 1208


def test_headers_are_written_in_the_queue_managers_character_set() -> None:
    assert [writable(ccsid) for ccsid in (0, 1208, 819, 500)] == [1208, 1208, 819, 500]


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
