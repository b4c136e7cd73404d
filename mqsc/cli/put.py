"""`mqsc put`: messages from the command line, from standard input and from files."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click
from msgspec import Struct

from mqsc.console.inputs import InputError, lines_as_they_come, opened_file, standard_input_is_empty
from mqsc.console.json_rows import json_rows
from mqsc.console.object_names import DESTINATION, ObjectName
from mqsc.console.options import AS_USER, Choices, command
from mqsc.console.parameters import (
    EXPIRY,
    AnyPath,
    HexBytes,
    MessageType,
    ReportOptions,
    TopicString,
)
from mqsc.console.target import CommandFailedError, NothingRunError, opened_queue_manager
from mqsc.console.terminal import notice, printable
from mqsc.console.text import message_properties, messages as message_text
from mqsc.console.text.message_properties import PropertyText
from mqsc.console.text.reasons import counted, error_text, reason_text
from mqsc.store import Message, MessageDescriptor, MQError, PutMessageOptions
from mqsc.store.constants import MQFMT, MQOO, MQOT, MQPER, MQPMO
from mqsc.store.headers.mqmd import value_fault

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.message_handle import MessageHandle
    from mqsc.store.client.object_handle import ObjectHandle

# The most messages in one transaction.
CHUNK = 1000
STRING = MQFMT.STRING.strip()


class Piece(Struct, frozen=True):
    """One piece of input: a message body, or the JSON that describes a message. `origin` is for
    error messages.
    """

    body: bytes
    origin: str
    is_text: bool = True


class QueueUnlessTopic(ObjectName):
    """The name of a queue; the first text where --topic is given, which is read before."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if ctx is not None and isinstance(ctx.params.get("topic"), str):
            return str(value)
        return super().convert(value, param, ctx)


@command(common=AS_USER)
@click.argument("queue", type=QueueUnlessTopic(), required=False)
@click.argument("texts", nargs=-1, metavar="[TEXT|-]...")
@click.option(
    "--topic",
    type=TopicString(),
    metavar="STRING",
    is_eager=True,
    help="Publish to this topic string; every argument is a TEXT then.",
)
@click.option(
    "--retain",
    is_flag=True,
    help="Keep the publication for subscriptions to come (--topic).",
)
@click.option(
    "--file",
    "files",
    type=AnyPath(),
    multiple=True,
    metavar="PATH|-",
    help="Put the content of a file as one message; repeatable.",
)
@click.option("--json", "as_object", is_flag=True, help="Read messages as JSON, one per line.")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Put each message N times.",
)
@click.option("--priority", type=int, metavar="0-9", help="Priority (default: from the queue).")
@click.option(
    "--expiry",
    type=EXPIRY,
    help="Lifetime, such as 90s or 1h30m; a bare number means tenths of a second, -1 unlimited.",
)
@click.option(
    "--report",
    type=ReportOptions(),
    help="Reports to request: expiration, expiration-with-data ...",
)
@click.option(
    "--reply-to-q",
    type=ObjectName(is_filter=True, is_exact=True),
    metavar="QUEUE",
    help="The queue for replies and reports.",
)
@click.option(
    "--reply-to-q-mgr",
    type=ObjectName(DESTINATION, is_filter=True),
    metavar="NAME",
    help="The queue manager of the reply queue.",
)
@click.option("--msg-id", type=HexBytes(), help="Message identifier (default: a new one).")
@click.option("--correl-id", type=HexBytes(), help="Correlation identifier.")
@click.option(
    "--format-name",
    metavar="NAME",
    help="Format of the data (default: MQSTR for texts and lines).",
)
@click.option(
    "--msg-type",
    type=MessageType(),
    help="datagram, request, reply, report or a number.",
)
@click.option(
    "--persistent/--not-persistent",
    default=None,
    help="Persistence (default: from the queue).",
)
@click.option(
    "--property",
    "properties",
    type=PropertyText(),
    multiple=True,
    metavar="NAME[:TYPE]=VALUE",
    help="A message property, such as color=red or size:int32=5; repeatable.",
)
def put(
    choices: Choices,
    queue: str | None,
    texts: tuple[str, ...],
    topic: str | None,
    retain: bool,
    files: tuple[str, ...],
    as_object: bool,
    count: int,
    priority: int | None,
    expiry: int | None,
    report: int | None,
    reply_to_q: str | None,
    reply_to_q_mgr: str | None,
    msg_id: bytes | None,
    correl_id: bytes | None,
    format_name: str | None,
    msg_type: int | None,
    persistent: bool | None,
    properties: tuple[message_properties.GivenProperty, ...],
) -> None:
    """Put messages on QUEUE, or publish them to a topic: each TEXT is one message; - reads standard
    input, one message per line.

    Texts are put first, then files. Messages are put in transactions of up to 1000; each is put
    completely or not at all.
    """
    to = Target.of(queue, topic, retain=retain)
    if topic is not None and queue is not None:
        texts = (queue, *texts)
    fields = descriptor_fields(
        priority=priority,
        expiry=expiry,
        report=report,
        reply_to_q=reply_to_q,
        reply_to_q_mgr=reply_to_q_mgr,
        msg_id=msg_id,
        correl_id=correl_id,
        format_name=format_name,
        msg_type=msg_type,
        persistent=persistent,
    )
    wanted = PutRequest.of(texts, files, as_object, count, properties, fields)
    # Without anything to put, nothing is created.
    create = bool(files) or {*texts} != {"-"} or not standard_input_is_empty()
    with (
        opened_queue_manager(choices, create=create, for_users=True) as qmgr,
        qmgr.connect() as connection,
    ):
        handle = to.opened(connection)
        told = PutReport(lambda sentence: choices.inform(f"mqsc: {sentence}"))
        chunks = wanted.chunks(connection, qmgr.store.path)
        put_all(handle, chunks, choices.format, told, to.options)


