"""The shell's own commands on messages, for trying a unit of work by hand: get, put, commit and
back.

They are not MQSC. get and put take the options of `mqsc get` and `mqsc put`, and some of their own.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

import click

from mqsc.cli.get import GetRequest, GetUnit, explain_get, get, get_all
from mqsc.cli.put import PutReport, PutRequest, Target, descriptor_fields, put, put_all
from mqsc.console.getting import inform_about_discarded, opened
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.object_names import NAMES_GIVEN, GivenName, with_suggestion
from mqsc.console.options import Choices, choices_of
from mqsc.console.target import inform_about_manual_clock
from mqsc.console.terminal import notice
from mqsc.console.text.message_properties import GivenProperty
from mqsc.console.text.reasons import error_text
from mqsc.console.usage_error import usage_error_text
from mqsc.shell.own_commands import OwnCommandError
from mqsc.shell.quoted_words import words_of
from mqsc.store import Message, MQError
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC

# Options of the command line that a session gives itself.
GIVEN_BY_SESSION = frozenset({"store", "qmgr", "quiet"})
# After these the queue manager has backed out the unit of work and ended the connection.
_DISCONNECTED = frozenset({MQRC.CONNECTION_BROKEN, MQRC.HCONN_ERROR, MQRC.Q_MGR_NOT_AVAILABLE})


class UnitSession:
    """One connection for the gets and puts under syncpoint, commit and back of a shell, made by the
    first of them.

    `got` and `put` count the messages of the open unit of work. `say` prints a remark, which is not
    data. `failed`: the unit of work could not be ended.
    """

    def __init__(
        self,
        qmgr: QueueManager,
        choices: Choices,
        say: Callable[[str], None] = notice,
    ) -> None:
        self.qmgr = qmgr
        self.choices = choices
        self.say = say
        self.got = self.put = 0
        self.failed = False
        self._connection: Connection | None = None
        self._is_marked = False

    def carry_out(self, text: str, format: str | None = None) -> bool:
        """Carry out a command on messages; False when `text` is something else. OwnCommandError.

        `format`: print messages in this format, if the command does not name another one.
        """
        name, *rest = [*text.split(maxsplit=1), ""]
        name = name.lower()
        if name not in UNIT_COMMANDS:
            return False
        names: list[GivenName] = []
        try:
            self._invoke(
                name,
                words_of(rest[0]),
                names,
                self.choices._replace(format=format),
            )
        except (click.UsageError, ValueError) as error:
            sentence = (
                usage_error_text(error) if isinstance(error, click.UsageError) else str(error)
            )
            raise OwnCommandError(f"{sentence}\n{name} --help lists what {name} takes.") from error
        except (click.ClickException, MQError) as error:
            sentence = error_text(error) if isinstance(error, MQError) else error.format_message()
            broken = self._connection is not None and not self._connection.is_connected
            lost = self._lost() if broken or getattr(error, "reason", None) in _DISCONNECTED else ""
            raise OwnCommandError(f"{with_suggestion(sentence, names)}{lost}") from error
        return True

    def _invoke(
        self,
        name: str,
        words: list[str],
        names: list[GivenName],
        choices: Choices,
    ) -> None:
        command = UNIT_COMMANDS[name]
        around = click.Context(
            click.Command(None),
            obj=self,
            terminal_width=shutil.get_terminal_size().columns,
        )
        around.meta[NAMES_GIVEN] = names
        try:
            with command.make_context(name, words, around, obj=choices) as context:
                command.invoke(context)
        except click.exceptions.Exit:
            # --help has been printed.
            return

    @contextmanager
    def connected(self, *, in_unit: bool) -> Iterator[Connection]:
        """The connection of the unit of work; otherwise one for this command only, as on the
        command line.
        """
        if not in_unit:
            with self.qmgr.connect() as connection:
                yield connection
            return
        if self._connection is None:
            self._connection = self.qmgr.connect()
        yield self._connection

    def release(self) -> None:
        """Disconnect if no unit of work is open, so that the queue manager can end. The next
        command connects again.
        """
        if self._connection is not None and not self.is_open:
            connection, self._connection = self._connection, None
            # A queue manager that has ended has disconnected it already.
            with suppress(MQError):
                connection.disconnect()

    def note_mark(self) -> None:
        """Remember that a message of the unit of work skips its backout."""
        self._is_marked = True

    def commit(self) -> None:
        if not self.is_open or self._connection is None:
            self.say("no unit of work is open: nothing to commit")
            return
        members = self._members()
        self._connection.commit()
        self._forget_unit()
        self.say(f"committed: {members}")

    def back(self) -> None:
        is_marked, members = self._is_marked, self._members()
        if not self.is_open or self._connection is None:
            self.say("no unit of work is open: nothing to back out")
            return
        self._connection.back()
        self._forget_unit()
        self.say(f"backed out: {members}")
        if is_marked:
            self.got = 1
            self.say(
                "The marked message did not return: it is now in a new unit of work, which you "
                "commit or back out.",
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Disconnect, which commits an open unit of work, and say so; back it out when the shell
        fails.
        """
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
        return ", ".join(
            f"{count} {what}" for count, what in ((self.got, "got"), (self.put, "put")) if count
        )

    def _forget_unit(self) -> None:
        self.got = self.put = 0
        self._is_marked = False

    def _lost(self) -> str:
        """Forget the connection, which has ended; a line about the unit of work, blank if none
        was open.
        """
        lost = f"\nThe unit of work was backed out: {self._members()}." if self.is_open else ""
        self._connection = None
        self._forget_unit()
        return lost


