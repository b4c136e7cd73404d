"""From a tree back to text: what is printed, read again, is the same tree."""

from __future__ import annotations

import re

from grammar.lines import BLANKS, LINE_LENGTH
from grammar.tree import Command, Entry, Parameter, Value

INDENT = "   "

_PLAIN = re.compile(r"[^\sa-z,()';\x00-\x1f\x7f-\x9f\ufeff]+")
_UNWRITABLE = re.compile("[\0\r\n\ud800-\udfff]")


def text_of(tree: Command | Entry, width: int = LINE_LENGTH) -> str:
    """`tree` as text, in lines of at most `width` characters where blanks between parameters allow it.

    No line is longer than LINE_LENGTH, unless in a run of more asterisks than that. Keywords are in upper case, values
    are separated by commas, and quotes stand where the tree has them or the text needs them. ValueError when a text
    holds what no MQSC can: NUL, the end of a line, half a character.
    """
    lines: list[str] = []
    current, *others = [_parameter_text(parameter) for parameter in tree.parameters]
    if current.startswith("*"):
        # A separator before it, or it would be a comment.
        current = f",{current}"
    for piece in others:
        if len(current) + len(piece) + len("  +") <= width or piece.startswith("*"):
            current = f"{current} {piece}"
        else:
            lines.append(f"{current} +")
            current = INDENT + piece
    # A flag may end like a line that continues.
    lines.append(f"{current};" if current.endswith(("+", "-")) else current)
    return "\n".join(part for line in lines for part in _short_lines(line))


def _parameter_text(parameter: Parameter) -> str:
    text = parameter.keyword
    if parameter.values is not None:
        text = f"{text}({','.join(map(_value_text, parameter.values))})"
    if _UNWRITABLE.search(text):
        raise ValueError(f"MQSC cannot say {parameter.keyword!r} with what it holds")
    return text


def _value_text(value: Value) -> str:
    if value.quoted or not _PLAIN.fullmatch(value.text):
        return "'" + value.text.replace("'", "''") + "'"
    return value.text


def _short_lines(line: str) -> list[str]:
    """`line` as lines that continue each other, each short enough to be read."""
    lines, start, indent = [], 0, ""
    while len(line) - start > LINE_LENGTH - len(indent) and (end := _place_to_cut(line, start)) < len(line):
        # Blanks at the start of a line are kept only when the line before ends in `-`.
        mark, following = ("-", "") if line[end] in BLANKS else ("+", " ")
        lines.append(indent + line[start:end] + mark)
        start, indent = end, following
    return [*lines, indent + line[start:]]


def _place_to_cut(line: str, start: int) -> int:
    """The last offset that leaves room for an indent and a mark; where it would begin a comment, one near it."""
    last = start + LINE_LENGTH - 2
    before = (offset for offset in range(last, start, -1) if line[offset] != "*")
    after = (offset for offset in range(last + 1, len(line)) if line[offset] != "*")
    return next(before, None) or next(after, len(line))
