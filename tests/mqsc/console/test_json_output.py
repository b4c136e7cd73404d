"""Rows as JSON."""

from __future__ import annotations

import io

import pytest

from mqsc.console.terminal import JsonRows


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("array", "rows", "text"),
    [
        (True, [], "[\n]\n"),
        (True, [{"a": 1}, {"b": "é"}], '[\n{"a": 1},\n{"b": "é"}\n]\n'),
        (False, [], ""),
        (False, [{"a": 1}, {"b": None}], '{"a": 1}\n{"b": null}\n'),
    ],
)
def test_rows(array: bool, rows: list[dict[str, object]], text: str) -> None:
    out = io.StringIO()
    with JsonRows(out, array=array) as writer:
        for row in rows:
            writer.write(row)
    assert out.getvalue() == text


def test_a_terminal_gets_ascii_only() -> None:
    out = Terminal()
    with JsonRows(out, array=False) as writer:
        writer.write({"a": "\u202e"})
    assert out.getvalue() == '{"a": "\\u202e"}\n'
