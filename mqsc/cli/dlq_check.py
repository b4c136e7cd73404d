"""`mqsc dlq check`: errors of a rules table, or else advice on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from mqsc import __version__
from mqsc.console.inputs import Source, opened_lines
from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.options import Choices, choices_of, common_options
from mqsc.console.target import opened_store
from mqsc.console.terminal import printable
from mqsc.diagnostic import Diagnostic, as_json, as_sarif
from mqsc.dlq.lint.table_rule import Surroundings
from mqsc.dlq.rules import Control, RulesTable
from mqsc.dlq.table_check import DESCRIPTIONS, lint_table
from mqsc.dlq.table_parser import parse_table
from store.error import MQError

HAS_ERRORS = 10


@click.command()
@click.argument("rules", metavar="RULES|-")
@click.option("--sarif", is_flag=True, help="Print one SARIF document, for tools that show diagnostics in a file.")
@common_options
@click.pass_context
def check(context: click.Context, rules: str, sarif: bool) -> None:
    """Check the rules table in the file RULES (- is standard input): all its errors, or else advice.

    Whether the queues it forwards to are defined is looked up when there is a store. Exit code 0 when there is nothing
    or advice only, 10 when there are errors.
    """
    choices = choices_of(context)
    if sarif and choices.format is not None:
        raise click.UsageError("--sarif is a form of its own: it goes with no --format")
    source = Source(path=rules)
    with opened_lines(source) as lines:
        reading = parse_table(lines, source.name)
    diagnostics = reading.diagnostics if reading.table is None else _advice(choices, reading.table)
    if sarif:
        click.echo(json.dumps(as_sarif(diagnostics, DESCRIPTIONS, __version__), indent=2))
    else:
        _print(choices, diagnostics)
    context.exit(HAS_ERRORS if any(each.severity == "error" for each in diagnostics) else 0)


def _advice(choices: Choices, table: RulesTable) -> tuple[Diagnostic, ...]:
    with _surroundings(choices, table.control) as surroundings:
        return lint_table(table, surroundings)


@contextmanager
def _surroundings(choices: Choices, control: Control) -> Iterator[Surroundings]:
    """What the queue manager that the table is for tells; nothing when there is none to ask."""
    from store.admin.put_preview import PutPreview, leads_to

    if choices.store_is_missing():
        yield Surroundings()
        return
    with opened_store(choices) as store:
        name = choices.qmgr_name() or control.input_queue_manager
        try:
            qmgr = store.queue_manager(name)
            preview = PutPreview(qmgr)
        except MQError as error:
            choices.talk(f"mqsc: the queues forwarded to are not looked up: {error}")
            yield Surroundings()
            return
        letters = str(qmgr.row().dead_letter_queue)
        yield Surroundings(
            qmgr.name,
            letters,
            lambda queue, manager: not preview.reason_for(queue, manager),
            lambda queue, manager: leads_to(qmgr, queue, manager),
        )


def _print(choices: Choices, diagnostics: Sequence[Diagnostic]) -> None:
    if choices.format in JSON_FORMATS:
        with Rows(sys.stdout, array=choices.format == "json") as rows:
            for each in diagnostics:
                rows.write(as_json(each))
        return
    for each in diagnostics:
        click.echo(printable(str(each)))
    if not diagnostics:
        choices.talk("mqsc: nothing to say about this table")
