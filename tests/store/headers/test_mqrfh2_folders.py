"""Folders of an MQRFH2: `<usr><Color>red</Color></usr>` as a name with elements, and back."""

from __future__ import annotations

import re

import pytest

from mqsc.store.headers.mqrfh2_folders import Element, FolderError, element, head_of, parse

READ = [
    ("<usr><a>1</a><b dt='i4'>2</b></usr>  ", [(("a",), {}, "1"), (("b",), {"dt": "i4"}, "2")]),
    ('<f x="&lt;"><g><a/><b></b></g></f>', [(("g", "a"), {}, ""), (("g", "b"), {}, "")]),
    (" <usr> <a> 1 </a> </usr>\0", [(("a",), {}, " 1 ")]),
    ("<usr><a>&lt;&amp;&apos;&quot;&gt;</a></usr>", [(("a",), {}, "<&'\">")]),
    ("<usr/>", []),
    ("<usr></usr>", []),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_folders_are_read(
    text: str,
    expected: list[tuple[tuple[str, ...], dict[str, str], str]],
) -> None:
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
