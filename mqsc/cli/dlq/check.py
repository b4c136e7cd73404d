"""`mqsc dlq check`: the errors in a rules table, or else advice on it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from mqsc import __version__
from mqsc.console.inputs import InputSource, opened_lines
from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command
from mqsc.console.target import opened_store
from mqsc.console.terminal import print_line
from mqsc.diagnostic import Diagnostic, as_json, as_sarif
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.rules import Control, RulesTable
from mqsc.dlq.table_check import DESCRIPTIONS, lint_table
from mqsc.dlq.table_parser import parse_table
from store.admin.put_preview import PutPreview, leads_to
from store.error import MQError

HAS_ERRORS = 10


@command()
@click.argument("rules", metavar="RULES|-")
@click.option("--sarif", is_flag=True, help="Print the diagnostics as SARIF 2.1.0.")
def check(choices: Choices, rules: str, sarif: bool) -> int:
    """Check the rules table in the file RULES (- is standard input): report all its errors, or else advice.

    If there is a store, the check includes whether the queues named by FWDQ are defined. Exit code 0 without errors,
    10 with errors.
    """
    if sarif and choices.format is not None:
        raise click.UsageError("--sarif and --format cannot be used together")
    source = InputSource(path=rules)
    with opened_lines(source) as lines:
        reading = parse_table(lines, source.name)
    diagnostics = reading.diagnostics if reading.table is None else _advice(choices, reading.table)
    if sarif:
        click.echo(json.dumps(as_sarif(diagnostics, DESCRIPTIONS, __version__), indent=2))
    else:
        _print(choices, diagnostics)
    return HAS_ERRORS if any(each.severity == "error" for each in diagnostics) else 0


def _advice(choices: Choices, table: RulesTable) -> tuple[Diagnostic, ...]:
    with _manager_facts(choices, table.control) as manager_facts:
        return lint_table(table, manager_facts)


@contextmanager
def _manager_facts(choices: Choices, control: Control) -> Iterator[QueueManagerFacts]:
    """What the check needs to know about the queue manager of the table; empty when there is no store."""
    if choices.store_is_missing():
        yield QueueManagerFacts()
        return
    with opened_store(choices) as store:
        name = choices.qmgr_name() or control.input_queue_manager
        try:
            qmgr = store.queue_manager(name)
            preview = PutPreview(qmgr)
        except MQError as error:
            choices.inform(f"mqsc: cannot check the queues named by FWDQ: {error}")
            yield QueueManagerFacts()
            return
        yield QueueManagerFacts(
            qmgr.name,
            str(qmgr.row().dead_letter_queue),
            lambda queue, manager: not preview.reason_for(queue, manager),
            lambda queue, manager: leads_to(qmgr, queue, manager),
        )


def _print(choices: Choices, diagnostics: Sequence[Diagnostic]) -> None:
    if print_json(choices.format, (as_json(each) for each in diagnostics)):
        return
    for each in diagnostics:
        print_line(str(each))
    if not diagnostics:
        choices.inform("mqsc: no errors and no advice")
