"""Short functions that parse the input of a test."""

from __future__ import annotations

from mqsc.grammar.lines import Lines, LogicalLine, logical_lines
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import Command, SyntaxFault


def commands(source: Lines, *, semicolon: bool = True) -> list[LogicalLine]:
    """Return the commands of `source` as logical lines."""
    return [
        each for each in logical_lines(source, semicolon=semicolon) if isinstance(each, LogicalLine)
    ]


def command(source: Lines, index: int = 0) -> Command:
    """Parse one command of `source`."""
    return parse_command(commands(source)[index])


def command_or_fault(line: LogicalLine) -> Command | SyntaxFault:
    """Return what parse_command returns or raises."""
    try:
        return parse_command(line)
    except SyntaxFault as fault:
        return fault
