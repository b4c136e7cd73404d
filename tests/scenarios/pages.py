"""Scenarios on pages of text: one page per subject, one paragraph with a heading per scenario.

= given             the lines at the start of every scenario of the page
= $NAME             words or lines that scenarios insert with $NAME
= E04 after it      a scenario; its heading begins with the id of its row in the specification
# why               a remark
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_FOLDER = Path(__file__).with_name("pages")
_HEADING = re.compile(r"(?m)^= (.+)\n")
_QUOTED = re.compile(r"\$[A-Z_]+")


def page(name: str) -> list[object]:
    """Return the scenarios of a page as pytest parameters with their headings as ids."""
    paragraphs = _paragraphs(name)
    given = paragraphs.pop("given", "")
    quoted = {
        heading: paragraphs.pop(heading).strip()
        for heading in list(paragraphs)
        if heading.startswith("$")
    }
    return [
        pytest.param(_filled(given + lines, quoted), id=heading)
        for heading, lines in paragraphs.items()
    ]


def headings(name: str) -> list[str]:
    return list(_paragraphs(name))


def _paragraphs(name: str) -> dict[str, str]:
    _, *parts = _HEADING.split((_FOLDER / f"{name}.txt").read_text("utf-8"))
    paragraphs = dict(zip(parts[::2], parts[1::2], strict=True))
    assert len(paragraphs) == len(parts) // 2, f"two scenarios of {name} have the same heading"
    return paragraphs


def _filled(lines: str, quoted: dict[str, str]) -> str:
    while _QUOTED.search(lines):
        lines = _QUOTED.sub(lambda found: quoted[found.group()], lines)
    return lines
