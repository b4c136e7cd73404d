"""`mqsc put`: messages from the command line, from standard input and from files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from mqsc.console.inputs import InputError, lines_as_they_come, opened_file, standard_input_is_empty
from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.message_text import MessageFormatError, as_json, from_json_line
from mqsc.console.name_completion import queues_to_complete
from mqsc.console.options import Choices, choices_of, common_options, files_to_complete
from mqsc.console.parameter_types import TENTH_OF_A_SECOND, Duration, HexBytes, MessageType, ReportOptions
from mqsc.console.reason_text import error_text, reason_text
from mqsc.console.target import CommandFailedError, NothingRunError, opened_queue_manager
from mqsc.console.terminal import notice
from store import Message, MessageDescriptor, MQError
from store.constants import MQFMT, MQOO, MQPER
from store.headers.mqmd import value_fault

if TYPE_CHECKING:
    from store.client.api import ObjectHandle

# The most messages in one transaction.
CHUNK = 1000
STRING = MQFMT.STRING.strip()


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of input: a message body, or the JSON that describes a message. `origin` is for error messages."""

    body: bytes
    origin: str
    is_text: bool = True


@click.command()
@click.argument("queue", shell_complete=queues_to_complete)
@click.argument("texts", nargs=-1, metavar="[TEXT|-]...")
@click.option(
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    help="Put the content of a file as one message; repeatable.",
    shell_complete=files_to_complete,
)
@click.option("--json", "as_object", is_flag=True, help="Read messages as JSON, one per line.")
@click.option("--count", type=click.IntRange(min=1), default=1, metavar="N", help="Put each message N times.")
@click.option("--priority", type=int, metavar="0-9", help="Priority (default: from the queue).")
@click.option(
    "--expiry",
    type=Duration(TENTH_OF_A_SECOND, lowest=-sys.maxsize),
    metavar="TIME",
    help="Lifetime, such as 90s or 1h30m; a bare number means tenths of a second, -1 unlimited.",
)
@click.option("--persistent/--not-persistent", default=None, help="Persistence (default: from the queue).")
@click.option(
    "--report", type=ReportOptions(), metavar="NAMES", help="Reports to request: expiration, expiration-with-data ..."
)
@click.option("--reply-to-q", metavar="QUEUE", help="The queue for replies and reports.")
@click.option("--reply-to-q-mgr", metavar="NAME", help="The queue manager of the reply queue.")
@click.option("--msg-id", type=HexBytes(), metavar="HEX", help="Message identifier (default: a new one).")
@click.option("--correl-id", type=HexBytes(), metavar="HEX", help="Correlation identifier.")
@click.option("--format-name", metavar="NAME", help="Format of the data (default: MQSTR for texts and lines).")
@click.option("--msg-type", type=MessageType(), metavar="TYPE", help="datagram, request, reply, report or a number.")
@common_options
@click.pass_context
def put(context: click.Context, /, queue: str, texts: tuple[str, ...], files: tuple[str, ...], **given: Any) -> None:
    """Put messages on QUEUE: each TEXT is one message; - reads standard input, one message per line.

    Texts are put first, then files. Messages are put in transactions of up to 1000; each is put completely or not at
    all.
    """
    if not texts and not files:
        raise click.UsageError("nothing to put: give a TEXT, - for the lines of standard input, or --file PATH")
    choices, as_object, copies = choices_of(context), given.pop("as_object"), given.pop("count")
    persistent, given["format"] = given.pop("persistent"), given.pop("format_name")
    fields = {name: value for name, value in given.items() if value is not None}
    for name, value in fields.items():
        if fault := value_fault(name, value):
            raise click.UsageError(fault)
    if persistent is not None:
        fields["persistence"] = MQPER.PERSISTENT if persistent else MQPER.NOT_PERSISTENT
    # Without anything to put, nothing is created.
    create = bool(files) or {*texts} != {"-"} or not standard_input_is_empty()
    with opened_queue_manager(choices, create=create) as qmgr, qmgr.connect() as connection:
        messages = _messages(_pieces(texts, files, as_object, qmgr.store.path), as_object, fields)
        handle = connection.open(queue, MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
        _put_all(handle, queue, _chunks(messages, copies), choices)


def _messages(pieces: Iterable[Piece | None], as_object: bool, fields: dict[str, Any]) -> Iterator[Message | None]:
    """The messages to put, with the fields set by the options; None where the input pauses."""
    for piece in pieces:
        if piece is None:
            yield None
        elif as_object:
            try:
                message = from_json_line(piece.body)
            except MessageFormatError as fault:
                raise MessageFormatError(f"{piece.origin}: {fault}") from fault
            if message is not None:
                for name, value in fields.items():
                    setattr(message.descriptor, name, value)
                yield Message(message.body, message.descriptor.copy())
        else:
            yield Message(piece.body, MessageDescriptor(**{"format": STRING if piece.is_text else "", **fields}))


def _pieces(
    texts: Iterable[str], files: Iterable[str], by_line: bool, store_path: str | None
) -> Iterator[Piece | None]:
    """The pieces of input in order. Lines of standard input come at once, with None after each batch."""
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
    numbers = count(1)
    for lines in lines_as_they_come(stream):
        for line in lines:
            yield Piece(line, f"{name}, line {next(numbers)}")
        yield None


def _put_all(handle: ObjectHandle, queue: str, chunks: Iterator[list[Message]], choices: Choices) -> None:
    """Put the chunks in order. A failed message stops the put; the messages before it stay on the queue."""
    placed = 0
    format = choices.format if choices.format in JSON_FORMATS else None
    try:
        if format is None:
            for chunk in chunks:
                placed += len(_put_chunk(handle, chunk))
        else:
            with JsonRows(sys.stdout, array=format == "json") as rows:
                for chunk in chunks:
                    descriptors = _put_chunk(handle, chunk)
                    # Before printing: a reader may interrupt as soon as it has read the last message.
                    placed += len(descriptors)
                    for message, descriptor in zip(chunk, descriptors, strict=True):
                        rows.write(as_json(Message(message.body, descriptor)))
    except KeyboardInterrupt:
        choices.inform(f"mqsc: {_messages_put(placed, queue)}")
        raise
    except MQError as error:
        placed += error.index or 0
        raise CommandFailedError(f"{error_text(error)} {_messages_put(placed, queue)} before the error") from error
    except (MessageFormatError, InputError) as fault:
        nothing_read = isinstance(fault, InputError) and not placed
        raise (NothingRunError if nothing_read else CommandFailedError)(
            f"{fault}; {_messages_put(placed, queue)} before the error"
        ) from fault
    choices.inform(f"mqsc: {_messages_put(placed, queue)}")


def _put_chunk(handle: ObjectHandle, chunk: list[Message]) -> list[MessageDescriptor]:
    """Put a list in one transaction. When one message fails, put those before it and raise its error."""
    try:
        placed = handle.put(chunk)
    except MQError as error:
        if error.index:
            handle.put(chunk[: error.index])
        raise
    for reason in sorted({message.reason for message in chunk if message.completion}):
        notice(f"mqsc: {reason_text(int(reason))}")
    return placed


def _chunks(messages: Iterator[Message | None], copies: int) -> Iterator[list[Message]]:
    """Lists of messages for one transaction each; the messages before an invalid one are still yielded."""
    chunk: list[Message] = []
    try:
        for message in messages:
            for each in () if message is None else repeat(message, copies):
                chunk.append(each)
                if len(chunk) == CHUNK:
                    yield chunk
                    chunk = []
            if message is None and chunk:
                yield chunk
                chunk = []
    except (MessageFormatError, InputError):
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def _messages_put(count: int, queue: str) -> str:
    return f"{count} {'message' if count == 1 else 'messages'} put on {queue}"
