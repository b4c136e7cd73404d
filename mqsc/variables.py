"""Variables of scripts: `${NAME}` in a command stands for the value that `--set NAME=VALUE` gives it.

A value is put into the text of a command before that is parsed. Inside quotes it stays inside: a quote in it is
doubled. Outside it may be any part of a command, but neither end one nor continue it over a line. Values are not looked
into for further variables; comments are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from grammar.fault import SyntaxFault
from grammar.lines import COMMAND_LENGTH, LogicalLine
from mqsc.language.command_table import meant

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)=(.*)", re.DOTALL)
_USE = re.compile(r"\$\{([^${}]*)\}")
_UNWRITABLE = re.compile("[\0\r\n\ud800-\udfff]")


class Unset(NamedTuple):
    """A variable without a value, and where a command uses it; `sentence` says what is wrong."""

    name: str
    line: int
    column: int
    sentence: str


def assigned(given: Iterable[str]) -> dict[str, str]:
    """The values of NAME=VALUE texts by name, the last one where a name comes twice.

    ValueError, with a sentence, for a text of another form and for a value that no line of MQSC can hold.
    """
    values: dict[str, str] = {}
    for text in given:
        found = _ASSIGNMENT.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not NAME=VALUE, with a name of letters, digits and _ . -")
        name, value = found.groups()
        if _UNWRITABLE.search(value):
            raise ValueError(f"the value of {name} holds the end of a line, or bytes that are not UTF-8")
        values[name] = value
    return values


def used_in(line: LogicalLine) -> set[str]:
    """The names of the variables that a command uses."""
    return set(_USE.findall(line.text))


def unset_in(line: LogicalLine, values: Mapping[str, str]) -> Iterator[Unset]:
    """The variables that a command uses and that have no value, each time it does."""
    for found in _USE.finditer(line.text):
        name = found.group(1)
        if name not in values:
            row, column = line.position(found.start())
            yield Unset(name, row, column, f"{found.group()} is not set{meant(name, values)}")


def filled(line: LogicalLine, values: Mapping[str, str]) -> LogicalLine:
    """The command with the values in place; every character of a value stands where its variable stood.

    A command that becomes too long gets a fault instead; one that has a fault stays as it is. KeyError for a variable
    without a value.
    """
    uses = [*_USE.finditer(line.text)]
    if not uses or line.fault is not None:
        return line
    said = _said(line.text, uses, values)
    length = len(line.text) + sum(len(value) - len(use.group()) for use, value in zip(uses, said, strict=True))
    if length > COMMAND_LENGTH:
        return replace(line, fault=_too_long(line, uses[0].start()))
    ends = [0, *(use.end() for use in uses)]
    between = [line.text[end : use.start()] for end, use in zip(ends, uses, strict=False)]
    text = "".join(part for pair in zip(between, said, strict=True) for part in pair) + line.text[ends[-1] :]
    return replace(line, text=text, pieces=tuple(sorted(_pieces(line, uses, said))))


def _said(text: str, uses: list[re.Match[str]], values: Mapping[str, str]) -> list[str]:
    """What each use is replaced by; inside quotes with its quotes doubled."""
    said, seen, inside = [], 0, False
    for use in uses:
        inside ^= text.count("'", seen, use.start()) % 2 == 1
        seen = use.start()
        value = values[use.group(1)]
        said.append(value.replace("'", "''") if inside else value)
    return said


def _pieces(line: LogicalLine, uses: list[re.Match[str]], said: list[str]) -> Iterator[tuple[int, int, int]]:
    """Where the text with the values comes from: (offset in it, line, column)."""
    pieces = iter([*line.pieces, (len(line.text) + 1, 0, 0)])
    offset, row, column = next(pieces)
    shift = 0
    for use, value in zip(uses, said, strict=True):
        while offset <= use.start():
            yield offset + shift, row, column
            offset, row, column = next(pieces)
        while offset < use.end():
            offset, row, column = next(pieces)
        yield from ((use.start() + shift + index, *line.position(use.start())) for index in range(len(value)))
        shift += len(value) - len(use.group())
        yield use.end() + shift, *line.position(use.end())
    while offset <= len(line.text):
        yield offset + shift, row, column
        offset, row, column = next(pieces)


def _too_long(line: LogicalLine, offset: int) -> SyntaxFault:
    reason = f"with its variables the command is too long: a command may have {COMMAND_LENGTH} characters"
    expected = (f"a command of {COMMAND_LENGTH} characters at most",)
    return SyntaxFault(*line.position(offset), f"character {COMMAND_LENGTH + 1}", expected, reason)
