"""The page on the Python interface has every public name, with its signature and its example."""

from __future__ import annotations

import re

import mqsc
from mqsc.manual.api_reference import api_page

PAGE = "\n".join(api_page())


def test_every_name_has_a_section() -> None:
    headings = re.findall(r"^## (\w+)$", PAGE, re.MULTILINE)
    assert headings == [
        name
        for name in dir(mqsc)
        if callable(getattr(mqsc, name)) and not re.match("MQ[A-Z]+$", name)
    ]
    assert {"Queue.put", "AsyncQueue.put", "Connection.open"} <= {
        *re.findall(r"^### (\S+)$", PAGE, re.MULTILINE),
    }


def test_a_section_shows_what_is_typed_and_an_example() -> None:
    section = PAGE.partition("### AsyncQueue.put\n")[2].partition("\n#")[0]
    assert (
        "await AsyncQueue.put(body: Body = None, *, json: object = NOTHING, priority: int | None"
        in section
    )
    assert "-> MessageDescriptor\n```" in section
    assert "```pycon\n>>> async def main():\n" in section
    assert "\nclass Session\n" in PAGE
