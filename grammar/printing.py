"""Turns a tree back into text. Parsing the text again gives the same tree."""

import re

from mqsc.grammar.lines import BLANKS, LINE_LENGTH
from mqsc.grammar.tree import Command, Entry, Parameter, Value

INDENT = "   "

_PLAIN = re.compile(r"[^\sa-z,()';\x00-\x1f\x7f-\x9f\ufeff]+")
UNWRITABLE = re.compile("[\0\r\n\ud800-\udfff]")


def print_tree(tree: Command | Entry, width: int = LINE_LENGTH) -> str:
    """`tree` as text; lines break between parameters so that they have at most `width` characters
    if possible.

    A line exceeds LINE_LENGTH only inside a longer run of asterisks. Keywords are in upper case,
    commas separate values, and a value is quoted if the tree says so or its text needs it. Raises
    ValueError if a text contains what MQSC cannot express: NUL, a line end or a lone surrogate.
    """
    lines: list[str] = []
    current, *others = [_parameter_text(parameter) for parameter in tree.parameters]
    if current.startswith("*"):
        # A leading asterisk would make the line a comment, so a separator goes first.
        current = f",{current}"
    for piece in others:
        if len(current) + len(piece) + len("  +") <= width or piece.startswith("*"):
            current = f"{current} {piece}"
        else:
            lines.append(f"{current} +")
            current = INDENT + piece
    # A flag that ends in + or - would continue the line, so a semicolon ends it.
    lines.append(f"{current};" if current.endswith(("+", "-")) else current)
    return "\n".join(part for line in lines for part in _short_lines(line))


def _parameter_text(parameter: Parameter) -> str:
    text = parameter.keyword
    if parameter.values is not None:
        text = f"{text}({','.join(map(_value_text, parameter.values))})"
    if UNWRITABLE.search(text):
        raise ValueError(f"MQSC cannot express this value of {parameter.keyword!r}")
    return text


def _value_text(value: Value) -> str:
    if value.quoted or not _PLAIN.fullmatch(value.text):
        return quoted(value.text)
    return value.text


def quoted(text: str) -> str:
    """`text` between quotes, as MQSC writes it: a quote inside is doubled."""
    return "'" + text.replace("'", "''") + "'"


def _short_lines(line: str) -> list[str]:
    """`line` split into continuation lines of at most LINE_LENGTH characters."""
    lines = []
    start = 0
    indent = ""
    while len(line) - start > LINE_LENGTH - len(indent):
        end = _place_to_cut(line, start)
        if end == len(line):
            break
        # Blanks at the start of a line are kept only if the line before ends in `-`.
        mark, following = ("-", "") if line[end] in BLANKS else ("+", " ")
        lines.append(indent + line[start:end] + mark)
        start, indent = end, following
    return [*lines, indent + line[start:]]


def _place_to_cut(line: str, start: int) -> int:
    """The last offset that leaves room for an indent and a mark, or one nearby if the line would
    start a comment.
    """
    last = start + LINE_LENGTH - 2
    before = (offset for offset in range(last, start, -1) if line[offset] != "*")
    after = (offset for offset in range(last + 1, len(line)) if line[offset] != "*")
    return next(before, None) or next(after, len(line))
