"""`mqsc dlq check`: the errors in a rules table, or else advice on it."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from mqsc.cli.check import format_with, print_diagnostics
from mqsc.cli.dlq.table_file import parsed_table
from mqsc.console.options import WITHOUT_FORMAT, Choices, command, format_option
from mqsc.console.parameters import AnyPath
from mqsc.console.target import FAILED, opened_store
from mqsc.diagnostic import REPORTS, Diagnostic
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.rules_table import Control, RulesTable
from mqsc.dlq.table_check import DESCRIPTIONS, lint_table
from mqsc.store.admin.put_preview import PutPreview, leads_to
from mqsc.store.error import MQError
from mqsc.targets.on_target import on_target


@command(common=WITHOUT_FORMAT, reads=True)
@click.argument("rules", type=AnyPath(), nargs=-1, required=True, metavar="RULES|-...")
@click.option("--sarif", is_flag=True, help="The same as --format sarif: SARIF 2.1.0.")
@format_option(*REPORTS)
@on_target
def check(choices: Choices, rules: tuple[str, ...], sarif: bool) -> int:
    """Check the rules tables in the files RULES (- is standard input): report all errors, or else
    advice.

    If there is a store, the check includes whether the queues named by FWDQ are defined. Exit code
    0 without errors, 10 with errors.
    """
    format = format_with(choices, sarif=sarif)
    diagnostics: list[Diagnostic] = []
    for reading in map(parsed_table, rules):
        diagnostics += (
            reading.diagnostics if reading.table is None else _advice(choices, reading.table)
        )
    print_diagnostics(diagnostics, format, DESCRIPTIONS, "error")
    if not diagnostics and format in (None, "text"):
        choices.inform("mqsc: no errors and no advice")
    return FAILED if any(each.severity == "error" for each in diagnostics) else 0


def _advice(choices: Choices, table: RulesTable) -> tuple[Diagnostic, ...]:
    with _manager_facts(choices, table.control) as manager_facts:
        return lint_table(table, manager_facts)


@contextmanager
def _manager_facts(choices: Choices, control: Control) -> Iterator[QueueManagerFacts]:
    """The facts about the table's queue manager that the check needs; empty when there is no
    store.
    """
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
