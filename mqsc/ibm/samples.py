"""`amqsput`, `amqsget` and `amqsbcg`: IBM's sample programs that put, get and browse messages.

`amqsbcg` shows every field of the descriptor, and the data in hexadecimal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.options import choices_of, confirm
from mqsc.console.target import NothingRunError, inform_about_manual_clock, opened_queue_manager
from mqsc.console.terminal import notice, printable, shown_on
from mqsc.console.text.messages import get_or_none, property_lines
from mqsc.console.text.reasons import error_text
from mqsc.ibm.options import choice, choices_with, described
from store import GetMessageOptions, Message, MessageDescriptor, MQError
from store.constants import MQFMT, MQGMO, MQOO
from store.descriptor import FIELDS
from store.headers.mqmd import length_of

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle

# The values of PropertyOption, and the option of MQGMO that each means.
_PROPERTY_OPTIONS = {
    "0": "PROPERTIES_AS_Q_DEF",
    "1": "PROPERTIES_IN_HANDLE",
    "2": "NO_PROPERTIES",
    "3": "PROPERTIES_FORCE_MQRFH2",
    "4": "PROPERTIES_COMPATIBILITY",
}
_BYTES_IN_LINE = 16
# How long amqsget waits for each message, in milliseconds.
WAIT = 15_000


class CallFailedError(Exception):
    """A call failed; the sample prints this text and ends. `error` is why."""

    def __init__(self, text: str, error: MQError) -> None:
        super().__init__(text)
        self.error = error


@described("amqsput")
def amqsput(
    context: click.Context, /, qmgr_name: str | None, opening: str | None, closing: str | None, **named: Any
) -> None:
    """Put each line of standard input as a message on QName, until an empty line or the end of input.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). Exit code 10 when a call failed.
    """
    options = _number(opening, MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
    with _sample(context, qmgr_name, "Sample AMQSPUT0 start", "Sample AMQSPUT0 end") as connection:
        confirm(f"target queue is {named['queue']}")
        handle = _open(connection, options, "output", **named)
        for line in sys.stdin.buffer:
            text = line.rstrip(b"\r\n")
            if not text:
                break
            with _called("MQPUT"):
                handle.put(Message(text, MessageDescriptor(format=MQFMT.STRING.strip())))
        _close(handle, closing)


@described("amqsget")
def amqsget(
    context: click.Context, queue: str, qmgr_name: str | None, opening: str | None, closing: str | None
) -> None:
    """Get messages from QName and print them, until none arrives for 15 seconds.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). Exit code 10 when a call failed.
    """
    input_options = _number(opening, MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING)
    options = GetMessageOptions(MQGMO.WAIT | MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING, wait_interval=WAIT)
    with _sample(context, qmgr_name, "Sample AMQSGET0 start", "Sample AMQSGET0 end") as connection:
        inform_about_manual_clock(choices_of(context), connection.qmgr)
        handle = _open(connection, input_options, "input", queue)
        for message in _messages(handle, options):
            text = f"message <{message.body.decode('utf-8', 'backslashreplace')}>"
            # Not click.echo, which removes escape sequences where there is no terminal.
            sys.stdout.write(f"{shown_on(sys.stdout, text)}\n")
            sys.stdout.flush()
        confirm("no more messages")
        _close(handle, closing)


@described("amqsbcg")
def amqsbcg(context: click.Context, queue: str, qmgr_name: str | None, properties: str | None) -> None:
    """Browse the messages on QName: every field of the descriptor, and the data in hexadecimal and text.

    PropertyOption: 0 shows properties as PROPCTL says (the default), 1 apart from the data, 2 not at all, 3 in an
    MQRFH2, 4 as PROPCTL(COMPAT). Exit code 10 when a call failed.
    """
    property_option = MQGMO[
        choice(context, "PropertyOption", "0" if properties is None else properties, _PROPERTY_OPTIONS, {})
    ]
    with _sample(context, qmgr_name, "AMQSBCG0 - starts here\n**********************", " MQDISC") as connection:
        handle = _open(connection, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, "browse", queue)
        confirm(f"\n MQOPEN - '{queue}'\n")
        handle_of_properties = connection.create_message_handle()
        options = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.NO_WAIT | property_option)
        if property_option == MQGMO.PROPERTIES_IN_HANDLE:
            options.message_handle = handle_of_properties
        for number, message in enumerate(_messages(handle, options), 1):
            click.echo(f"\n MQGET of message number {number}, CompCode:0 Reason:0")
            for line in (*dump_lines(message), *property_lines(handle_of_properties)):
                sys.stdout.write(f"{shown_on(sys.stdout, line)}\n")
        confirm("\n No more messages")
        handle.close()
        confirm(" MQCLOSE")


@contextmanager
def _sample(context: click.Context, qmgr_name: str | None, first: str, last: str) -> Iterator[Connection]:
    """Connect and print the first and last line; exit code 10 when a call failed, 20 when the connection failed."""
    with opened_queue_manager(choices_with(context, qmgr_name)) as qmgr:
        confirm(first)
        try:
            connection = qmgr.connect(application=str(context.command.name))
        except MQError as error:
            click.echo(str(_failed("MQCONN", error)))
            _explain(error)
            context.exit(20)
        try:
            with connection:
                yield connection
            failed = False
        except CallFailedError as error:
            click.echo(str(error))
            _explain(error.error)
            failed = True
        confirm(last)
    context.exit(10 if failed else 0)


@contextmanager
def _called(call: str) -> Iterator[None]:
    try:
        yield
    except MQError as error:
        raise _failed(call, error) from error


def _failed(call: str, error: MQError) -> CallFailedError:
    return CallFailedError(f"{call} ended with reason code {int(error.reason)}", error)


def _explain(error: MQError) -> None:
    """Print the meaning of the reason code on stderr, because the samples print only the number."""
    notice(f"mqsc: {error_text(error)}")


def _open(
    connection: Connection, options: int, why: str, queue: str, target: str | None = None, dynamic: str | None = None
) -> ObjectHandle:
    try:
        return connection.open(
            queue, options, queue_manager=target or "", dynamic_name="AMQ.*" if dynamic is None else dynamic
        )
    except MQError as error:
        raise CallFailedError(f"{_failed('MQOPEN', error)}\nunable to open queue for {why}", error) from error


def _messages(handle: ObjectHandle, options: GetMessageOptions) -> Iterator[Message]:
    """Messages, until there is none."""
    while True:
        with _called("MQGET"):
            message = get_or_none(handle, options)
        if message is None:
            return
        yield message


def _close(handle: ObjectHandle, options: str | None) -> None:
    with _called("MQCLOSE"):
        handle.close(_number(options, 0))


def _number(text: str | None, default: int) -> int:
    if not text:
        return int(default)
    if not (text.isascii() and text.isdigit()):
        raise NothingRunError(f"options must be a decimal number, not {text}")
    return int(text)


def dump_lines(message: Message) -> Iterator[str]:
    """The lines for one message: the form, filled in, and the data."""
    texts = {name: _field_text(name, getattr(message.descriptor, name)) for name in FIELDS}
    yield from (line.format(**texts, length=len(message.body)) for line in _form())
    for at in range(0, len(message.body), _BYTES_IN_LINE):
        piece = message.body[at : at + _BYTES_IN_LINE]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in piece)
        digits = piece.hex(" ", -2).upper()
        yield f"{at:08X}:  {digits:<{_BYTES_IN_LINE * 5 // 2 - 1}} '{letters:<{_BYTES_IN_LINE}}'"
    yield ""


def _field_text(name: str, value: str | bytes | int) -> str:
    """A field of the descriptor for the form: in hexadecimal a text that would not end where its quotes do."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return value.hex().upper()
    data = value.encode().ljust(length_of(name))
    text = data.decode()
    return f"X'{data.hex().upper()}'" if "'" in text or printable(text) != text else f"'{text}'"


@cache
def _form() -> list[str]:
    """The lines before the data, with the names of the fields of the descriptor."""
    return Path(__file__).with_name("amqsbcg.txt").read_text("utf-8").splitlines()
