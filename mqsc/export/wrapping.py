"""Lines that are too long for a column limit, cut where MQSC allows it: anywhere, also inside quotes."""

from __future__ import annotations

from collections.abc import Iterator

# What every runmqsc reads; z/OS drops the rest of a line without a word.
COLUMNS = 72
INDENT = "      "
BLANKS = " \t\f\v"
# How far from the limit a better place is looked for.
REACH = 16


def wrapped(text: str, columns: int = COLUMNS) -> Iterator[str]:
    """The lines of a command as lines of at most `columns` that continue each other.

    A line that ends in `+` goes on with what is not blank, one that ends in `-` with the first column: before blanks.
    """
    inside = False
    for line in text.split("\n"):
        indent = ""
        while len(indent) + len(line) > columns:
            cut = _place_to_cut(line, columns - len(indent) - 1, inside)
            inside ^= _is_odd(line.count("'", 0, cut))
            before_blank = line[cut] in BLANKS
            yield f"{indent}{line[:cut]}{'-' if before_blank else '+'}"
            line, indent = line[cut:], "" if before_blank else INDENT
        inside ^= _is_odd(line.count("'"))
        yield indent + line


def _place_to_cut(line: str, last: int, inside: bool) -> int:
    """The last place between words at most `last`, else the last possible one; `inside`: it begins inside quotes."""
    possible = [at for at in range(last, last - REACH, -1) if _may_go_on(line, at, inside)]
    within = [at for at in possible if line[at] not in BLANKS]
    between = [at for at in within if line[at - 1] in BLANKS]
    return next(iter((*between, *within, *possible)))


def _may_go_on(line: str, at: int, inside: bool) -> bool:
    """Whether the rest may stand on a line of its own."""
    quoted = inside ^ _is_odd(line.count("'", 0, at))
    # A quote outside is where quotes open, or the second of two; a mark left alone would make an empty line.
    return (quoted or line[at] != "'") and line[at:].strip(BLANKS) not in ("+", "-")


def _is_odd(number: int) -> bool:
    return number % 2 == 1
