"""Coded character set identifiers (CCSIDs) and the Python codecs for them."""

from __future__ import annotations

import codecs

import pytest

from mqsc.store.headers import character_sets, layout as layouts
from mqsc.store.table import cells

# A text, and its bytes by CCSID and encoding of the message.
TEXTS: dict[str, dict[tuple[int, int], bytes]] = {
    "MQ!": {(37, 785): b"\xd4\xd8\x5a", (500, 785): b"\xd4\xd8\x4f"},
    "é": {(437, 546): b"\x82", (819, 273): b"\xe9", (850, 546): b"\x82"},
    "€": {
        **{(858, 546): b"\xd5", (1140, 785): b"\x9f", (1252, 546): b"\x80"},
        **{(1208, 546): b"\xe2\x82\xac", (0, 546): b"\xe2\x82\xac"},
    },
    "日": {(943, 546): b"\x93\xfa"},
    "中": {(1386, 546): b"\xd6\xd0"},
    "A": {(1200, 273): b"\0A", (1200, 546): b"A\0", (13488, 546): b"\0A", (1202, 273): b"A\0"},
}


@pytest.mark.parametrize("text", TEXTS)
def test_text_in_a_character_set(text: str) -> None:
    for (ccsid, encoding), data in TEXTS[text].items():
        codec = character_sets.codec_of(ccsid, encoding)
        assert codec is not None
        assert (text.encode(codec), data.decode(codec)) == (data, text), ccsid


def test_every_row_names_a_codec_and_each_ccsid_is_unique() -> None:
    assert [character_sets.codec_of(ccsid) for ccsid in (-1, -2, -3, 1, 930, 65535)] == [None] * 6
    rows = [
        int(ccsid) for ccsid, _ in cells(layouts.__file__, "character_sets.csv", ("ccsid", "codec"))
    ]
    assert rows == sorted(character_sets.CODECS)
    assert all(codecs.lookup(codec) for codec in character_sets.CODECS.values())
