"""`mqsc browse`: the messages on a queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mqsc.console.completion.names import queues_to_complete
from mqsc.console.json_output import print_json
from mqsc.console.message_selection import get_or_none, identifier_options, options_matching
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.target import opened_queue_manager
from mqsc.console.text.message_properties import lines as property_lines
from mqsc.console.text.message_properties import opened, selector_option, with_properties
from mqsc.console.text.messages import as_json, body_lines, descriptor_lines
from mqsc.counted import counted
from store import GetMessageOptions, Message
from store.constants import MQGMO, MQOO

if TYPE_CHECKING:
    from store.client.api import ObjectHandle
    from store.client.message_handle import MessageHandle


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
        if print_json(choices.format, (as_json(message, properties) for message in messages)):
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
