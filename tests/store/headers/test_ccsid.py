"""Coded character sets and Python's codecs."""

from __future__ import annotations

import codecs

import pytest

from store.headers.layout import CODECS, ROWS, codec_of

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
