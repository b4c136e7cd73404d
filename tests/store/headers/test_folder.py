"""Folders of an MQRFH2 as text and as bytes."""

from __future__ import annotations

import re

import pytest

from store.headers import mqrfh2
from store.headers.layout import HeaderError
from store.headers.mqrfh2 import Element, FolderError, RulesHeader, element, head_of, parse

READ = [
    ("<usr><a>1</a><b dt='i4'>2</b></usr>  ", [(("a",), {}, "1"), (("b",), {"dt": "i4"}, "2")]),
    ('<f x="&lt;"><g><a/><b></b></g></f>', [(("g", "a"), {}, ""), (("g", "b"), {}, "")]),
    (" <usr> <a> 1 </a> </usr>\0", [(("a",), {}, " 1 ")]),
    ("<usr><a>&lt;&amp;&apos;&quot;&gt;</a></usr>", [(("a",), {}, "<&'\">")]),
    ("<usr/>", []),
    ("<usr></usr>", []),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_folders_are_read(text: str, expected: list[tuple[tuple[str, ...], dict[str, str], str]]) -> None:
    assert list(parse(text).elements) == [Element(*each) for each in expected]


WRONG = [
    ("", "a tag is missing at character 1"),
    ("junk", "a tag is missing at character 1"),
    ("<usr><a>1</usr>", "</usr> at character 10 ends no element that is open"),
    ("<usr>", "a tag is missing at character 6"),
    ("<usr><a>1<2</a></usr>", "not a tag at character 10"),
    ("<usr>x<a/></usr>", "text between elements before character 7"),
    ("<usr>x</usr>", "text outside an element before character 7"),
    ("<usr></usr>x", "text behind the folder at character 12"),
    ("<usr><a>&nbsp;</a></usr>", "unknown escape &nbsp;"),
    ("<a>" * 200, "more than 100 elements in each other at character 301"),
]


@pytest.mark.parametrize(("text", "fault"), WRONG)
def test_faults_say_where(text: str, fault: str) -> None:
    with pytest.raises(FolderError, match=re.escape(fault)):
        parse(text)


def test_elements_are_escaped() -> None:
    assert element("a", "<&'\">", [("dt", "i4")]) == "<a dt='i4'>&lt;&amp;&apos;&quot;&gt;</a>"
    assert head_of("</a>") is None


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
