"""`mqsc get`: messages removed from a queue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from mqsc.console.completion.names import queues_to_complete
from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.message_selection import get_or_none, identifier_options, options_matching
from mqsc.console.options import Choices, choices_of, common_options
from mqsc.console.parameter_types import MILLISECOND, Duration
from mqsc.console.target import inform_about_manual_clock, opened_queue_manager
from mqsc.console.terminal import is_terminal
from mqsc.console.text.message_properties import opened, selector_option, with_properties
from mqsc.console.text.messages import as_json, body_lines
from store import GetMessageOptions, Message
from store.constants import MQGMO, MQOO

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle
    from store.client.message_handle import MessageHandle

# Messages are committed only after they have been written, so a closed pipe loses none.
COMMIT_EVERY = 100


@click.command()
@click.argument("queue", shell_complete=queues_to_complete)
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Get at most N messages (default: 1).")
@click.option("--all", "everything", is_flag=True, help="Get every message.")
@click.option(
    "--wait",
    type=Duration(MILLISECOND, lowest=-1),
    metavar="TIME",
    help="Wait up to this long for each message, such as 30s; a bare number means milliseconds, -1 forever.",
)
@identifier_options
@selector_option
@click.option("--no-newline", "-n", is_flag=True, help="Write no newline after each body.")
@common_options
@click.pass_context
def get(
    context: click.Context,
    queue: str,
    count: int | None,
    everything: bool,
    wait: int | None,
    msg_id: bytes | None,
    correl_id: bytes | None,
    selector: str,
    no_newline: bool,
) -> None:
    """Get messages from QUEUE and print their bodies, each followed by a newline.

    --format json or jsonl prints whole messages. An empty queue is not an error: the exit code is 0.
    """
    if everything and count is not None:
        raise click.UsageError("--all and --count cannot be used together")
    choices = choices_of(context)
    limit = None if everything else count or 1
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        if wait:
            inform_about_manual_clock(choices, qmgr)
        handle = opened(connection, queue, MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING, selector)
        options = options_matching(msg_id, correl_id, MQGMO.SYNCPOINT | MQGMO.FAIL_IF_QUIESCING)
        properties = with_properties(connection, options)
        messages = _messages(connection, handle, options, limit, wait)
        count = _write(messages, properties, choices, newline=not no_newline)
    if count == 0:
        choices.inform(f"mqsc: no {'matching ' if msg_id or correl_id or selector else ''}message on {queue}")


def _messages(
    connection: Connection, handle: ObjectHandle, options: GetMessageOptions, limit: int | None, wait: int | None
) -> Iterator[Message]:
    """Get messages; those already consumed are committed every COMMIT_EVERY messages, and before a wait."""
    count = 0
    while limit is None or count < limit:
        message = get_or_none(handle, options)
        if message is None and wait:
            connection.commit()
            options.options |= MQGMO.WAIT
            options.wait_interval = wait
            message = get_or_none(handle, options)
            options.options &= ~MQGMO.WAIT
        if message is None:
            break
        yield message
        count += 1
        if count % COMMIT_EVERY == 0 or wait:
            sys.stdout.flush()
            connection.commit()
    sys.stdout.flush()
    connection.commit()


def _write(messages: Iterator[Message], properties: MessageHandle, choices: Choices, *, newline: bool) -> int:
    """Write the messages and return how many there were; `properties` holds those of the message at hand."""
    written = 0
    with ExitStack() as stack:
        rows = None
        if choices.format in JSON_FORMATS:
            rows = stack.enter_context(JsonRows(sys.stdout, array=choices.format == "json"))
        for message in messages:
            written += 1
            if rows is not None:
                rows.write(as_json(message, properties))
            elif is_terminal(sys.stdout):
                click.echo("\n".join(body_lines(message.body)))
            else:
                sys.stdout.buffer.write(message.body + (b"\n" if newline else b""))
    return written
