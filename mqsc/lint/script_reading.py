"""Reads a script into commands, and finds every error.

An error in one command never hides the errors of the next, nor one bad parameter those of the other
parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from mqsc.diagnostic import Diagnostic
from mqsc.grammar.lines import LogicalLine
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import Command, Parameter, SyntaxFault
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.language.variables import substitute, unset_in
from mqsc.lint import foreign_text, script_command
from mqsc.script import is_ending
from mqsc.verbs.analysis import analyse, with_noun_second

# A parameter is missing, perhaps because it had an error and was removed.
MISSING = frozenset({"AMQ8214E", "AMQ8421E"})
BAD_NAME = "AMQ8424E"
# Bounds the time for a command that consists of errors.
MOST_FAULTS = 20
AFTER_END = "MQSC-C21"


def read_script(
    lines: Iterable[LogicalLine],
    file: str = "",
    values: Mapping[str, str] | None = None,
) -> Iterator[script_command.ScriptCommand | Diagnostic]:
    """Every command, preceded by its errors, as far as END.

    `values` are the values of the script's variables; with None, `${NAME}` is ordinary text.
    """
    commands = iter(lines)
    for line in commands:
        if is_ending(line):
            yield from _after_end(next(commands, None), file)
            return
        unset = [] if values is None else [*unset_in(line, values)]
        for placeholder in unset:
            yield Diagnostic(
                "AMQ8405I",
                "error",
                file,
                placeholder.line,
                placeholder.column,
                placeholder.sentence,
                f"--set {placeholder.name}=VALUE",
            )
        if not unset:
            yield from _read(line if values is None else substitute(line, values), file)


def _read(line: LogicalLine, file: str) -> Iterator[script_command.ScriptCommand | Diagnostic]:
    try:
        parsed = with_noun_second(parse_command(line))
    except SyntaxFault as fault:
        message_id = "AMQ8406I" if line.unfinished else "AMQ8405I"
        yield _diagnostic(
            line,
            file,
            CommandRefusal(message_id, fault.reason, fault.line, fault.column),
        )
        return
    request, refusals = _analyse(parsed)
    yield from (_diagnostic(line, file, refusal) for refusal in refusals)
    command = script_command.script_command(file, parsed, request, has_errors=bool(refusals))
    if command is not None:
        yield command


def _analyse(parsed: Command) -> tuple[Request | None, list[CommandRefusal]]:
    """The request without its bad parameters, and the error of each of those."""
    refusals: list[CommandRefusal] = []
    is_named = True
    while len(refusals) < MOST_FAULTS:
        result = analyse(parsed)
        if isinstance(result, Request):
            return result if is_named else None, refusals
        if result.message_id in MISSING and refusals:
            return None, refusals
        refusals.append(result)
        index = _parameter_at(parsed, result)
        if not index or (index == 1 and result.message_id != BAD_NAME):
            return None, refusals
        is_named = is_named and index > 1
        if result.is_last:
            parsed = replace(parsed, parameters=parsed.parameters[:index])
        else:
            others = (*parsed.parameters[:index], *parsed.parameters[index + 1 :])
            parsed = _with_valid_name(parsed) if index == 1 else replace(parsed, parameters=others)
    return None, refusals


def _parameter_at(parsed: Command, refusal: CommandRefusal) -> int | None:
    """The index of the parameter that the error is about."""
    place = (refusal.line, refusal.column)
    return next(
        (index for index, each in enumerate(parsed.parameters) if place in _places(each)),
        None,
    )


def _places(parameter: Parameter) -> list[tuple[int, int]]:
    return [
        (parameter.line, parameter.column),
        *((value.line, value.column) for value in parameter.values or ()),
    ]


def _with_valid_name(parsed: Command) -> Command:
    """Replace the name of the object, so that the other parameters can be checked."""
    verb, noun, *others = parsed.parameters
    named = replace(noun, values=tuple(replace(value, text="A") for value in noun.values or ()))
    return replace(parsed, parameters=(verb, named, *others))


def _diagnostic(line: LogicalLine, file: str, refusal: CommandRefusal) -> Diagnostic:
    suggestion = foreign_text.suggestion_for(*_source_at(line, refusal))
    return Diagnostic(
        refusal.message_id,
        "error",
        file,
        refusal.line,
        refusal.column,
        refusal.sentence_in(line),
        suggestion,
    )


def _source_at(line: LogicalLine, refusal: CommandRefusal) -> tuple[str, bool, int]:
    """The source line of the error, whether the error is at the start of the command, and its
    offset in the line.
    """
    starts_command = (refusal.line, refusal.column) == line.position(0)
    places = (
        (each.text, refusal.column - each.column)
        for each in line.source
        if each.number == refusal.line
    )
    text, at = next(places, ("", 0))
    return text, starts_command, at


def _after_end(line: LogicalLine | None, file: str) -> Iterator[Diagnostic]:
    if line is not None:
        row, column = line.position(0)
        message, suggestion = "commands after END are not read", "END as the last line"
        yield Diagnostic(AFTER_END, "warning", file, row, column, message, suggestion)
