"""The shell's own commands on messages, for trying a unit of work by hand: get, put, commit and back.

They are not MQSC. A line is split at blanks, texts with blanks are quoted, and a name without quotes is read in
upper case, as in MQSC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from mqsc.console.message_selection import get_or_none, identifier_options, options_matching
from mqsc.console.options import Choices
from mqsc.console.parameter_types import MILLISECOND, TENTH_OF_A_SECOND, Duration
from mqsc.console.target import inform_about_manual_clock
from mqsc.console.terminal import columns, notice, wrapped
from mqsc.console.text.messages import body_lines
from mqsc.console.text.reasons import error_text
from mqsc.counted import counted
from store import Message, MessageDescriptor, MQError, PutMessageOptions
from store.constants import MQFMT, MQGMO, MQOO, MQPER, MQPMO, MQRC

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle, QueueManager

_WORD = re.compile(r"""'((?:[^']|'')*)'(?=\s|$)|"([^"]*)"(?=\s|$)|(\S+)""")
# After these the queue manager has backed out the unit of work and ended the connection.
_DISCONNECTED = frozenset({MQRC.CONNECTION_BROKEN, MQRC.HCONN_ERROR, MQRC.Q_MGR_NOT_AVAILABLE})


class Quoted(str):
    """A word that stood in quotes."""

    __slots__ = ()


class QueueName(click.ParamType):  # type: ignore[type-arg]
    """The name of a queue, as in MQSC: in upper case unless it is quoted."""

    name = "queue"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value) if isinstance(value, Quoted) else str(value).upper()


class UnitSession:
    """One connection for the get, put, commit and back commands of a shell, made by the first of them.

    `got` and `put` count the messages of the open unit of work. `failed` tells whether a command failed.
    """

    def __init__(self, qmgr: QueueManager, choices: Choices) -> None:
        self.qmgr = qmgr
        self.choices = choices
        self.got = self.put = 0
        self.failed = False
        self._connection: Connection | None = None
        self._is_marked = False

    def answer(self, text: str) -> Iterator[str] | None:
        """The output of a command on messages, while it is carried out; None when `text` is something else."""
        name, rest = _split(text)
        command = UNIT_COMMANDS.get(name)
        return None if command is None else self._carry_out(command, name, rest)

    def _carry_out(self, command: click.Command, name: str, rest: str) -> Iterator[str]:
        try:
            lines: Iterator[str] | int = command.main(words_of(rest), name, standalone_mode=False, obj=self)
            if not isinstance(lines, int):
                yield from lines
        except (click.ClickException, ValueError) as error:
            self.failed = True
            yield error.format_message() if isinstance(error, click.ClickException) else str(error)
            yield f"{name} --help lists what {name} takes."
        except MQError as error:
            self.failed = True
            yield from wrapped(error_text(error), columns(), hanging="    ")
            if error.reason in _DISCONNECTED:
                yield from self._lost()

    def connection(self) -> Connection:
        if self._connection is None:
            self._connection = self.qmgr.connect()
        return self._connection

    @contextmanager
    def opened(self, queue: str, options: int) -> Iterator[ObjectHandle]:
        """The queue, open for one command only: a handle that stayed open would be in the way of ALTER and DELETE."""
        handle = self.connection().open(queue, options | MQOO.FAIL_IF_QUIESCING, dynamic_name=None)
        try:
            yield handle
        finally:
            if self._connection is not None and self._connection.is_connected:
                handle.close()

    def release(self) -> None:
        """Disconnect if no unit of work is open, so that the queue manager can end. The next command connects again."""
        if self._connection is not None and not self.is_open:
            connection, self._connection = self._connection, None
            # A queue manager that has ended has disconnected it already.
            with suppress(MQError):
                connection.disconnect()

    def note_mark(self) -> None:
        """Remember that a message of the unit of work skips its backout."""
        self._is_marked = True

    def commit(self) -> Iterator[str]:
        if not self.is_open:
            yield "no unit of work is open: nothing to commit"
            return
        members = self._members()
        self.connection().commit()
        self._forget_unit()
        yield f"committed: {members}"

    def back(self) -> Iterator[str]:
        is_marked, members = self._is_marked, self._members()
        if not self.is_open:
            yield "no unit of work is open: nothing to back out"
            return
        self.connection().back()
        self._forget_unit()
        yield f"backed out: {members}"
        if is_marked:
            self.got = 1
            yield "The marked message did not return: it is now in a new unit of work, which you commit or back out."

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnect, which commits an open unit of work, and say so; back it out when the shell fails."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.__exit__(kind, error, trace)
        except MQError as broken:
            self.failed = True
            notice(f"mqsc: {error_text(broken)}")
            self._inform_about_end("backed out")
        else:
            self._inform_about_end("committed" if kind is None else "backed out")

    def _inform_about_end(self, how: str) -> None:
        if self.is_open:
            notice(f"mqsc: the open unit of work was {how}: {self._members()}")

    def status(self) -> str:
        """The open unit of work in brackets, blank when none is open."""
        return f" (unit of work: {self._members()})" if self.is_open else ""

    @property
    def is_open(self) -> bool:
        """Whether a unit of work is open."""
        return self.got + self.put > 0

    def _members(self) -> str:
        return ", ".join(f"{count} {what}" for count, what in ((self.got, "got"), (self.put, "put")) if count)

    def _forget_unit(self) -> None:
        self.got = self.put = 0
        self._is_marked = False

    def _lost(self) -> Iterator[str]:
        if self.is_open:
            yield f"The unit of work was backed out: {self._members()}."
        self._connection = None
        self._forget_unit()


