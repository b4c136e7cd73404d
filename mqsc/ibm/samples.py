"""`amqsput`, `amqsget` and `amqsbcg`: put lines, get messages, browse them with every field, as the samples do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import click

from mqsc.console.options import choices_of, long_options
from mqsc.console.target import NothingRunError, opened_queue_manager
from mqsc.ibm.arguments import Given, Usage, choice, read
from mqsc.ibm.command import NamedCommand
from mqsc.ibm.dump import dump_lines

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle

# What amqsbcg may be told about properties, and what not: messages have none beside those in an MQRFH2.
_AS_STORED = {"0": "", "3": "", "4": ""}
_WITHOUT_PROPERTIES = dict.fromkeys(("1", "2"), "messages have no properties apart from their data")
AMQSPUT = Usage("amqsput", "amqsput QName [QMgrName [OpenOptions [CloseOptions [TargetQMgr [DynamicName]]]]]", {}, 1, 6)
AMQSGET = Usage("amqsget", "amqsget QName [QMgrName [OpenOptions [CloseOptions]]]", {}, 1, 4)
AMQSBCG = Usage("amqsbcg", "amqsbcg QName [QMgrName [PropertyOption]]", {}, 1, 3)
# amqsget waits this long for each message, in milliseconds.
WAIT = 15_000


class Stopped(Exception):
    """A call failed: the sample says so and ends."""


@click.command(cls=NamedCommand, options_metavar=AMQSPUT.line.removeprefix("amqsput "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def amqsput(context: click.Context) -> None:
    """Put each line of standard input as a message on QName, up to an empty line or the end.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). Ends with 10 when a call failed.
    """
    from store import Message, MessageDescriptor
    from store.constants import MQFMT, MQOO

    given = read(AMQSPUT, context.args)
    opening = _number(given, 2, MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
    with _sample("amqsput", context, given, "Sample AMQSPUT0 start", "Sample AMQSPUT0 end") as connection:
        click.echo(f"target queue is {given.name(0)}")
        handle = _open(connection, given, opening, "output")
        for line in sys.stdin.buffer:
            text = line.rstrip(b"\r\n")
            if not text:
                break
            with _called("MQPUT"):
                handle.put(Message(text, MessageDescriptor(format=MQFMT.STRING.strip())))
        _close(handle, given)


@click.command(cls=NamedCommand, options_metavar=AMQSGET.line.removeprefix("amqsget "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def amqsget(context: click.Context) -> None:
    """Get the messages of QName and print them, waiting 15 seconds for each; ends when none comes.

    OpenOptions and CloseOptions are decimal numbers (MQOO, MQCO). Ends with 10 when a call failed.
    """
    from mqsc.cli.get import tell_about_waiting
    from store import GetMessageOptions, MQError
    from store.constants import MQGMO, MQOO, MQRC

    given = read(AMQSGET, context.args)
    opening = _number(given, 2, MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING)
    options = GetMessageOptions(MQGMO.WAIT | MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING, wait_interval=WAIT)
    with _sample("amqsget", context, given, "Sample AMQSGET0 start", "Sample AMQSGET0 end") as connection:
        tell_about_waiting(choices_of(context), connection.qmgr)
        handle = _open(connection, given, opening, "input")
        while True:
            try:
                message = handle.get(options)
            except MQError as error:
                if error.reason != MQRC.NO_MSG_AVAILABLE:
                    raise _failed("MQGET", error) from error
                break
            click.echo(f"message <{message.body.decode('utf-8', 'backslashreplace')}>")
            sys.stdout.flush()
        click.echo("no more messages")
        _close(handle, given)


@click.command(cls=NamedCommand, options_metavar=AMQSBCG.line.removeprefix("amqsbcg "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def amqsbcg(context: click.Context) -> None:
    """Browse the messages of QName: every field of the descriptor, and the data in hexadecimal and text.

    PropertyOption is 0, 3 or 4: each shows the message as it is stored.
    """
    from store import GetMessageOptions, MQError
    from store.constants import MQGMO, MQOO, MQRC

    given = read(AMQSBCG, context.args)
    choice(AMQSBCG, "PropertyOption", given.name(2, "0"), _AS_STORED, _WITHOUT_PROPERTIES)
    with _sample("amqsbcg", context, given, "AMQSBCG0 - starts here\n**********************", " MQDISC") as connection:
        handle = _open(connection, given, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, "browse")
        click.echo(f"\n MQOPEN - '{given.name(0)}'\n")
        number = 0
        while True:
            try:
                message = handle.get(GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.NO_WAIT))
            except MQError as error:
                if error.reason != MQRC.NO_MSG_AVAILABLE:
                    raise _failed("MQGET", error) from error
                break
            number += 1
            click.echo(f"\n MQGET of message number {number}, CompCode:0 Reason:0")
            for line in dump_lines(message):
                click.echo(line)
        click.echo("\n No more messages")
        handle.close()
        click.echo(" MQCLOSE")


@contextmanager
def _sample(program: str, context: click.Context, given: Given, first: str, last: str) -> Iterator[Connection]:
    """Begin and end of a sample; a call that failed ends it with exit code 10, no queue manager with 20."""
    from store.error import MQError

    choices = choices_of(context)
    chosen = replace(choices, qmgr=given.name(1) or choices.qmgr)
    with opened_queue_manager(chosen) as qmgr:
        click.echo(first)
        try:
            connection = qmgr.connect(application=program)
        except MQError as error:
            click.echo(str(_failed("MQCONN", error)))
            context.exit(20)
        try:
            with connection:
                yield connection
            failed = False
        except Stopped as stopped:
            click.echo(str(stopped))
            failed = True
        click.echo(last)
    context.exit(10 if failed else 0)


@contextmanager
def _called(call: str) -> Iterator[None]:
    from store.error import MQError

    try:
        yield
    except MQError as error:
        raise _failed(call, error) from error


def _failed(call: str, error: Exception) -> Stopped:
    return Stopped(f"{call} ended with reason code {int(getattr(error, 'reason', 0))}")


def _open(connection: Connection, given: Given, options: int, purpose: str) -> ObjectHandle:
    from store.error import MQError

    queue_manager, dynamic_name = given.name(4), given.name(5, "AMQ.*")
    try:
        return connection.open(given.name(0), options, queue_manager=queue_manager, dynamic_name=dynamic_name)
    except MQError as error:
        raise Stopped(f"{_failed('MQOPEN', error)}\nunable to open queue for {purpose}") from error


def _close(handle: ObjectHandle, given: Given) -> None:
    with _called("MQCLOSE"):
        handle.close(_number(given, 3, 0))


def _number(given: Given, place: int, default: int) -> int:
    text = given.name(place)
    if not text:
        return int(default)
    if not (text.isascii() and text.isdigit()):
        raise NothingRunError(f"options are a decimal number, not {text}")
    return int(text)


def _run(name: str) -> NoReturn:
    from mqsc.cli.main import main as command_line

    command_line([name, *sys.argv[1:]])


def main_amqsput() -> NoReturn:
    """The command `amqsput` with the arguments of this process."""
    _run("amqsput")


def main_amqsget() -> NoReturn:
    """The command `amqsget` with the arguments of this process."""
    _run("amqsget")


def main_amqsbcg() -> NoReturn:
    """The command `amqsbcg` with the arguments of this process."""
    _run("amqsbcg")
