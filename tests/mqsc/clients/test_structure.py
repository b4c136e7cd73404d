"""Structures in bytes: StrucId, Version, and fields at their offsets."""

from __future__ import annotations

import pytest

from mqsc.clients.structures import Structure, padded, text
from store.error import MQError
from store.headers.layout import BYTES, INTEGER, TEXT

SAMPLE = Structure(
    "ABC", 2044, {1: 12, 2: 20}, (8, 4, INTEGER, "number"), (12, 4, TEXT, "name"), (16, 4, BYTES, "token")
)
FIRST = b"ABC \x01\0\0\0\xfe\xff\xff\xff"
SECOND = b"ABC \x02\0\0\0\x05\0\0\0XY\0Z\1\2\3\4"


def test_the_version_decides_which_fields_there_are() -> None:
    assert SAMPLE.read(FIRST) == {"number": -2, "name": "", "token": b""}
    assert SAMPLE.read(SECOND) == {"number": 5, "name": "XY", "token": b"\1\2\3\4"}


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"ABC ",
        FIRST[:11],
        SECOND[:19],
        b"ABD " + FIRST[4:],
        b"ABC \0\0\0\0" + bytes(20),
        b"ABC \3" + bytes(99),
    ],
)
def test_what_is_no_such_structure(data: object) -> None:
    with pytest.raises(MQError) as refused:
        SAMPLE.read(data)
    assert refused.value.reason == 2044


def test_only_the_fields_named_are_written() -> None:
    assert SAMPLE.write(SECOND + b"more", name="Q") == b"ABC \x02\0\0\0\x05\0\0\0Q   \1\2\3\4more"
    assert SAMPLE.write(FIRST, name="Q", number=1) == b"ABC \x01\0\0\0\1\0\0\0"


def test_a_name_ends_at_a_nul_and_has_no_padding() -> None:
    assert [text(each) for each in (b"A\0B ", b"A  ", b" A\0", b"", b"A\xffB")] == ["A", "A", " A", "", "A?B"]


def test_a_text_is_cut_between_characters() -> None:
    assert (padded("a\u00e9", 2), padded("ab", 4)) == (b"a ", b"ab  ")