def _split(text: str) -> tuple[str, str]:
    """The first word of a command, in lower case, and the rest."""
    name, *rest = [*text.split(maxsplit=1), ""]
    return name.lower(), rest[0] if rest else ""


def words_of(text: str) -> list[str]:
    """The words of a line without their quotes. ValueError for a quote that is not closed."""
    words: list[str] = []
    for found in _WORD.finditer(text):
        single, double, plain = found.groups()
        if plain is not None and plain[0] in "'\"":
            raise ValueError(f"{plain} begins with a quote that is not closed")
        words.append(plain if plain is not None else Quoted(double if single is None else single.replace("''", "'")))
    return words


@click.command()
@click.argument("queue", type=QueueName())
@click.option("--syncpoint", is_flag=True, help="In the unit of work: commit removes the message, back returns it.")
@click.option(
    "--mark-skip-backout", is_flag=True, help="With --syncpoint: the first back of the unit of work leaves it out."
)
@click.option("--count", type=click.IntRange(min=1), default=1, metavar="N", help="Get at most N messages.")
@click.option(
    "--wait",
    type=Duration(MILLISECOND, lowest=-1),
    metavar="TIME",
    help="Wait up to this long for each message, such as 30s; a bare number means milliseconds.",
)
@identifier_options
@click.pass_obj
def get(session: UnitSession, /, queue: str, count: int, **given: Any) -> Iterator[str]:
    """Get a message from QUEUE and print it."""
    syncpoint, marked, wait = given["syncpoint"], given["mark_skip_backout"], given["wait"]
    if marked and not syncpoint:
        raise click.UsageError("--mark-skip-backout needs --syncpoint (otherwise MQRC_OPTIONS_ERROR)")
    return _got(session, queue, count, wait, _get_options(given, syncpoint, marked), in_unit=syncpoint, marked=marked)


def _get_options(given: Mapping[str, Any], syncpoint: bool, marked: bool) -> Any:
    flags = MQGMO.FAIL_IF_QUIESCING | (MQGMO.SYNCPOINT if syncpoint else MQGMO.NO_SYNCPOINT)
    flags |= (MQGMO.MARK_SKIP_BACKOUT if marked else 0) | (MQGMO.WAIT if given["wait"] else 0)
    options = options_matching(given["msg_id"], given["correl_id"], flags)
    options.wait_interval = given["wait"] or 0
    return options


def _got(
    session: UnitSession, queue: str, count: int, wait: int | None, options: Any, *, in_unit: bool, marked: bool
) -> Iterator[str]:
    if wait:
        inform_about_manual_clock(session.choices, session.qmgr)
    with session.opened(queue, MQOO.INPUT_AS_Q_DEF) as handle:
        for _ in range(count):
            message = get_or_none(handle, options)
            if message is None:
                yield f"no message on {queue}{session.status()}"
                return
            session.got += in_unit
            if marked:
                session.note_mark()
            yield from body_lines(message.body)
            skips = ", skips the next backout" if marked else ""
            yield f"  backout count {message.descriptor.backout_count}{skips}{session.status()}"


@click.command()
@click.argument("queue", type=QueueName())
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option("--syncpoint", is_flag=True, help="In the unit of work: commit makes it visible, back removes it.")
@click.option("--priority", type=click.IntRange(0, 9), metavar="0-9", help="Priority (default: from the queue).")
@click.option(
    "--expiry",
    type=Duration(TENTH_OF_A_SECOND, lowest=1),
    metavar="TIME",
    help="Lifetime, such as 90s; a bare number means tenths of a second.",
)
@click.option("--persistent/--not-persistent", default=None, help="Persistence (default: from the queue).")
@click.pass_obj
def put(session: UnitSession, /, queue: str, texts: tuple[str, ...], **given: Any) -> Iterator[str]:
    """Put each TEXT as a message on QUEUE: all of them or, after an error, none."""
    syncpoint, persistent = given.pop("syncpoint"), given.pop("persistent")
    fields = {name: value for name, value in given.items() if value is not None}
    if persistent is not None:
        fields["persistence"] = MQPER.PERSISTENT if persistent else MQPER.NOT_PERSISTENT
    options = PutMessageOptions(MQPMO.FAIL_IF_QUIESCING | (MQPMO.SYNCPOINT if syncpoint else MQPMO.NO_SYNCPOINT))
    messages = [
        Message(text.encode("utf-8", "surrogateescape"), MessageDescriptor(format=MQFMT.STRING.strip(), **fields))
        for text in texts
    ]
    return _put(session, queue, messages, options, in_unit=syncpoint)


def _put(
    session: UnitSession, queue: str, messages: list[Message], options: PutMessageOptions, *, in_unit: bool
) -> Iterator[str]:
    with session.opened(queue, MQOO.OUTPUT) as handle:
        handle.put(messages, options)
    session.put += len(messages) * in_unit
    yield f"{counted(len(messages), 'message')} put on {queue}{session.status()}"


@click.command()
@click.pass_obj
def commit(session: UnitSession, /) -> Iterator[str]:
    """Commit the unit of work: messages got are gone, messages put can be got."""
    return session.commit()


@click.command()
@click.pass_obj
def back(session: UnitSession, /) -> Iterator[str]:
    """Back out the unit of work: messages got return with a greater backout count, messages put are removed."""
    return session.back()


UNIT_COMMANDS: Mapping[str, click.Command] = {"get": get, "put": put, "commit": commit, "back": back}
NAMES: tuple[str, ...] = tuple(UNIT_COMMANDS)
