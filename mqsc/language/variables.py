"""Variables in scripts: `${NAME}` in a command is replaced by the value from `--set NAME=VALUE`.

A value is substituted before the command is parsed. Inside quotes, a quote in the value is doubled,
so that the value stays inside. Outside quotes, a value can be any part of a command, but it cannot
end the command or continue it on another line. Variables in values and in comments are not
replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import structs

from mqsc.grammar.lines import COMMAND_LENGTH, LogicalLine
from mqsc.grammar.tree import SyntaxFault
from mqsc.language.command_table import meant

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)=(.*)", re.DOTALL)
_USE = re.compile(r"\$\{([^${}]*)\}")
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}")
_UNWRITABLE = re.compile("[\0\r\n\ud800-\udfff]")


class Unset(NamedTuple):
    """The use of a variable that has no value; `sentence` is the message for people."""

    name: str
    line: int
    column: int
    sentence: str


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """The values of NAME=VALUE texts by name; the last one wins.

    Raises ValueError, with a sentence for people, if a text has another form or MQSC cannot express
    the value.
    """
    values: dict[str, str] = {}
    for text in texts:
        assignment = _ASSIGNMENT.fullmatch(text)
        if assignment is None:
            raise ValueError(
                f"{text!r} is not NAME=VALUE; a name consists of letters, digits and _ . -",
            )
        name, value = assignment.groups()
        if _UNWRITABLE.search(value):
            raise ValueError(
                f"the value of {name} contains a line end, or bytes that are not UTF-8",
            )
        values[name] = value
    return values


def used_in(line: LogicalLine) -> set[str]:
    """The names of the variables in a command."""
    return set(_USE.findall(line.text))


def unset_in(line: LogicalLine, values: Mapping[str, str]) -> Iterator[Unset]:
    """Every use of a variable without a value in a command."""
    for use in _USE.finditer(line.text):
        name = use.group(1)
        if name not in values:
            row, column = line.position(use.start())
            yield Unset(name, row, column, f"{use.group()} is not set{meant(name, values)}")


def substitute(line: LogicalLine, values: Mapping[str, str]) -> LogicalLine:
    """The command with its variables replaced; every character of a value has the position of its
    variable.

    A command that becomes too long gets a fault instead; one that has a fault already is returned
    unchanged. Raises KeyError for a variable without a value.
    """
    uses = [*_USE.finditer(line.text)]
    if not uses or line.fault is not None:
        return line
    inserts = _inserts(line.text, uses, values)
    length = len(line.text) + sum(
        len(value) - len(use.group()) for use, value in zip(uses, inserts, strict=True)
    )
    if length > COMMAND_LENGTH:
        return structs.replace(line, fault=_too_long(line, uses[0].start()))
    ends = [0, *(use.end() for use in uses)]
    between = [line.text[end : use.start()] for end, use in zip(ends, uses, strict=False)]
    text = (
        "".join(part for pair in zip(between, inserts, strict=True) for part in pair)
        + line.text[ends[-1] :]
    )
    return structs.replace(line, text=text, pieces=tuple(sorted(_pieces(line, uses, inserts))))


def _inserts(text: str, uses: list[re.Match[str]], values: Mapping[str, str]) -> list[str]:
    """The replacement for each use; inside quotes its quotes are doubled."""
    inserts = []
    seen = 0
    inside = False
    for use in uses:
        inside ^= text.count("'", seen, use.start()) % 2 == 1
        seen = use.start()
        value = values[use.group(1)]
        inserts.append(value.replace("'", "''") if inside else value)
    return inserts


def _pieces(
    line: LogicalLine,
    uses: list[re.Match[str]],
    inserts: list[str],
) -> Iterator[tuple[int, int, int]]:
    """The pieces of the substituted text: (offset in it, line, column)."""
    pieces = iter([*line.pieces, (len(line.text) + 1, 0, 0)])
    offset, line_number, column = next(pieces)
    shift = 0
    for use, value in zip(uses, inserts, strict=True):
        while offset <= use.start():
            yield offset + shift, line_number, column
            offset, line_number, column = next(pieces)
        while offset < use.end():
            offset, line_number, column = next(pieces)
        yield from (
            (use.start() + shift + index, *line.position(use.start()))
            for index in range(len(value))
        )
        shift += len(value) - len(use.group())
        yield use.end() + shift, *line.position(use.end())
    while offset <= len(line.text):
        yield offset + shift, line_number, column
        offset, line_number, column = next(pieces)


def _too_long(line: LogicalLine, offset: int) -> SyntaxFault:
    reason = f"with its variables the command is too long: the limit is {COMMAND_LENGTH} characters"
    expected = (f"a command of at most {COMMAND_LENGTH} characters",)
    return SyntaxFault(*line.position(offset), f"character {COMMAND_LENGTH + 1}", expected, reason)
