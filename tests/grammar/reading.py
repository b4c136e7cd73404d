"""Short ways to read what a test is about."""

from __future__ import annotations

from grammar.fault import SyntaxFault
from grammar.lines import Lines, LogicalLine, logical_lines
from grammar.parse import parse_command
from grammar.tree import Command


def commands(source: Lines, *, semicolon: bool = True) -> list[LogicalLine]:
    """The commands of `source`, as lines."""
    return [each for each in logical_lines(source, semicolon=semicolon) if isinstance(each, LogicalLine)]


def command(source: Lines, index: int = 0) -> Command:
    """One command of `source`, parsed."""
    return parse_command(commands(source)[index])


def command_or_fault(line: LogicalLine) -> Command | SyntaxFault:
    """What parse_command returns or raises."""
    try:
        return parse_command(line)
    except SyntaxFault as fault:
        return fault
