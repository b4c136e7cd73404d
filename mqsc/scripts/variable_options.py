"""What --set gives the variables of scripts, looked at before anything is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from grammar.lines import LogicalLine
from mqsc.console.inputs import InputSource, opened_lines
from mqsc.console.target import NothingRunError
from mqsc.script import commands_in
from mqsc.scripts.session import complain
from mqsc.variables import assigned, unset_in, used_in


def values_of(settings: Sequence[str]) -> dict[str, str]:
    """The values of NAME=VALUE texts by name; UsageError for a text of another form."""
    try:
        return assigned(settings)
    except ValueError as error:
        raise click.UsageError(f"--set: {error}") from error


def check_variables(sources: Sequence[InputSource], values: Mapping[str, str]) -> None:
    """Refused when a command uses a variable without a value; one that no command uses is told on stderr.

    The sources are read to their end, so they must hold their content.
    """
    used, unset = set[str](), 0
    for source in sources:
        for line in _commands_of(source):
            used |= used_in(line)
            for each in unset_in(line, values):
                unset += 1
                complain(f"{source.name}, line {each.line}, column {each.column}: {each.sentence}")
    if unset:
        raise NothingRunError(f"nothing was run: {unset} {'variable has' if unset == 1 else 'variables have'} no value")
    for name in sorted(values.keys() - used):
        complain(f"no command uses ${{{name}}}, which --set gives a value")


def _commands_of(source: InputSource) -> Iterator[LogicalLine]:
    """The commands of an input; none of one that cannot be read, which says so in its turn."""
    if not source.fault:
        with opened_lines(source) as lines:
            yield from commands_in(lines)
