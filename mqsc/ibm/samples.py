"""`amqsput`, `amqsget` and `amqsbcg`: IBM's sample programs that put, get and browse messages, and
`amqsputc`, `amqsgetc` and `amqsbcgc`, their variants for clients.

`amqsbcg` shows every field of the descriptor, and the data in hexadecimal. Their exit codes are
those of IBM's samples: the reason of a failed MQCONNX in its lowest eight bits, 0 after a later
failure of amqsput and amqsget, and the completion code for amqsbcg.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from mqsc.console.getting import get_or_none
from mqsc.console.options import choices_of, confirm
from mqsc.console.target import (
    UnknownQueueManagerError,
    inform_about_manual_clock,
    opened_queue_manager,
)
from mqsc.console.terminal import is_terminal, notice, printable, shown_on
from mqsc.console.text.message_properties import property_lines
from mqsc.console.text.reasons import error_text
from mqsc.ibm.failures import ExitCodes
from mqsc.ibm.options import (
    OPENED_DIRECTLY,
    IbmCommand,
    choice,
    choices_with,
    decimal_number,
    ibm_command,
    wrong,
)
from mqsc.store import GetMessageOptions, Message, MessageDescriptor, MQError
from mqsc.store.constants import MQFMT, MQGMO, MQOO, MQRC
from mqsc.store.descriptor import FIELDS
from mqsc.store.error import StoreError
from mqsc.store.headers.mqmd import length_of

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.object_handle import ObjectHandle

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


class Sample(Struct, frozen=True):
    """What one of the programs prints at its begin, at its end and of a failed call, and its
    exit code after one.
    """

    first: str
    last: str
    connect: str
    failure: str
    exit_code: int

    def failed(self, call: str, error: MQError) -> CallFailedError:
        return CallFailedError(self.failure.format(call=call, reason=int(error.reason)), error)

    def not_connected(self, reason: int) -> int:
        """The exit code without a connection: the completion code, or the part of the reason
        that an exit code has.
        """
        return self.exit_code or reason % 256


def putting_or_getting(name: str) -> Sample:
    return Sample(
        f"Sample {name} start",
        f"Sample {name} end",
        "MQCONNX",
        "{call} ended with reason code {reason}",
        0,
    )


_PUT, _GET = map(putting_or_getting, ("AMQSPUT0", "AMQSGET0"))
_BROWSE = Sample(
    "AMQSBCG0 - starts here\n**********************",
    " MQDISC",
    "MQCONN",
    " {call} failed with CompCode:2, Reason:{reason}",
    2,
)
PUT_OR_GET_CODES, _BROWSE_CODES = ExitCodes(wrong_arguments=99), ExitCodes(wrong_arguments=4)


@ibm_command(
    "amqsput",
    "QName [QMgrName [OpenOptions [CloseOptions [TargetQMgr [DynamicName]]]]]",
    common=("store", "qmgr", "quiet"),
    codes=PUT_OR_GET_CODES,
)
@click.argument("queue")
@click.argument("qmgr_name", required=False)
@click.argument("opening", required=False)
@click.argument("closing", required=False)
@click.argument("target", required=False)
@click.argument("dynamic", required=False)
def amqsput(
    context: click.Context,
    queue: str,
    qmgr_name: str | None,
    opening: str | None,
    closing: str | None,
    target: str | None,
    dynamic: str | None,
) -> None:
    """Put each line of standard input as a message on QName, until an empty line or the end of
    input.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). As with IBM's sample, the exit
    code says only whether it could connect: 0, or the reason code modulo 256, such as 11 for 2059.
    """
    options = option_number(context, opening, MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
    closing_options = option_number(context, closing, 0)
    with connected(context, qmgr_name, _PUT) as connection:
        confirm(f"target queue is {queue}")
        with failing(_PUT, "MQOPEN", "unable to open queue for output"):
            handle = connection.open(
                queue,
                options,
                queue_manager=target or "",
                dynamic_name=dynamic or "AMQ.*",
            )
        for body in lines_to_put():
            with called(_PUT, "MQPUT"):
                handle.put(text_message(body))
        with called(_PUT, "MQCLOSE"):
            handle.close(closing_options)


@ibm_command(
    "amqsget",
    "QName [QMgrName [OpenOptions [CloseOptions]]]",
    common=("store", "qmgr", "quiet"),
    codes=PUT_OR_GET_CODES,
)
@click.argument("queue")
@click.argument("qmgr_name", required=False)
@click.argument("opening", required=False)
@click.argument("closing", required=False)
def amqsget(
    context: click.Context,
    queue: str,
    qmgr_name: str | None,
    opening: str | None,
    closing: str | None,
) -> None:
    """Get messages from QName and print them, until none arrives for 15 seconds.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). As with IBM's sample, the exit
    code says only whether it could connect: 0, or the reason code modulo 256, such as 11 for 2059.
    """
    input_options = option_number(context, opening, MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING)
    closing_options = option_number(context, closing, 0)
    options = GetMessageOptions(
        MQGMO.WAIT | MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING,
        wait_interval=WAIT,
    )
    with connected(context, qmgr_name, _GET) as connection:
        inform_about_manual_clock(choices_of(context), connection.qmgr)
        with failing(_GET, "MQOPEN", "unable to open queue for input"):
            handle = connection.open(queue, input_options)
        for message in gotten_messages(_GET, handle, options):
            print_message(message)
        confirm("no more messages")
        with called(_GET, "MQCLOSE"):
            handle.close(closing_options)


@ibm_command(
    "amqsbcg",
    "QName [QMgrName [PropertyOption]]",
    common=("store", "qmgr", "quiet"),
    codes=_BROWSE_CODES,
)
@click.argument("queue")
@click.argument("qmgr_name", required=False)
@click.argument("properties", required=False)
def amqsbcg(
    context: click.Context,
    queue: str,
    qmgr_name: str | None,
    properties: str | None,
) -> None:
    """Browse the messages on QName: every field of the descriptor, and the data in hexadecimal and
    text.

    PropertyOption: 0 shows properties as PROPCTL says (the default), 1 apart from the data, 2 not
    at all, 3 in an MQRFH2, 4 as PROPCTL(COMPAT). Exit code 2 when a call failed, 4 when the
    arguments are wrong.
    """
    property_option = MQGMO[
        choice(
            context,
            "PropertyOption",
            "0" if properties is None else properties,
            _PROPERTY_OPTIONS,
            {},
        )
    ]
    with connected(context, qmgr_name, _BROWSE) as connection:
        confirm(f"\n MQOPEN - '{queue}'\n")
        with called(_BROWSE, "MQOPEN"):
            handle = connection.open(queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING)
        handle_of_properties = connection.create_message_handle()
        options = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.NO_WAIT | property_option)
        if property_option == MQGMO.PROPERTIES_IN_HANDLE:
            options.message_handle = handle_of_properties
        for number, message in enumerate(gotten_messages(_BROWSE, handle, options), 1):
            click.echo(f"\n MQGET of message number {number}, CompCode:0 Reason:0")
            for line in (*dump_lines(message), *property_lines(handle_of_properties)):
                sys.stdout.write(f"{shown_on(sys.stdout, line)}\n")
        confirm("\n No more messages")
        handle.close()
        confirm(" MQCLOSE")


# In the `meta` of a context: whether the program is a client.
_CLIENT = "mqsc.ibm.client"
# What tells a client where its queue manager is.
_CLIENT_VARIABLES = ("MQSERVER", "MQCCDTURL", "MQCHLLIB", "MQCHLTAB")


def client_variant(of: IbmCommand) -> IbmCommand:
    """The variant for clients of one of the programs, which does the same."""

    def run(**arguments: Any) -> None:
        context = click.get_current_context()
        found = [name for name in _CLIENT_VARIABLES if name in os.environ]
        if found:
            choices_of(context).inform(
                f"{context.command.name}: ignored {' '.join(found)}: {OPENED_DIRECTLY}"
            )
        context.meta[_CLIENT] = True
        assert of.callback is not None
        context.invoke(of.callback, **arguments)

    return IbmCommand(
        f"{of.name}c",
        callback=run,
        params=of.params,
        codes=of.codes,
        options_metavar=of.options_metavar,
        context_settings=of.context_settings,
        help=f"{cleandoc(of.help or '')}\n\nThe same as {of.name}: {OPENED_DIRECTLY}, so MQSERVER and channel "
        "tables have no effect.",
    )


amqsputc, amqsgetc, amqsbcgc = map(client_variant, (amqsput, amqsget, amqsbcg))


@contextmanager
def connected(
    context: click.Context,
    qmgr_name: str | None,
    sample: Sample,
) -> Iterator[Connection]:
    """Connect, and print the first and last line and what failed; then end with the exit code of
    the sample.
    """
    choices = choices_with(context, qmgr_name, only_reads=sample is _BROWSE)
    confirm(sample.first)
    user, password = _user_and_password()
    with ExitStack() as stack:
        try:
            qmgr = stack.enter_context(opened_queue_manager(choices, for_users=bool(user)))
            # A program that names a user is checked as any other, not as a command of ours.
            qmgr.store.is_administrators = not user
            connection = stack.enter_context(
                qmgr.connect(
                    application=str(context.command.name),
                    user=user,
                    password=password,
                    client=context.meta.get(_CLIENT, False),
                )
            )
        except (MQError, UnknownQueueManagerError, StoreError) as error:
            if isinstance(error, StoreError) and not choices.store_is_missing():
                raise
            reason = int(error.reason) if isinstance(error, MQError) else int(MQRC.Q_MGR_NAME_ERROR)
            click.echo(sample.failure.format(call=sample.connect, reason=reason))
            notice(error_text(error) if isinstance(error, MQError) else str(error))
            context.exit(sample.not_connected(reason))
        try:
            yield connection
            exit_code = 0
        except CallFailedError as error:
            click.echo(str(error))
            # The samples print only the number.
            notice(error_text(error.error))
            exit_code = sample.exit_code
    confirm(sample.last)
    context.exit(exit_code)


def _user_and_password() -> tuple[str, str | None]:
    """The user that MQSAMP_USER_ID names, and the password in the first line of standard input;
    blank and None if it names none.
    """
    user = os.environ.get("MQSAMP_USER_ID", "")
    if not user:
        return "", None
    if is_terminal(sys.stdin):
        return user, click.prompt("Enter password", default="", show_default=False, hide_input=True)
    confirm("Enter password:")
    line = sys.stdin.buffer.readline()
    return user, line.rstrip(b"\r\n").decode("utf-8", "replace")


@contextmanager
def called(sample: Sample, call: str) -> Iterator[None]:
    try:
        yield
    except MQError as error:
        raise sample.failed(call, error) from error


@contextmanager
def failing(sample: Sample, call: str, consequence: str) -> Iterator[None]:
    """As `called`, with a line about the consequence."""
    try:
        yield
    except MQError as error:
        raise CallFailedError(f"{sample.failed(call, error)}\n{consequence}", error) from error


def gotten_messages(
    sample: Sample,
    handle: ObjectHandle,
    options: GetMessageOptions,
) -> Iterator[Message]:
    """Messages, until there is none."""
    while True:
        with called(sample, "MQGET"):
            message = get_or_none(handle, options)
        if message is None:
            return
        yield message


def print_message(message: Message) -> None:
    """Print the data of a message, as amqsget does."""
    text = f"message <{message.body.decode('utf-8', 'backslashreplace')}>"
    # Not click.echo, which removes escape sequences where there is no terminal.
    sys.stdout.write(f"{shown_on(sys.stdout, text)}\n")
    sys.stdout.flush()


def lines_to_put() -> Iterator[bytes]:
    """The lines of standard input, until an empty one."""
    for line in sys.stdin.buffer:
        body = line.rstrip(b"\r\n")
        if not body:
            return
        yield body


def text_message(body: bytes) -> Message:
    """A message with the format of a text."""
    return Message(body, MessageDescriptor(format=MQFMT.STRING.strip()))


def option_number(context: click.Context, text: str | None, default: int) -> int:
    if not text:
        return int(default)
    found = decimal_number(text)
    if found is None:
        raise wrong(context, f"options must be a decimal number, not {text}")
    return found


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
    """A field of the descriptor for the form: in hexadecimal a text that would not end where its
    quotes do.
    """
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