class Target(Struct, frozen=True):
    """Where messages go: a queue, or a topic string; one of them is None. `options` of the put."""

    queue: str | None
    topic: str | None
    options: int

    @staticmethod
    def of(queue: str | None, topic: str | None, *, retain: bool) -> Target:
        """What the arguments name; UsageError if they do not fit."""
        if topic is None and queue is None:
            raise click.UsageError("name a QUEUE, or a topic with --topic STRING")
        if retain and topic is None:
            raise click.UsageError("--retain needs --topic: only publications are retained")
        return Target(None if topic is not None else queue, topic, MQPMO.RETAIN if retain else 0)

    def opened(self, connection: Connection) -> ObjectHandle:
        """The queue or the topic, open for output."""
        options = MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING
        if self.topic is None:
            return connection.open(self.queue or "", options, dynamic_name=None)
        return connection.open("", options, object_type=MQOT.TOPIC, object_string=self.topic)


class PutReport(NamedTuple):
    """A callback that gets the closing sentence, and each number of messages put, which it
    returns.
    """

    inform: Callable[[str], None]
    placed: Callable[[int], int] = int


class PutRequest(Struct, frozen=True):
    """What to put: texts, then files, each message `copies` times, with the given fields and
    properties.
    """

    texts: tuple[str, ...]
    files: tuple[str, ...]
    as_object: bool
    copies: int
    properties: tuple[message_properties.GivenProperty, ...]
    fields: Mapping[str, Any]

    @staticmethod
    def of(
        texts: tuple[str, ...],
        files: tuple[str, ...],
        as_object: bool,
        copies: int,
        properties: tuple[message_properties.GivenProperty, ...],
        fields: Mapping[str, Any],
    ) -> PutRequest:
        """The request that the options of `put` make; UsageError if they do not fit."""
        if not texts and not files:
            raise click.UsageError(
                "nothing to put: give a TEXT, - for the lines of standard input, or --file PATH",
            )
        for name, value in fields.items():
            if fault := value_fault(name, value):
                raise click.UsageError(fault)
        return PutRequest(texts, files, as_object, copies, properties, fields)

    def chunks(self, connection: Connection, store_path: str | None) -> Iterator[list[Outgoing]]:
        """The messages in lists of at most CHUNK, each list with the same properties."""
        handles = _Handles(connection, self.properties)
        pieces = _pieces(self.texts, self.files, self.as_object, store_path)
        return _chunks(_messages(pieces, self.as_object, self.fields, handles), self.copies)


def descriptor_fields(
    *,
    priority: int | None,
    expiry: int | None,
    report: int | None,
    reply_to_q: str | None,
    reply_to_q_mgr: str | None,
    msg_id: bytes | None,
    correl_id: bytes | None,
    format_name: str | None,
    msg_type: int | None,
    persistent: bool | None,
) -> dict[str, Any]:
    """The fields of the descriptor by name that options give a value."""
    persistence = MQPER.PERSISTENT if persistent else MQPER.NOT_PERSISTENT
    fields = {
        "priority": priority,
        "expiry": expiry,
        "report": report,
        "reply_to_q": reply_to_q,
        "reply_to_q_mgr": reply_to_q_mgr,
        "msg_id": msg_id,
        "correl_id": correl_id,
        "msg_type": msg_type,
        "format": format_name,
        "persistence": None if persistent is None else persistence,
    }
    return {name: value for name, value in fields.items() if value is not None}


class Outgoing(NamedTuple):
    """A message to put, and the handle with its properties, None if it has none."""

    message: Message
    properties: MessageHandle | None


class _Handles:
    """Message handles by what they hold: those of --property, and of the message itself, which
    count more.
    """

    def __init__(
        self,
        connection: Connection,
        for_all: tuple[message_properties.GivenProperty, ...],
    ) -> None:
        self._connection = connection
        self._for_all = for_all
        self._last: tuple[tuple[message_properties.GivenProperty, ...], MessageHandle | None] = (
            (),
            None,
        )
        if for_all:
            try:
                self.holding(())
            except ValueError as fault:
                raise click.UsageError(printable(f"--{fault}")) from fault

    def holding(self, own: tuple[message_properties.GivenProperty, ...]) -> MessageHandle | None:
        """The handle for a message; ValueError for a property that cannot be set."""
        properties = (*self._for_all, *own)
        if properties != self._last[0]:
            if self._last[1] is not None:
                # Not closed: the message before this one may still have to be put.
                self._connection.message_handles.discard(self._last[1])
            self._last = (
                properties,
                message_properties.handle_with(self._connection, properties)
                if properties
                else None,
            )
        return self._last[1]


