"""A text that should be one command of MQSC, and its request."""

from __future__ import annotations

from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import SyntaxFault
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.verbs.analysis import analyse


def is_command(text: str) -> bool:
    """Whether the text is one command without syntax errors, or a question about one."""
    if text.endswith("?"):
        return True
    try:
        found = _analysed(text)
    except SyntaxFault:
        return False
    return len(found) == 1 and isinstance(found[0], Request)


def fault_of(text: str) -> str:
    """Why the text is not one command, as a sentence without its place; blank if it is one, or is
    empty or several.
    """
    try:
        found = _analysed(text)
    except SyntaxFault as fault:
        return fault.reason
    refusals = (each.sentence for each in found if isinstance(each, CommandRefusal))
    return next(refusals, "")


def request_of(command: str) -> Request:
    """The request of a command without syntax errors."""
    (request,) = _analysed(command)
    assert isinstance(request, Request)
    return request


def _analysed(text: str) -> list[Request | CommandRefusal]:
    lines = (each for each in logical_lines(text.split("\n")) if isinstance(each, LogicalLine))
    return [analyse(parse_command(each)) for each in lines]