@contextmanager
def closing_handle(handle: ObjectHandle) -> Iterator[ObjectHandle]:
    """The handle, closed at the end: one that stayed open would be in the way of ALTER and
    DELETE.
    """
    try:
        yield handle
    finally:
        if handle.connection.is_connected:
            handle.close()


def _session() -> UnitSession:
    """The session whose command is being carried out."""
    session = click.get_current_context().find_object(UnitSession)
    assert session is not None
    return session


def _like(
    command: click.Command,
    callback: Callable[..., None],
    *own: click.Parameter,
) -> click.Command:
    """A command with the parameters of one of the command line, without those that the session
    gives, and its own.
    """
    params = [each for each in command.params if each.name not in GIVEN_BY_SESSION]
    return click.Command(
        command.name,
        callback=callback,
        params=[*params, *own],
        help=callback.__doc__,
    )


def _get(
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
    syncpoint: bool,
    mark_skip_backout: bool,
) -> None:
    """Get messages from QUEUE and print them; after each, its backout count and the open unit of
    work.
    """
    session, choices = _session(), choices_of(click.get_current_context())
    if mark_skip_backout and not syncpoint:
        raise click.UsageError(
            "--mark-skip-backout needs --syncpoint (otherwise MQRC_OPTIONS_ERROR)",
        )
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
        explain_get(choices._replace(qmgr=session.qmgr.name), wanted)
        return
    if wanted.wait:
        inform_about_manual_clock(choices, session.qmgr)

    def written(message: Message) -> None:
        session.got += syncpoint
        if mark_skip_backout:
            session.note_mark()
        if choices.format not in DATA_FORMATS:
            skips = ", skips the next backout" if mark_skip_backout else ""
            session.say(
                f"  backout count {message.descriptor.backout_count}{skips}{session.status()}",
            )

    with session.connected(in_unit=syncpoint) as connection:
        flags = MQGMO.SYNCPOINT | (MQGMO.MARK_SKIP_BACKOUT if mark_skip_backout else 0)
        unit = GetUnit(flags, (lambda: None) if syncpoint else connection.commit, written)
        options = MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING
        with closing_handle(opened(connection, queue, options, wanted.selector)) as handle:
            got = get_all(handle, wanted, choices.format, unit)
        inform_about_discarded(choices, connection)
    if not got:
        session.say(f"{wanted.nothing}{session.status()}")


def _put(
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
    properties: tuple[GivenProperty, ...],
    syncpoint: bool,
) -> None:
    """Put messages on QUEUE, or publish them to a topic: each TEXT is one message; - reads standard
    input, one message per line.

    Texts are put first, then files.
    """
    to = Target.of(queue, topic, retain=retain)
    if topic is not None and queue is not None:
        texts = (queue, *texts)
    session, choices = _session(), choices_of(click.get_current_context())
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

    def placed(number: int) -> int:
        session.put += number * syncpoint
        return number

    put_report = PutReport(lambda sentence: session.say(f"{sentence}{session.status()}"), placed)
    with session.connected(in_unit=syncpoint) as connection:
        flags = MQPMO.FAIL_IF_QUIESCING | (MQPMO.SYNCPOINT if syncpoint else MQPMO.NO_SYNCPOINT)
        with closing_handle(to.opened(connection)) as handle:
            chunks = wanted.chunks(connection, session.qmgr.store.path)
            put_all(handle, chunks, choices.format, put_report, flags | to.options)


@click.command()
def commit() -> None:
    """Commit the unit of work: messages got are gone, messages put can be got."""
    _session().commit()


@click.command()
def back() -> None:
    """Back out the unit of work: messages got return with a greater backout count, messages put
    are removed.
    """
    _session().back()


def _flag(name: str, help: str) -> click.Option:
    return click.Option([name], is_flag=True, help=help)


_SKIP = "With --syncpoint: the first back of the unit of work leaves it out."
_OF_GET = "In the unit of work: commit removes the message, back returns it."
_OF_PUT = "In the unit of work: commit makes it visible, back removes it."
UNIT_COMMANDS: Mapping[str, click.Command] = {
    "get": _like(get, _get, _flag("--syncpoint", _OF_GET), _flag("--mark-skip-backout", _SKIP)),
    "put": _like(put, _put, _flag("--syncpoint", _OF_PUT)),
    "commit": commit,
    "back": back,
}


def unit_help(name: str) -> Iterator[str]:
    """What a command does in the shell only, besides what it does on the command line."""
    command = UNIT_COMMANDS[name]
    yield f"In the shell: {command.get_short_help_str(200)}"
    for parameter in command.params:
        if parameter.name in ("syncpoint", "mark_skip_backout") and isinstance(
            parameter, click.Option
        ):
            yield f"  {parameter.opts[0]}  {parameter.help}"
