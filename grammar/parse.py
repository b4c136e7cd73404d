"""Turns a logical line into a tree, or raises a SyntaxFault. Imports Lark at the first use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from grammar.diagnosis import diagnose
from grammar.fault import SyntaxFault
from grammar.lines import BLANKS, Lines, LogicalLine, logical_lines
from grammar.tree import Command, Entry, Parameter, Value

if TYPE_CHECKING:
    from lark import Lark, UnexpectedInput

    from grammar.lexer import Word

# What a parser returns for a parameter: a keyword alone, or an opening, values and a closing.
Found: TypeAlias = "Word | list[Word]"

AFTER_KEYWORD = BLANKS + ",("
UPPER = {lower: lower - 32 for lower in range(ord("a"), ord("z") + 1)}


def parse_command(line: LogicalLine) -> Command:
    """The command in `line`; raises SyntaxFault if there is none."""
    return Command(_parse("command", line), line.source[0].number)


def parse_entry(line: LogicalLine) -> Entry:
    """The rules table entry in `line`; raises SyntaxFault if there is none."""
    return Entry(_parse("entry", line), line.source[0].number)


def parse_rules(lines: Lines) -> Iterator[Entry | SyntaxFault]:
    """The entries of a rules table in order, with a SyntaxFault in place of each invalid one (dlq-rules §3.2)."""
    for line in logical_lines(lines, semicolon=False):
        if isinstance(line, LogicalLine):
            try:
                yield parse_entry(line)
            except SyntaxFault as fault:
                yield fault


def _parse(shape: str, line: LogicalLine) -> tuple[Parameter, ...]:
    if line.fault is not None:
        raise line.fault
    parser, unexpected = _parser(shape)
    try:
        found: list[Found] = parser.parse(line.text)  # type: ignore[assignment]
    except unexpected as error:
        ended = getattr(error, "token", None) == ""
        raise diagnose(shape, line, len(line.text) if ended else error.pos_in_stream or 0) from None
    return _parameters(shape, found, line)


def command_parser() -> tuple[Lark, type[UnexpectedInput]]:
    """The parser of commands, which returns a list of Found, and the exception that it raises."""
    return _parser("command")


@cache
def _parser(shape: str) -> tuple[Lark, type[UnexpectedInput]]:
    """The parser of a shape, which returns a list of Found, and the exception that it raises."""
    from lark import UnexpectedInput

    from grammar.parse_tables import parser_of

    return parser_of(shape, _Children()), UnexpectedInput


class _Children:
    """Replaces Lark's trees: the children of a rule are enough."""

    def valued(self, children: list[Any]) -> list[Any]:
        return children

    command = entry = valued


# Parsing spends most of its time from here on, so these functions call as little as they can.
def _parameters(shape: str, found: list[Found], line: LogicalLine) -> tuple[Parameter, ...]:
    parameters = []
    for each in found:
        opening, tokens = (each, None) if isinstance(each, str) else (each[0], each[1:-1])
        values = None if tokens is None else _values(shape, tokens, line)
        raw = opening.value.rstrip(AFTER_KEYWORD)
        keyword = raw.upper() if raw.isascii() else _upper(raw)
        parameters.append(Parameter(keyword, raw, values, *line.position(opening.start_pos)))
    return tuple(parameters)


def _values(shape: str, tokens: list[Word], line: LogicalLine) -> tuple[Value, ...]:
    values = []
    end = -1
    for token in tokens:
        start, raw = token.start_pos, token.value
        if start == end:
            raise diagnose(shape, line, start)
        end = token.end_pos
        quoted = raw[0] == "'"
        if quoted:
            text = raw[1:-1].replace("''", "'")
        else:
            text = raw.upper() if raw.isascii() else _upper(raw)
        values.append(Value(text, raw, quoted, *line.position(start)))
    return tuple(values)


def _upper(text: str) -> str:
    """`text` with its ASCII letters in upper case; MQSC leaves other letters unchanged."""
    return text.translate(UPPER)
