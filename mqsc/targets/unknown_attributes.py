"""Attributes and values that the catalog does not know, because the queue manager elsewhere is of a
newer level: they are taken out of a command, kept as they are written, and compared as text
(targets §3).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from mqsc.grammar.lines import LogicalLine
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import Command, Parameter, SyntaxFault
from mqsc.language.command_table import noun_of, verb_of
from mqsc.language.foreign_secrets import is_secret_name
from mqsc.language.hidden_secrets import is_hidden
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.script import read_request
from mqsc.verbs.analysis import analyse

# The verb, and the noun with the name.
_SUBJECT = 2
# Whether a parameter of a command with this noun may be unknown here.
Accepts = Callable[[str, Parameter], bool]


def read_with_unknown(line: LogicalLine, accepts: Accepts) -> Request | CommandRefusal:
    """The request in a logical line, with the parameters that only the queue manager elsewhere
    knows apart, in `unknown`.

    The refusal if it is refused for another reason. Of an unknown attribute that is a secret,
    nothing is kept.
    """
    request = read_request(line)
    if not isinstance(request, CommandRefusal):
        return request
    try:
        command = parse_command(line)
    except SyntaxFault:
        return request
    unknown: dict[str, str] = {}
    while isinstance(request, CommandRefusal):
        parameter = _at(command, request)
        if parameter is None or not accepts(_noun(command), parameter):
            return request
        if not _is_secret(parameter):
            unknown[parameter.keyword] = text_of(parameter)
        others = tuple(each for each in command.parameters if each is not parameter)
        command = replace(command, parameters=others)
        request = analyse(command, line.text.strip())
    return replace(request, unknown=unknown)


def _noun(command: Command) -> str:
    """The noun in full: QLOCAL for QL."""
    verb, noun = (each.keyword for each in command.parameters[:_SUBJECT])
    return noun_of(verb_of(verb) or verb, noun) or noun


def _is_secret(parameter: Parameter) -> bool:
    """Whether it has the name of a secret, or the asterisks that dmpmqcfg writes for one."""
    hidden = any(is_hidden(value.text) for value in parameter.values or ())
    return hidden or is_secret_name(parameter.keyword)


def _at(command: Command, refusal: CommandRefusal) -> Parameter | None:
    """The parameter that is refused; None if it is the verb or the object, or cannot be told."""
    place = (refusal.line, refusal.column)
    for parameter in command.parameters[_SUBJECT:]:
        of_values = ((value.line, value.column) for value in parameter.values or ())
        if place in ((parameter.line, parameter.column), *of_values):
            return parameter
    return None


def text_of(parameter: Parameter) -> str:
    """A parameter as MQSC, its values as they are written."""
    if parameter.values is None:
        return parameter.keyword
    return f"{parameter.keyword}({', '.join(value.raw for value in parameter.values)})"
