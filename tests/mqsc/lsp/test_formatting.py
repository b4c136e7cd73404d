"""The changes that lay out a document make what `mqsc fmt` makes, and touch no line that is laid
out.
"""

from __future__ import annotations

from hypothesis import given, strategies as st
from lsprotocol import types

from mqsc.grammar.tree import SyntaxFault
from mqsc.lsp.layout import layout_of
from mqsc.scripts.layout import laid_out

LINES = [
    "ping  qmgr",
    "PING QMGR",
    "",
    "* note",
    "define ql(é\U0001d11e) +",
    "\tget",
    "PING QMGR; ping qmgr",
    "* a",
]


def applied(text: str, edits: list[types.TextEdit]) -> str:
    lines = text.split("\n")
    for each in edits:
        start, end = each.range.start, each.range.end
        # Positions count units of UTF-16.
        beyond = lines[end.line].encode("utf-16-le")[2 * end.character :].decode("utf-16-le")
        text = "\n".join([*lines[: start.line], each.new_text + beyond, *lines[end.line + 1 :]])
    return text


@given(st.lists(st.sampled_from(LINES), max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_document_becomes_what_fmt_makes(lines: list[str], end: str, is_ended: bool) -> None:
    text = end.join(lines) + end * is_ended
    edits = [*layout_of("a.mqsc", text)]
    try:
        now = laid_out(text.encode()).decode()
    except SyntaxFault:
        now = text
    assert applied(text, edits) == now
    assert len(edits) == (now != text)


def test_only_lines_that_differ_are_changed() -> None:
    text = "PING QMGR\nping qmgr\nPING QMGR\n"
    (edit,) = layout_of("a.mqsc", text)
    assert (edit.range.start.line, edit.range.end.line, edit.new_text) == (1, 2, "PING QMGR\n")


def test_other_languages_and_blank_lines_around_commands_stay() -> None:
    yaml = "a: |\n  ping qmgr\nmqsc: |\r\n  ping qmgr\r\n\r\nb: 1\r\n"
    assert applied(yaml, [*layout_of("a.yaml", yaml)]) == yaml.replace(
        "|\r\n  ping qmgr",
        "|\r\n  PING QMGR",
    )
