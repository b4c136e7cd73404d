"""`mqsc browse`: look at the messages of a queue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mqsc.cli.get import matching
from mqsc.console.json_output import JSON_FORMATS, Rows
from mqsc.console.message_text import as_json, body_lines, descriptor_lines
from mqsc.console.options import choices_of, common_options
from mqsc.console.parameter_types import HexBytes
from mqsc.console.target import opened_queue_manager
from store import GetMessageOptions, Message, MQError
from store.constants import MQGMO, MQOO, MQRC

if TYPE_CHECKING:
    from store.client.api import ObjectHandle


@click.command()
@click.argument("queue")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Look at the first N messages only.")
@click.option("--msg-id", type=HexBytes(), metavar="HEX", help="Only messages with this identifier.")
@click.option("--correl-id", type=HexBytes(), metavar="HEX", help="Only messages with this correlation identifier.")
@common_options
@click.pass_context
def browse(
    context: click.Context, queue: str, count: int | None, msg_id: bytes | None, correl_id: bytes | None
) -> None:
    """Look at the messages of QUEUE: descriptor and body of each, or JSON that `mqsc put --json` takes."""
    choices = choices_of(context)
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING)
        messages = _browsed(handle, matching(msg_id, correl_id, MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING), count)
        if choices.format in JSON_FORMATS:
            with Rows(sys.stdout, array=choices.format == "json") as rows:
                for message in messages:
                    rows.write(as_json(message))
            return
        seen = 0
        for seen, message in enumerate(messages, 1):
            click.echo("\n".join(_lines(seen, queue, message)))
    if seen == 0:
        choices.talk(f"mqsc: no message on {queue}" + (" that matches" if msg_id or correl_id else ""))


def _browsed(handle: ObjectHandle, options: GetMessageOptions, count: int | None) -> Iterator[Message]:
    seen = 0
    while count is None or seen < count:
        try:
            yield handle.get(options)
        except MQError as error:
            if error.reason != MQRC.NO_MSG_AVAILABLE:
                raise
            return
        seen += 1


def _lines(number: int, queue: str, message: Message) -> Iterator[str]:
    length = len(message.body)
    yield f"message {number} on {queue}"
    yield from descriptor_lines(message.descriptor)
    yield f"   body, {length} {'byte' if length == 1 else 'bytes'}:"
    yield from body_lines(message.body)
    yield ""
