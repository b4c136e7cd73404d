"""From the lines of a script to its statements, and to everything that would be refused.

A faulty command never hides the faults of the next, nor a faulty parameter those of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from grammar.fault import SyntaxFault
from grammar.lines import LogicalLine, logical_lines
from grammar.parse import parse_command
from grammar.tree import Command, Parameter
from mqsc.diagnostic import Diagnostic
from mqsc.language.analysis import understand
from mqsc.language.masking import without_secrets_of
from mqsc.language.refusal import Refusal
from mqsc.language.request import Request
from mqsc.lint.slips import has_insert, slip
from mqsc.lint.statement import Statement, statement_of
from mqsc.script import is_ending
from mqsc.variables import filled, unset_in

# What MQ has and this product does not: no fault of the script.
NOT_HERE = "MQSC0002E"
# A parameter is missing, which may be because it was wrong.
MISSING = frozenset({"AMQ8214E", "AMQ8421E"})
BAD_NAME = "AMQ8424E"
# So that a command of nothing but faults takes no longer than its length.
MOST_FAULTS = 20
# How much of the source is looked at to tell what was meant.
SHOWN = 80
AFTER_END = "MQSC-C21"


def read_script(
    lines: Iterable[bytes | str], file: str = "", values: Mapping[str, str] | None = None
) -> Iterator[Statement | Diagnostic]:
    """Every statement of a script as it comes, with the errors of its command before it; END ends the script.

    `values` are those of the script's variables, None when `${NAME}` is text like any other.
    """
    commands = (line for line in logical_lines(lines) if isinstance(line, LogicalLine))
    for line in commands:
        if is_ending(line):
            yield from _unread(next(commands, None), file)
            return
        unset = [] if values is None else [*unset_in(line, values)]
        for each in unset:
            yield Diagnostic(
                "AMQ8405I", "error", file, each.line, each.column, each.sentence, f"--set {each.name}=VALUE"
            )
        if not unset:
            yield from _read(line if values is None else filled(line, values), file)


def _read(line: LogicalLine, file: str) -> Iterator[Statement | Diagnostic]:
    try:
        command = parse_command(line)
    except SyntaxFault as fault:
        message_id = "AMQ8406I" if line.unfinished else "AMQ8405I"
        yield _finding(line, file, Refusal(message_id, fault.reason, fault.line, fault.column))
        return
    request, refusals = _understood(command)
    yield from (_finding(line, file, each) for each in refusals if not has_insert(_written_at(line, each)))
    statement = statement_of(file, command, request)
    if statement is not None:
        yield statement


def _understood(command: Command) -> tuple[Request | None, list[Refusal]]:
    """What the command asks for without its faulty parameters, and what is wrong with each of those."""
    refusals: list[Refusal] = []
    named = True
    while len(refusals) < MOST_FAULTS:
        understood = understand(command)
        if isinstance(understood, Request):
            return understood if named else None, refusals
        if understood.message_id == NOT_HERE or (understood.message_id in MISSING and refusals):
            return None, refusals
        refusals.append(understood)
        index = _index_of(command, understood)
        if not index or (index == 1 and understood.message_id != BAD_NAME):
            return None, refusals
        named = named and index > 1
        command = _named_right(command) if index == 1 else _without(command, index)
    return None, refusals


def _index_of(command: Command, refusal: Refusal) -> int | None:
    """Which word of the command a refusal is about."""
    place = (refusal.line, refusal.column)
    return next((index for index, each in enumerate(command.parameters) if place in _places(each)), None)


def _places(parameter: Parameter) -> list[tuple[int, int]]:
    return [(parameter.line, parameter.column), *((each.line, each.column) for each in parameter.values or ())]


def _without(command: Command, index: int) -> Command:
    return replace(command, parameters=(*command.parameters[:index], *command.parameters[index + 1 :]))


def _named_right(command: Command) -> Command:
    """The command with a name that any object can have, so that its other words can be checked."""
    verb, noun, *others = command.parameters
    named = replace(noun, values=tuple(replace(each, text="A") for each in noun.values or ()))
    return replace(command, parameters=(verb, named, *others))


def _finding(line: LogicalLine, file: str, refusal: Refusal) -> Diagnostic:
    sentence = without_secrets_of(line.text, refusal.sentence)
    right = slip(_written_at(line, refusal), (refusal.line, refusal.column) == line.position(0))
    return Diagnostic(refusal.message_id, "error", file, refusal.line, refusal.column, sentence, right)


def _written_at(line: LogicalLine, refusal: Refusal) -> str:
    """What the source says where a command is refused."""
    texts = (each.text[refusal.column - each.column :] for each in line.source if each.number == refusal.line)
    return next(texts, "")[:SHOWN]


def _unread(line: LogicalLine | None, file: str) -> Iterator[Diagnostic]:
    """What is said when a command follows END."""
    if line is not None:
        row, column = line.position(0)
        yield Diagnostic(AFTER_END, "warning", file, row, column, "nothing behind END is read", "END as the last line")
