"""`amqsput`, `amqsget` and `amqsbcg`: IBM's sample programs that put, get and browse messages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from mqsc.cli.main import run_program
from mqsc.console.message_selection import get_or_none
from mqsc.console.options import choices_of, confirm, long_options
from mqsc.console.target import NothingRunError, inform_about_manual_clock, opened_queue_manager
from mqsc.console.terminal import notice, shown_on
from mqsc.console.text.message_properties import lines as property_lines
from mqsc.console.text.reasons import error_text
from mqsc.ibm.arguments import Given, IbmCommand, Usage, choice, read_arguments
from mqsc.ibm.dump import dump_lines
from store import GetMessageOptions, Message, MessageDescriptor, MQError
from store.constants import MQFMT, MQGMO, MQOO

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
AMQSPUT = Usage("amqsput", "amqsput QName [QMgrName [OpenOptions [CloseOptions [TargetQMgr [DynamicName]]]]]", {}, 1, 6)
AMQSGET = Usage("amqsget", "amqsget QName [QMgrName [OpenOptions [CloseOptions]]]", {}, 1, 4)
AMQSBCG = Usage("amqsbcg", "amqsbcg QName [QMgrName [PropertyOption]]", {}, 1, 3)
# How long amqsget waits for each message, in milliseconds.
WAIT = 15_000


class CallFailedError(Exception):
    """A call failed; the sample prints this text and ends. `error` is why."""

    def __init__(self, text: str, error: MQError) -> None:
        super().__init__(text)
        self.error = error


@click.command(cls=IbmCommand, options_metavar=AMQSPUT.line.removeprefix("amqsput "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def amqsput(context: click.Context) -> None:
    """Put each line of standard input as a message on QName, until an empty line or the end of input.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). Exit code 10 when a call failed.
    """
    given = read_arguments(AMQSPUT, context.args)
    opening = _number(given, 2, MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
    with _sample("amqsput", context, given, "Sample AMQSPUT0 start", "Sample AMQSPUT0 end") as connection:
        confirm(f"target queue is {given.name(0)}")
        handle = _open(connection, given, opening, "output")
        for line in sys.stdin.buffer:
            text = line.rstrip(b"\r\n")
            if not text:
                break
            with _called("MQPUT"):
                handle.put(Message(text, MessageDescriptor(format=MQFMT.STRING.strip())))
        _close(handle, given)


@click.command(cls=IbmCommand, options_metavar=AMQSGET.line.removeprefix("amqsget "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def amqsget(context: click.Context) -> None:
    """Get messages from QName and print them, until none arrives for 15 seconds.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). Exit code 10 when a call failed.
    """
    given = read_arguments(AMQSGET, context.args)
    opening = _number(given, 2, MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING)
    options = GetMessageOptions(MQGMO.WAIT | MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING, wait_interval=WAIT)
    with _sample("amqsget", context, given, "Sample AMQSGET0 start", "Sample AMQSGET0 end") as connection:
        inform_about_manual_clock(choices_of(context), connection.qmgr)
        handle = _open(connection, given, opening, "input")
        while True:
            with _called("MQGET"):
                message = get_or_none(handle, options)
            if message is None:
                break
            text = f"message <{message.body.decode('utf-8', 'backslashreplace')}>"
            # Not click.echo, which removes escape sequences where there is no terminal.
            sys.stdout.write(f"{shown_on(sys.stdout, text)}\n")
            sys.stdout.flush()
        confirm("no more messages")
        _close(handle, given)


@click.command(cls=IbmCommand, options_metavar=AMQSBCG.line.removeprefix("amqsbcg "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def amqsbcg(context: click.Context) -> None:
    """Browse the messages on QName: every field of the descriptor, and the data in hexadecimal and text.

    PropertyOption: 0 shows properties as PROPCTL says (the default), 1 apart from the data, 2 not at all, 3 in an
    MQRFH2, 4 as PROPCTL(COMPAT). Exit code 10 when a call failed.
    """
    given = read_arguments(AMQSBCG, context.args)
    property_option = MQGMO[choice(AMQSBCG, "PropertyOption", given.name(2, "0"), _PROPERTY_OPTIONS, {})]
    with _sample("amqsbcg", context, given, "AMQSBCG0 - starts here\n**********************", " MQDISC") as connection:
        handle = _open(connection, given, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, "browse")
        confirm(f"\n MQOPEN - '{given.name(0)}'\n")
        properties = connection.create_message_handle()
        options = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.NO_WAIT | property_option)
        if property_option == MQGMO.PROPERTIES_IN_HANDLE:
            options.message_handle = properties
        number = 0
        while True:
            with _called("MQGET"):
                message = get_or_none(handle, options)
            if message is None:
                break
            number += 1
            click.echo(f"\n MQGET of message number {number}, CompCode:0 Reason:0")
            for line in (*dump_lines(message), *property_lines(properties)):
                sys.stdout.write(f"{shown_on(sys.stdout, line)}\n")
        confirm("\n No more messages")
        handle.close()
        confirm(" MQCLOSE")


@contextmanager
def _sample(program: str, context: click.Context, given: Given, first: str, last: str) -> Iterator[Connection]:
    """Connect and print the first and last line; exit code 10 when a call failed, 20 when the connection failed."""
    choices = choices_of(context)
    chosen = replace(choices, qmgr=given.name(1) or choices.qmgr)
    with opened_queue_manager(chosen) as qmgr:
        confirm(first)
        try:
            connection = qmgr.connect(application=program)
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
    """Say on stderr what the reason code means, because the samples print only the number."""
    notice(f"mqsc: {error_text(error)}")


def _open(connection: Connection, given: Given, options: int, purpose: str) -> ObjectHandle:
    queue_manager, dynamic_name = given.name(4), given.name(5, "AMQ.*")
    try:
        return connection.open(given.name(0), options, queue_manager=queue_manager, dynamic_name=dynamic_name)
    except MQError as error:
        raise CallFailedError(f"{_failed('MQOPEN', error)}\nunable to open queue for {purpose}", error) from error


def _close(handle: ObjectHandle, given: Given) -> None:
    with _called("MQCLOSE"):
        handle.close(_number(given, 3, 0))


def _number(given: Given, place: int, default: int) -> int:
    text = given.name(place)
    if not text:
        return int(default)
    if not (text.isascii() and text.isdigit()):
        raise NothingRunError(f"options must be a decimal number, not {text}")
    return int(text)


main_amqsput = partial(run_program, "amqsput")
main_amqsget = partial(run_program, "amqsget")
main_amqsbcg = partial(run_program, "amqsbcg")
