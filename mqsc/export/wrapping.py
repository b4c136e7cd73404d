"""Breaks long lines of MQSC, which may continue anywhere, even inside quotes."""

from __future__ import annotations

from collections.abc import Iterator

# Every runmqsc reads 72 columns; z/OS silently drops the rest of a line.
COLUMNS = 72
INDENT = "      "
BLANKS = " \t\f\v"
# How far before the limit to look for a good place to break.
REACH = 16


def wrapped(text: str, columns: int = COLUMNS) -> Iterator[str]:
    """The lines of a command, broken into lines of at most `columns`.

    After `+` the next line continues at its first non-blank character, after `-` at its first column. So `-` is used
    before blanks.
    """
    inside = False
    for line in text.split("\n"):
        indent = ""
        while len(indent) + len(line) > columns:
            cut = _break_position(line, columns - len(indent) - 1, inside)
            inside ^= _is_odd(line.count("'", 0, cut))
            before_blank = line[cut] in BLANKS
            yield f"{indent}{line[:cut]}{'-' if before_blank else '+'}"
            line, indent = line[cut:], "" if before_blank else INDENT
        inside ^= _is_odd(line.count("'"))
        yield indent + line


def _break_position(line: str, last: int, inside: bool) -> int:
    """The last position between words up to `last`, else the last possible one; `inside` if the line is in quotes."""
    possible = [at for at in range(last, last - REACH, -1) if _may_break(line, at, inside)]
    within = [at for at in possible if line[at] not in BLANKS]
    between = [at for at in within if line[at - 1] in BLANKS]
    return next(iter((*between, *within, *possible)))


def _may_break(line: str, at: int, inside: bool) -> bool:
    """Whether the rest may be on a line of its own."""
    quoted = inside ^ _is_odd(line.count("'", 0, at))
    # A quote outside quotes opens them, or is the second of two. A continuation mark alone would be an empty line.
    return (quoted or line[at] != "'") and line[at:].strip(BLANKS) not in ("+", "-")


def _is_odd(number: int) -> bool:
    return number % 2 == 1
