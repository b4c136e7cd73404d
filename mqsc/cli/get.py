"""`mqsc get`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import click
from msgspec import Struct

from mqsc.console import getting
from mqsc.console.json_rows import json_rows, print_rows
from mqsc.console.msg_ids import msg_id_on
from mqsc.console.object_names import ObjectName
from mqsc.console.options import AS_USER, Choices, command, earlier_word
from mqsc.console.parameters import WAIT_OR_FOR_EVER
from mqsc.console.shared_options import identifier_options, selector_option
from mqsc.console.target import inform_about_manual_clock, opened_queue_manager
from mqsc.console.terminal import is_terminal, printable
from mqsc.console.text import messages as message_text
from mqsc.store import GetMessageOptions, Message
from mqsc.store.constants import MQGMO, MQOO

if TYPE_CHECKING:
    from mqsc.store.client.message_handle import MessageHandle
    from mqsc.store.client.object_handle import ObjectHandle
    from mqsc.store.client.queue_manager import QueueManager


# Messages are committed only after they have been written, so a closed pipe loses none.
COMMIT_EVERY = 100


@command(common=AS_USER)
@click.argument("queue", type=ObjectName())
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Get at most N messages (default: 1).",
)
@earlier_word("--count", now="--limit")
@click.option("--all", "everything", is_flag=True, help="Get every message.")
@click.option(
    "--wait",
    type=WAIT_OR_FOR_EVER,
    help=(
        "Wait up to this long for each message, such as 30s; a bare number means milliseconds, -1 "
        "forever."
    ),
)
@click.option("--no-newline", "-n", is_flag=True, help="Write no newline after each body.")
@click.option(
    "--explain",
    is_flag=True,
    help="Get nothing; say which message would be found, or why none.",
)
@identifier_options
@selector_option
def get(
    choices: Choices,
    queue: str,
    limit: int | None,
    everything: bool,
    wait: int | None,
    no_newline: bool,
    explain: bool,
    msg_id: str | None,
    correl_id: bytes | None,
    group_id: bytes | None,
    selector: str,
) -> None:
    """Get messages from QUEUE and print their bodies, each followed by a newline.

    --format json or jsonl prints whole messages. An empty queue is not an error: the exit code is
    0.
    """
    wanted = GetRequest.of(
        queue,
        limit=limit,
        everything=everything,
        wait=wait,
        msg_id=msg_id,
        correl_id=correl_id,
        group_id=group_id,
        selector=selector,
        no_newline=no_newline,
    )
    if explain:
        explain_get(choices, wanted)
        return
    with opened_queue_manager(choices, for_users=True) as qmgr, qmgr.connect() as connection:
        if wanted.wait:
            inform_about_manual_clock(choices, qmgr)
        handle = getting.opened(
            connection,
            queue,
            MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING,
            wanted.selector,
        )
        has_messages = get_all(
            handle, wanted, choices.format, GetUnit(MQGMO.SYNCPOINT, connection.commit)
        )
    getting.inform_about_discarded(choices, connection)
    if not has_messages:
        choices.inform(f"mqsc: {wanted.nothing}")


def explain_get(choices: Choices, request: GetRequest) -> None:
    """Print which message a get would find, or why it would find none; nothing changes."""
    from mqsc.console.text.get_outlook import Wanted, outlook, outlook_lines, outlook_row
    from mqsc.store.rules.selector.conditions import SelectorFault
    from mqsc.store.rules.selector.reading import parse

    try:
        selector = parse(request.selector) if request.selector else None
    except SelectorFault as fault:
        raise click.UsageError(
            printable(f"--selector: {fault.fault}, at character {fault.position}"),
        ) from fault
    with opened_queue_manager(choices) as qmgr:
        found = outlook(qmgr, request.queue, Wanted(**request.matching(qmgr), selector=selector))
    print_rows(choices.format, [outlook_row(found)], outlook_lines(found))


class GetRequest(Struct, frozen=True):
    """What to get: at most `limit` messages, all if it is None, with a wait in milliseconds for
    each.

    `msg_id` are the first digits of a MsgId, `identifiers` the others.
    """

    queue: str
    limit: int | None
    wait: int | None
    msg_id: str | None
    identifiers: Mapping[str, bytes | None]
    selector: str
    newline: bool

    @staticmethod
    def of(
        queue: str,
        *,
        limit: int | None,
        everything: bool,
        wait: int | None,
        msg_id: str | None,
        correl_id: bytes | None,
        group_id: bytes | None,
        selector: str,
        no_newline: bool,
    ) -> GetRequest:
        """The request that the options of `get` make; UsageError if they do not fit."""
        if everything and limit is not None:
            raise click.UsageError("--all and --limit cannot be used together")
        return GetRequest(
            queue,
            limit=None if everything else limit or 1,
            wait=wait,
            msg_id=msg_id,
            identifiers={"correl_id": correl_id, "group_id": group_id},
            selector=selector,
            newline=not no_newline,
        )

    def matching(self, qmgr: QueueManager) -> dict[str, bytes | None]:
        """All identifiers; MQError if the name does not lead to a local queue, NothingRunError
        for too few digits.
        """
        return {"msg_id": msg_id_on(qmgr, self.queue, self.msg_id), **self.identifiers}

    @property
    def nothing(self) -> str:
        """The sentence when there was no message."""
        matching = (
            "matching " if self.msg_id or any(self.identifiers.values()) or self.selector else ""
        )
        return f"no {matching}message on {self.queue}"


class GetUnit(NamedTuple):
    """The unit of work of the messages: its options, how messages that were written are committed,
    and what is called after each message has been written.
    """

    options: int
    commit: Callable[[], None]
    written: Callable[[Message], None] = lambda message: None


def get_all(
    handle: ObjectHandle,
    wanted: GetRequest,
    format: str | None,
    unit: GetUnit,
    beginning: Callable[[MessageHandle], str] | None = None,
) -> int:
    """Get the messages, write them on stdout, and return how many there were. `beginning` makes the
    text before a body from the properties.
    """
    identifiers = wanted.matching(handle.connection.qmgr)
    options = getting.options_matching(identifiers, unit.options | MQGMO.FAIL_IF_QUIESCING)
    properties = getting.with_properties(handle.connection, options)
    return _write(
        _messages(handle, options, wanted, unit),
        properties,
        format,
        unit,
        newline=wanted.newline,
        beginning=beginning or (lambda _: ""),
    )


def _messages(
    handle: ObjectHandle,
    options: GetMessageOptions,
    wanted: GetRequest,
    unit: GetUnit,
) -> Iterator[Message]:
    """Get messages; those already consumed are committed every COMMIT_EVERY messages, and before
    a wait.
    """
    count = 0
    while wanted.limit is None or count < wanted.limit:
        message = getting.get_or_none(handle, options)
        if message is None and wanted.wait:
            unit.commit()
            options.options |= MQGMO.WAIT
            options.wait_interval = wanted.wait
            message = getting.get_or_none(handle, options)
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
    messages: Iterator[Message],
    properties: MessageHandle,
    format: str | None,
    unit: GetUnit,
    *,
    newline: bool,
    beginning: Callable[[MessageHandle], str],
) -> int:
    """Write the messages and return how many there were; `properties` holds those of the message
    at hand.
    """
    written = 0
    with json_rows(format) as rows:
        for message in messages:
            written += 1
            if rows is not None:
                rows.write(message_text.message_as_json(message, properties))
            elif is_terminal(sys.stdout):
                lines = message_text.body_lines(message.body)
                click.echo(beginning(properties) + "\n".join(lines))
            else:
                begun = beginning(properties).encode(errors="backslashreplace")
                _write_bytes(begun + message.body + (b"\n" if newline else b""))
            unit.written(message)
    return written


def _write_bytes(data: bytes) -> None:
    """Write bytes on stdout, as they are where it takes bytes."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))
    else:
        buffer.write(data)
