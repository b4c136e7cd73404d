"""`mqsc get` and `mqsc browse`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec import Struct

from mqsc.console.object_names import ObjectName, queues_to_complete
from mqsc.console.options import Choices, command
from mqsc.console.parameters import MILLISECOND, Duration
from mqsc.console.target import inform_about_manual_clock, opened_queue_manager
from mqsc.console.terminal import is_terminal, json_rows, print_json
from mqsc.console.text.messages import (
    body_lines,
    descriptor_lines,
    get_or_none,
    identifier_options,
    message_as_json,
    opened,
    options_matching,
    property_lines,
    selector_option,
    with_properties,
)
from mqsc.console.text.reasons import counted
from store import GetMessageOptions, Message
from store.constants import MQGMO, MQOO

if TYPE_CHECKING:
    from store.client.api import ObjectHandle
    from store.client.message_handle import MessageHandle


# Messages are committed only after they have been written, so a closed pipe loses none.
COMMIT_EVERY = 100


@command()
@click.argument("queue", type=ObjectName(), shell_complete=queues_to_complete)
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Get at most N messages (default: 1).")
@click.option("--all", "everything", is_flag=True, help="Get every message.")
@click.option(
    "--wait",
    type=Duration(MILLISECOND, lowest=-1),
    help="Wait up to this long for each message, such as 30s; a bare number means milliseconds, -1 forever.",
)
@identifier_options
@selector_option
@click.option("--no-newline", "-n", is_flag=True, help="Write no newline after each body.")
def get(choices: Choices, queue: str, **given: Any) -> None:
    """Get messages from QUEUE and print their bodies, each followed by a newline.

    --format json or jsonl prints whole messages. An empty queue is not an error: the exit code is 0.
    """
    wanted = GetRequest.of(queue, given)
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        if wanted.wait:
            inform_about_manual_clock(choices, qmgr)
        handle = opened(connection, queue, MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING, wanted.selector)
        got = get_all(handle, wanted, choices.format, GetUnit(MQGMO.SYNCPOINT, connection.commit))
    if not got:
        choices.inform(f"mqsc: {wanted.nothing}")


class GetRequest(Struct, frozen=True):
    """What to get: at most `limit` messages, all if it is None, with a wait in milliseconds for each."""

    queue: str
    limit: int | None
    wait: int | None
    msg_id: bytes | None
    correl_id: bytes | None
    selector: str
    newline: bool

    @staticmethod
    def of(queue: str, given: Mapping[str, Any]) -> GetRequest:
        """The request that the options of `get` make; UsageError if they do not fit."""
        if given["everything"] and given["count"] is not None:
            raise click.UsageError("--all and --count cannot be used together")
        limit = None if given["everything"] else given["count"] or 1
        selection = given["msg_id"], given["correl_id"], given["selector"]
        return GetRequest(queue, limit, given["wait"], *selection, not given["no_newline"])

    @property
    def nothing(self) -> str:
        """The sentence when there was no message."""
        matching = "matching " if self.msg_id or self.correl_id or self.selector else ""
        return f"no {matching}message on {self.queue}"


class GetUnit(NamedTuple):
    """The unit of work of the messages: its options, how messages that were written are committed, and what is called
    after each message has been written.
    """

    options: int
    commit: Callable[[], None]
    written: Callable[[Message], None] = lambda message: None


def get_all(handle: ObjectHandle, wanted: GetRequest, format: str | None, unit: GetUnit) -> int:
    """Get the messages, write them on stdout, and return how many there were."""
    options = options_matching(wanted.msg_id, wanted.correl_id, unit.options | MQGMO.FAIL_IF_QUIESCING)
    properties = with_properties(handle.connection, options)
    return _write(_messages(handle, options, wanted, unit), properties, format, unit, newline=wanted.newline)


def _messages(handle: ObjectHandle, options: GetMessageOptions, wanted: GetRequest, unit: GetUnit) -> Iterator[Message]:
    """Get messages; those already consumed are committed every COMMIT_EVERY messages, and before a wait."""
    count = 0
    while wanted.limit is None or count < wanted.limit:
        message = get_or_none(handle, options)
        if message is None and wanted.wait:
            unit.commit()
            options.options |= MQGMO.WAIT
            options.wait_interval = wanted.wait
            message = get_or_none(handle, options)
            options.options &= ~MQGMO.WAIT
        if message is None:
            break
        yield message
        count += 1
        if count % COMMIT_EVERY == 0 or wanted.wait:
            sys.stdout.flush()
            unit.commit()
    sys.stdout.flush()
    unit.commit()


def _write(
    messages: Iterator[Message], properties: MessageHandle, format: str | None, unit: GetUnit, *, newline: bool
) -> int:
    """Write the messages and return how many there were; `properties` holds those of the message at hand."""
    written = 0
    with json_rows(format) as rows:
        for message in messages:
            written += 1
            if rows is not None:
                rows.write(message_as_json(message, properties))
            elif is_terminal(sys.stdout):
                click.echo("\n".join(body_lines(message.body)))
            else:
                _write_bytes(message.body + (b"\n" if newline else b""))
            unit.written(message)
    return written


def _write_bytes(data: bytes) -> None:
    """Write bytes on stdout, as they are where it takes bytes."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))
    else:
        buffer.write(data)


# `mqsc browse`: the messages on a queue.


@command()
@click.argument("queue", type=ObjectName(), shell_complete=queues_to_complete)
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Browse only the first N messages.")
@identifier_options
@selector_option
def browse(
    choices: Choices, queue: str, count: int | None, msg_id: bytes | None, correl_id: bytes | None, selector: str
) -> None:
    """Show the messages on QUEUE without removing them: descriptor, properties and body.

    --format json or jsonl prints JSON for `mqsc put --json`.
    """
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        handle = opened(connection, queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, selector)
        options = options_matching(msg_id, correl_id, MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING)
        properties = with_properties(connection, options)
        messages = _browsed(handle, options, count)
        if print_json(choices.format, (message_as_json(message, properties) for message in messages)):
            return
        number = 0
        for number, message in enumerate(messages, 1):
            click.echo("\n".join(_lines(number, queue, message, properties)))
    if number == 0:
        choices.inform(f"mqsc: no {'matching ' if msg_id or correl_id or selector else ''}message on {queue}")


def _browsed(handle: ObjectHandle, options: GetMessageOptions, count: int | None) -> Iterator[Message]:
    number = 0
    while (count is None or number < count) and (message := get_or_none(handle, options)):
        yield message
        number += 1


def _lines(number: int, queue: str, message: Message, properties: MessageHandle) -> Iterator[str]:
    length = len(message.body)
    yield f"message {number} on {queue}"
    yield from descriptor_lines(message.descriptor)
    yield from property_lines(properties)
    yield f"   body, {counted(length, 'byte')}:"
    yield from body_lines(message.body)
    yield ""
