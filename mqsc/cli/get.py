"""`mqsc get`: take messages from a queue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.message_text import as_json, body_lines
from mqsc.console.options import Choices, choices_of, common_options, is_terminal
from mqsc.console.parameter_types import HexBytes
from mqsc.console.target import opened_queue_manager
from store import GetMessageOptions, Message, MQError
from store.constants import MQGMO, MQMO, MQOO, MQRC

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle, QueueManager

# Messages are got in a unit of work that is committed when they have been written: a closed pipe loses none.
UNIT = 100


@click.command()
@click.argument("queue")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Get at most N messages; one unless said.")
@click.option("--all", "everything", is_flag=True, help="Get every message.")
@click.option("--wait", type=click.IntRange(min=-1), metavar="MS", help="Wait for each message; -1 without end.")
@click.option("--msg-id", type=HexBytes(), metavar="HEX", help="Only messages with this identifier.")
@click.option("--correl-id", type=HexBytes(), metavar="HEX", help="Only messages with this correlation identifier.")
@click.option("--no-newline", "-n", is_flag=True, help="Write the bodies and nothing else, no newline after each.")
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
    no_newline: bool,
) -> None:
    """Get messages from QUEUE: their bodies, a newline after each, or whole messages with --format json or jsonl.

    An empty queue is no failure.
    """
    if everything and count is not None:
        raise click.UsageError("--all and --count exclude each other")
    choices = choices_of(context)
    limit = None if everything else count or 1
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        if wait:
            tell_about_waiting(choices, qmgr)
        handle = connection.open(queue, MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING)
        options = matching(msg_id, correl_id, MQGMO.SYNCPOINT | MQGMO.FAIL_IF_QUIESCING)
        taken = _write(_taken(connection, handle, options, limit, wait), choices, newline=not no_newline)
    if taken == 0:
        choices.talk(f"mqsc: no message on {queue}" + (" that matches" if msg_id or correl_id else ""))


def matching(msg_id: bytes | None, correl_id: bytes | None, options: int) -> GetMessageOptions:
    """Options that match the identifiers given, and any message where none is."""
    match = (MQMO.MATCH_MSG_ID if msg_id else 0) | (MQMO.MATCH_CORREL_ID if correl_id else 0)
    return GetMessageOptions(options, match_options=match, msg_id=msg_id or b"", correl_id=correl_id or b"")


def tell_about_waiting(choices: Choices, qmgr: QueueManager) -> None:
    """A wait ends on the queue manager's clock; say so when that stands still."""
    if qmgr.row().clock_at is not None:
        choices.talk(f"mqsc: {qmgr.name} has a manual clock: the wait ends when `mqsc clock` moves it")


def _taken(
    connection: Connection, handle: ObjectHandle, options: GetMessageOptions, limit: int | None, wait: int | None
) -> Iterator[Message]:
    """Each message got; what the consumer has dealt with is committed every UNIT messages, and before a wait."""
    taken = 0
    while limit is None or taken < limit:
        message = _next(handle, options)
        if message is None and wait:
            connection.commit()
            options.options |= MQGMO.WAIT
            options.wait_interval = wait
            message = _next(handle, options)
            options.options &= ~MQGMO.WAIT
        if message is None:
            break
        yield message
        taken += 1
        if taken % UNIT == 0 or wait:
            sys.stdout.flush()
            connection.commit()
    sys.stdout.flush()
    connection.commit()


def _next(handle: ObjectHandle, options: GetMessageOptions) -> Message | None:
    try:
        return handle.get(options)
    except MQError as error:
        if error.reason != MQRC.NO_MSG_AVAILABLE:
            raise
        return None


def _write(messages: Iterator[Message], choices: Choices, *, newline: bool) -> int:
    """Write the messages; how many there were."""
    written = 0
    with ExitStack() as stack:
        rows = None
        if choices.format in JSON_FORMATS:
            rows = stack.enter_context(Rows(sys.stdout, array=choices.format == "json"))
        for message in messages:
            written += 1
            if rows is not None:
                rows.write(as_json(message))
            elif is_terminal(sys.stdout):
                click.echo("\n".join(body_lines(message.body)))
            else:
                sys.stdout.buffer.write(message.body + (b"\n" if newline else b""))
    return written
