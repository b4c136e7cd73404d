"""Turns a logical line into a tree, or raises a SyntaxFault. Imports Lark at the first use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mqsc.grammar.lines import Lines, LogicalLine, logical_lines
from mqsc.grammar.tree import Command, Entry, Parameter, SyntaxFault

if TYPE_CHECKING:
    from lark import Token


def parse_command(line: LogicalLine) -> Command:
    """The command in `line`; raises SyntaxFault if there is none."""
    return Command(_parse("command", line), line.source[0].number)


def parse_entry(line: LogicalLine) -> Entry:
    """The rules table entry in `line`; raises SyntaxFault if there is none."""
    return Entry(_parse("entry", line), line.source[0].number)


def parse_rules(lines: Lines) -> Iterator[Entry | SyntaxFault]:
    """The entries of a rules table in order, with a SyntaxFault in place of each invalid one
    (dlq-rules §3.2).
    """
    for line in logical_lines(lines, semicolon=False):
        if isinstance(line, LogicalLine):
            try:
                yield parse_entry(line)
            except SyntaxFault as fault:
                yield fault


def words_of_command(line: LogicalLine) -> list[Token]:
    """The words of a command, up to the first one at which it is not valid."""
    from mqsc.grammar import lark_parser

    return lark_parser.words_of_command(line)


def _parse(shape: str, line: LogicalLine) -> tuple[Parameter, ...]:
    from mqsc.grammar.lark_parser import NotOfShapeError, parameters_of

    if line.fault is not None:
        raise line.fault
    try:
        return parameters_of(shape, line)
    except NotOfShapeError as error:
        from mqsc.grammar.diagnosis import diagnose

        raise diagnose(shape, line, error.offset) from None
