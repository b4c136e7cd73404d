"""`mqsc dlq run`, `check` and `test`: the commands that take a rules table."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from mqsc.cli.check import format_with, print_diagnostics
from mqsc.cli.dlq.redrive import dead_letter_queue
from mqsc.cli.foreground import run_handler_with
from mqsc.console.inputs import (
    InputError,
    InputSource,
    lines_as_they_come,
    opened_file,
    opened_lines,
)
from mqsc.console.object_names import ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command, format_option
from mqsc.console.parameters import AnyPath
from mqsc.console.target import FAILED, NothingRunError, opened_store, unknown_queue_manager
from mqsc.console.terminal import print_data, print_line
from mqsc.console.text.messages import MessageFormatError, from_json_line
from mqsc.diagnostic import REPORTS, Diagnostic
from mqsc.dlq.dead_letter import DeadLetter, dead_letters_from_messages, dead_letters_on_queue
from mqsc.dlq.entry import DESCRIPTIONS, ParsedTable, lint_table, parse_table
from mqsc.dlq.handler_run import HandlerArguments
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.rules_table import Control, RulesTable
from mqsc.dlq.trial import (
    TrialCounts,
    TrialResult,
    count_lines,
    count_rows,
    trial_lines,
    trial_row,
    try_table,
)
from mqsc.store.admin.put_preview import PutPreview, leads_to, peek
from mqsc.store.client.api import QueueManager
from mqsc.store.error import MQError
from mqsc.store.headers import mqxqh
from mqsc.store.message import Message
from mqsc.targets.on_target import most_option, on_target

# `mqsc dlq run`: the dead-letter queue handler.


@command()
@click.argument("rules", type=AnyPath(), metavar="RULES|-")
@click.option(
    "--queue",
    type=ObjectName(),
    metavar="NAME",
    help="The queue to process instead of INPUTQ; ' ' means the DEADQ.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Apply changes to the file RULES at once, not at the next start.",
)
def run(choices: Choices, rules: str, queue: str | None, watch: bool) -> int:
    """Run the dead-letter queue handler with the rules table in the file RULES (- is standard
    input).

    INPUTQ, INPUTQM, RETRYINT and WAIT in the table say which queue to process, how often to retry
    and how long to wait. The handler ends when no work is left; SIGTERM or SIGINT ends it between
    two messages. Exit code 0 in both cases, 10 when an error ended it or the queue manager does not
    exist, 20 when it could not start.
    """
    if watch and rules == "-":
        raise click.UsageError("--watch needs a file: standard input is read once")
    return run_handler_with(
        choices,
        rules,
        HandlerArguments(queue, choices.qmgr_name()),
        watch=watch,
    )


# `mqsc dlq check`: the errors in a rules table, or else advice on it.


@command(common=WITHOUT_FORMAT)
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
    for reading in map(_parsed, rules):
        diagnostics += (
            reading.diagnostics if reading.table is None else _advice(choices, reading.table)
        )
    print_diagnostics(diagnostics, format, DESCRIPTIONS, "error")
    if not diagnostics and format in (None, "text"):
        choices.inform("mqsc: no errors and no advice")
    return FAILED if any(each.severity == "error" for each in diagnostics) else 0


def _parsed(rules: str) -> ParsedTable:
    source = InputSource(path=rules)
    with opened_lines(source) as lines:
        return parse_table(lines, source.name)


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


# `mqsc dlq test`: a rules table tried on the messages of a queue or a file.


@command(past=True)
@click.argument("rules", type=AnyPath(), metavar="RULES|-")
@click.option(
    "--queue",
    type=ObjectName(),
    metavar="NAME",
    help="The queue to read instead of INPUTQ; ' ' means the DEADQ.",
)
@click.option(
    "--messages",
    type=AnyPath(),
    metavar="FILE|-",
    help="Read messages from a file: the JSON written by `mqsc browse` or `dlq show`.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Also print each message, and why each rule does or does not match it.",
)
@on_target
@most_option
def test(
    choices: Choices,
    rules: str,
    queue: str | None,
    messages: str | None,
    explain: bool,
) -> None:
    """Try the rules table in the file RULES (- is standard input) on the messages of its queue,
    without moving any.

    Counts the messages that each rule matches, where they would go and whether that put would
    succeed now, the messages that no rule matches, and the messages by reason and destination. Exit
    code 20 when the table has errors.
    """
    if messages is not None and queue is not None:
        raise click.UsageError(
            "--messages and --queue cannot be used together: each replaces INPUTQ",
        )
    if messages == "-" and rules == "-":
        raise click.UsageError("standard input can be the rules or the messages, not both")
    reading = _parsed(rules)
    if reading.table is None:
        raise NothingRunError(
            "\n".join(("the rules table has errors:", *map(str, reading.diagnostics))),
        )
    with _dead_letters(choices, reading.table, queue, messages) as (dead_letters, preview):
        _print_trial(
            choices,
            reading.table,
            try_table(reading.table, dead_letters, preview),
            explain=explain,
        )


@contextmanager
def _dead_letters(
    choices: Choices,
    table: RulesTable,
    queue: str | None,
    messages: str | None,
) -> Iterator[tuple[Iterator[DeadLetter], PutPreview | None]]:
    """The messages to try, and a preview of puts; None without a store, which a file of messages
    does not need.
    """
    with ExitStack() as held:
        qmgr = None
        if messages is None or not choices.store_is_missing():
            qmgr = _queue_manager(choices, table, held)
            choices.bring_states(qmgr)
        if messages is not None:
            path = None if qmgr is None else qmgr.store.path
            yield (
                dead_letters_from_messages(_messages(messages, path)),
                None if qmgr is None else PutPreview(qmgr),
            )
        elif qmgr is not None:
            name = dead_letter_queue(qmgr, table.control.input_queue if queue is None else queue)
            choices.bring_messages(qmgr, name)
            yield (
                dead_letters_on_queue(peek(qmgr, name, mqxqh.MQDLH_LENGTH)),
                PutPreview(qmgr, name),
            )


def _queue_manager(choices: Choices, table: RulesTable, held: ExitStack) -> QueueManager:
    store = held.enter_context(opened_store(choices))
    name = choices.qmgr_name() or table.control.input_queue_manager
    try:
        return store.queue_manager(name)
    except MQError as error:
        raise unknown_queue_manager(name) from error


def _messages(path: str, store_path: str | None) -> Iterator[Message]:
    """The messages in a file, one per line; an error names the line."""
    number = 0
    name = "standard input" if path == "-" else path
    with opened_file(path, store_path) as stream:
        for lines in lines_as_they_come(stream):
            for line in lines:
                number += 1
                try:
                    message = from_json_line(line)
                except MessageFormatError as fault:
                    raise InputError(f"{name}, line {number}: {fault}") from fault
                if message is not None:
                    yield message


def _print_trial(
    choices: Choices,
    table: RulesTable,
    trial_results: Iterator[TrialResult],
    *,
    explain: bool,
) -> None:
    tally = TrialCounts()

    def rows() -> Iterator[dict[str, Any]]:
        for fate in trial_results:
            tally.count(fate)
            if explain:
                yield trial_row(table, fate)
        yield from count_rows(table, tally)

    if print_data(choices.format, rows()):
        return
    for fate in trial_results:
        tally.count(fate)
        if explain:
            for line in trial_lines(table, fate):
                print_line(line)
    if explain and tally.messages:
        click.echo()
    for line in count_lines(table, tally):
        print_line(line)
