"""The parts of a document that are MQSC or a rules table, and the names in them, with their places.

A YAML file has MQSC in block scalars under a key that ends in mqsc; a shell script has it in the
here-documents of runmqsc, `mqsc run`, `mqsc check` and `mqsc apply`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from itertools import takewhile
from operator import eq
from pathlib import PurePath
from typing import NamedTuple

from mqsc.grammar.lines import LogicalLine, logical_lines, may_continue
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import Parameter, SyntaxFault, Value
from mqsc.language.command_table import noun_of, verb_of
from mqsc.store.catalog import kinds_of
from mqsc.store.catalog.types import Items, Name
from mqsc.verbs.syntax import syntax_of

MQSC, RULES = "mqsc", "rules"
_KEY = re.compile(r"(\s*(?:- )?)[\"']?[\w./-]*mqsc[\"']?:\s*[|>][-+0-9]*\s*(?:#.*)?$")
_HERE = re.compile(
    r"^(?=[^#]*\b(?:runmqsc|mqsc\s(?:.*\s)?(?:run|check|apply))\b)"
    r"[^#]*?(?<!<)<<(-?)\s*\\?(['\"]?)([^\s'\"\\|&;<>()]+)\2",
)
_YAML, _SHELL = (".yaml", ".yml"), (".sh", ".bash", ".ksh")


class Region(NamedTuple):
    """Lines of MQSC or of a rules table: the number of the first (from 0), and the column at
    which they begin.
    """

    kind: str
    line: int
    column: int
    lines: list[str]


class NamedObject(NamedTuple):
    """A name of an object in a command: its place in the document (from 0), and whether the
    command defines it.
    """

    name: str
    type: str
    line: int
    column: int
    length: int
    defines: bool

    def has(self, line: int, column: int) -> bool:
        """Whether the place is on the name, or at its end."""
        return self.line == line and self.column <= column <= self.column + self.length

    def is_of(self, other: NamedObject) -> bool:
        """Whether both name the same object, or two of which only one can exist, such as an
        alias and a local queue.
        """
        return self.name == other.name and _namespace(self.type) == _namespace(other.type)


def _namespace(type: str) -> str:
    return next((kind.namespace for kind in kinds_of(type)), type)


def regions(path: str, text: str) -> Iterator[Region]:
    """Yield the regions of a document; what a file is depends on the end of its name."""
    lines = text.split("\n")
    suffix = PurePath(path).suffix.lower()
    if suffix in _YAML:
        yield from _of_yaml(lines)
    elif suffix in _SHELL:
        yield from _of_shell(lines)
    else:
        yield Region(RULES if suffix == ".rul" else MQSC, 0, 0, lines)


def _of_yaml(lines: list[str]) -> Iterator[Region]:
    bodies = _bodies(
        lines,
        _KEY,
        lambda key, line: not line.strip() or _begins(line, " ") > len(key[1]),
    )
    yield from (_indented(first, body, " ") for _, first, body in bodies)


def _of_shell(lines: list[str]) -> Iterator[Region]:
    for here, first, body in _bodies(
        lines,
        _HERE,
        lambda here, line: (line.lstrip("\t") if here[1] else line) != here[3],
    ):
        yield _indented(first, body, "\t" if here[1] else "")


def _bodies(
    lines: list[str],
    begin: re.Pattern[str],
    continues: Callable[[re.Match[str], str], bool],
) -> Iterator[tuple[re.Match[str], int, list[str]]]:
    """What begins each body, the number of its first line, and its lines."""
    beyond = 0
    for number, line in enumerate(lines):
        match = begin.match(line) if number >= beyond else None
        if match:
            body = [*takewhile(partial(continues, match), lines[number + 1 :])]
            beyond = number + 1 + len(body)
            yield match, number + 1, body


def _indented(first: int, body: list[str], blank: str) -> Region:
    """The lines without the blanks with which all of them begin."""
    column = min((_begins(line, blank) for line in body if line.strip()), default=0)
    return Region(MQSC, first, column, [line[column:] for line in body])


def _begins(line: str, blank: str) -> int:
    return len(line) - len(line.lstrip(blank)) if blank else 0


def names_in(region: Region, *, line: int | None = None, name: str = "") -> Iterator[NamedObject]:
    """Yield the names of objects in the valid commands of a region: those that commands are about,
    and values.

    Only commands on a `line` of the document, or on lines with the `name`, are parsed, and only
    when they have changed: 10,000 commands take a second.
    """
    if region.kind != MQSC:
        return
    word = re.compile(rf"(?<![\w./%]){re.escape(name)}(?![\w./%])", re.IGNORECASE)
    numbers = (number for number, text in enumerate(region.lines) if word.search(text))
    beyond = 0
    for number in numbers if line is None else [line - region.line]:
        if number >= beyond:
            first, beyond = commands_around(region.lines, number, number + 1, beyond)
            for value, type, defines in _names_between(tuple(region.lines[first:beyond])):
                place = region.line + first + value.line - 1, region.column + value.column - 1
                yield NamedObject(value.text, type, *place, len(value.raw), defines)


def commands_around(lines: list[str], first: int, beyond: int, lowest: int = 0) -> tuple[int, int]:
    """The first line, `lowest` at least, of the commands that are on some lines, and the line
    after their last.
    """
    while first > lowest and may_continue(lines[first - 1]):
        first -= 1
    while first < beyond < len(lines) and may_continue(lines[beyond - 1]):
        beyond += 1
    return first, beyond


def alike(lines: Iterable[str], others: Iterable[str]) -> int:
    """How many lines are the same from the beginning."""
    return sum(takewhile(bool, map(eq, lines, others)))


@lru_cache(20_000)
def _names_between(lines: tuple[str, ...]) -> list[tuple[Value, str, bool]]:
    """The values in commands that are names, each with the type of its object, and whether the
    command defines it.
    """
    values: list[tuple[Value, str, bool]] = []
    for line in logical_lines(lines):
        if isinstance(line, LogicalLine):
            with suppress(SyntaxFault):
                values += _names(parse_command(line).parameters)
    return values


def _names(parameters: tuple[Parameter, ...]) -> Iterator[tuple[Value, str, bool]]:
    """The values that are names, each with the type of its object."""
    verb = verb_of(parameters[0].keyword)
    noun = noun_of(verb, parameters[1].keyword) if verb and len(parameters) > 1 else None
    if verb is None or noun is None:
        return
    syntax = syntax_of(verb, noun)
    for value in parameters[1].values or ():
        yield value, noun, verb == "DEFINE"
    for parameter in parameters[2:]:
        row, _ = syntax.words.get(parameter.keyword, (None, True))
        if row is None:
            continue
        taken = row.type.of if isinstance(row.type, Items) else row.type
        if isinstance(taken, Name):
            yield from ((value, taken.of, False) for value in parameter.values or ())
