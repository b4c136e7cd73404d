"""The option --set: reads the values of variables, and checks the scripts before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from grammar.lines import LogicalLine
from mqsc.console.inputs import InputSource, opened_lines
from mqsc.console.target import NothingRunError
from mqsc.script import commands_in
from mqsc.scripts.script_run import print_error
from mqsc.variables import parse_assignments, unset_in, used_in


def values_of(settings: Sequence[str]) -> dict[str, str]:
    """The values of NAME=VALUE texts by name; raises UsageError for a text of another form."""
    try:
        return parse_assignments(settings)
    except ValueError as error:
        raise click.UsageError(f"--set: {error}") from error


def check_variables(sources: Sequence[InputSource], values: Mapping[str, str]) -> None:
    """Raise NothingRunError if a command uses a variable without a value; warn on stderr about unused variables.

    The sources are read to their end, so they must be in memory already (`read_now`).
    """
    used, unset = set[str](), 0
    for source in sources:
        for line in _commands_of(source):
            used |= used_in(line)
            for each in unset_in(line, values):
                unset += 1
                print_error(f"{source.name}, line {each.line}, column {each.column}: {each.sentence}")
    if unset:
        raise NothingRunError(f"nothing was run: {unset} {'variable has' if unset == 1 else 'variables have'} no value")
    for name in sorted(values.keys() - used):
        print_error(f"--set {name}: no command uses ${{{name}}}")


def _commands_of(source: InputSource) -> Iterator[LogicalLine]:
    """The commands of an input; none if it cannot be read, which the run reports later."""
    if not source.fault:
        with opened_lines(source) as lines:
            yield from commands_in(lines)
