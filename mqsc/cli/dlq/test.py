"""`mqsc dlq test`: a rules table tried on the messages of a queue or a file."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from mqsc.cli.dlq.dead_letter_queue import dead_letter_queue
from mqsc.cli.dlq.table_file import parsed_table
from mqsc.console.inputs import InputError, lines_as_they_come, opened_file
from mqsc.console.json_rows import print_data
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import AnyPath
from mqsc.console.target import NothingRunError, opened_store, unknown_queue_manager
from mqsc.console.terminal import columns, print_line
from mqsc.console.text.messages import MessageFormatError, from_json_line
from mqsc.dlq.dead_letter import DeadLetter, dead_letters_from_messages, dead_letters_on_queue
from mqsc.dlq.rules_table import RulesTable
from mqsc.dlq.trial import TrialCounts, TrialResult, try_table
from mqsc.dlq.trial_text import count_lines, count_rows, trial_lines, trial_row
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError
from mqsc.store.headers import mqdlh
from mqsc.store.message import Message
from mqsc.targets.on_target import most_option, on_target


@command(past=True, reads=True)
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
    succeed now, which rule follows if it keeps failing, the messages that no rule matches, and the
    messages by reason and destination. Exit code 20 when the table has errors.
    """
    if messages is not None and queue is not None:
        raise click.UsageError(
            "--messages and --queue cannot be used together: each replaces INPUTQ",
        )
    if messages == "-" and rules == "-":
        raise click.UsageError("standard input can be the rules or the messages, not both")
    reading = parsed_table(rules)
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
                dead_letters_on_queue(peek(qmgr, name, mqdlh.MQDLH_LENGTH)),
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
    for line in count_lines(table, tally, columns()):
        print_line(line)