def _messages(
    pieces: Iterable[Piece | None],
    as_object: bool,
    fields: Mapping[str, Any],
    handles: _Handles,
) -> Iterator[Outgoing | None]:
    """The messages to put, with the fields set by the options; None where the input pauses."""
    for piece in pieces:
        if piece is None:
            yield None
        elif as_object:
            try:
                read = message_text.with_properties_from_json_line(piece.body)
                if read is not None:
                    message, own = read
                    for name, value in fields.items():
                        setattr(message.descriptor, name, value)
                    yield Outgoing(
                        Message(message.body, message.descriptor.copy()),
                        handles.holding(own),
                    )
            except ValueError as fault:
                raise message_text.MessageFormatError(
                    printable(f"{piece.origin}: {fault}"),
                ) from fault
        else:
            descriptor = MessageDescriptor(**{"format": STRING if piece.is_text else "", **fields})
            yield Outgoing(Message(piece.body, descriptor), handles.holding(()))


def _pieces(
    texts: Iterable[str],
    files: Iterable[str],
    by_line: bool,
    store_path: str | None,
) -> Iterator[Piece | None]:
    """The pieces of input in order. Lines of standard input come at once, with None after each
    batch.
    """
    for number, text in enumerate(texts, 1):
        if text == "-":
            yield from _lines(sys.stdin.buffer, "standard input")
        else:
            yield Piece(text.encode("utf-8", "surrogateescape"), f"text {number}")
    for path in files:
        with opened_file(path, store_path) as stream:
            if by_line:
                yield from _lines(stream, path)
            else:
                yield Piece(stream.read(), path, is_text=False)


def _lines(stream: BinaryIO, name: str) -> Iterator[Piece | None]:
    numbers = itertools.count(1)
    for lines in lines_as_they_come(stream):
        for line in lines:
            yield Piece(line, f"{name}, line {next(numbers)}")
        yield None


def put_all(
    handle: ObjectHandle,
    chunks: Iterator[list[Outgoing]],
    format: str | None,
    report: PutReport,
    options: int = 0,
) -> None:
    """Put the chunks in order, each in one transaction.

    A failed message stops the put; those before it stay on the queue, and the error says how many
    these are.
    """
    placed = 0
    try:
        with json_rows(format) as rows:
            for chunk in chunks:
                descriptors = _put_chunk(handle, chunk, options)
                # Before printing: a reader may interrupt as soon as it has read the last message.
                placed += report.placed(len(descriptors))
                if rows is not None:
                    for each, descriptor in zip(chunk, descriptors, strict=True):
                        message = Message(each.message.body, descriptor)
                        rows.write(message_text.message_as_json(message, each.properties))
    except KeyboardInterrupt:
        report.inform(_messages_put(placed, handle))
        raise
    except MQError as error:
        placed += report.placed(error.index or 0)
        raise CommandFailedError(
            f"{error_text(error)} {_messages_put(placed, handle)} before the error",
        ) from error
    except (message_text.MessageFormatError, InputError) as fault:
        nothing_read = isinstance(fault, InputError) and not placed
        raise (NothingRunError if nothing_read else CommandFailedError)(
            f"{fault}; {_messages_put(placed, handle)} before the error",
        ) from fault
    report.inform(_messages_put(placed, handle))


def _put_chunk(handle: ObjectHandle, chunk: list[Outgoing], flags: int) -> list[MessageDescriptor]:
    """Put a list in one transaction. When one message fails, put those before it and raise its
    error.
    """
    messages = [each.message for each in chunk]
    options = PutMessageOptions(flags, message_handle=chunk[0].properties)
    try:
        placed = handle.put(messages, options)
    except MQError as error:
        if error.index:
            handle.put(messages[: error.index], options)
        raise
    for reason in sorted({message.reason for message in messages if message.completion}):
        notice(f"mqsc: {reason_text(int(reason))}")
    return placed


def _chunks(messages: Iterator[Outgoing | None], copies: int) -> Iterator[list[Outgoing]]:
    """Lists of messages for one transaction each, all with the same properties.

    The messages before an invalid one are still yielded.
    """
    chunk: list[Outgoing] = []
    try:
        for message in messages:
            ends = message is None or (chunk and message.properties is not chunk[0].properties)
            if ends and chunk:
                yield chunk
                chunk = []
            for each in () if message is None else itertools.repeat(message, copies):
                chunk.append(each)
                if len(chunk) == CHUNK:
                    yield chunk
                    chunk = []
    except (message_text.MessageFormatError, InputError):
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def _messages_put(count: int, handle: ObjectHandle) -> str:
    done = f"published to {printable(handle.topic)}" if handle.topic else f"put on {handle.name}"
    return f"{counted(count, 'message')} {done}"
