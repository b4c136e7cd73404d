"""A run of the handler from start to end; it loads the rules table again when its file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from threading import Event

from msgspec import Struct

from mqsc.agents.stopping import StopRequested
from mqsc.console.inputs import InputError
from mqsc.console.stopped_waits import sentence
from mqsc.diagnostic import Diagnostic
from mqsc.dlq import notices, rules_table, table_reading
from mqsc.dlq.handler import HANDLER_OPEN_OPTIONS, Handler, HandlerStoppedError, stopped_by
from mqsc.dlq.notices import Notice, failure_notice, notice
from mqsc.dlq.watched_file import TableChanged, WatchedFile
from mqsc.store.admin import history, put_preview
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC
from mqsc.store.error import MQError, StoreError

APPLICATION = "runmqdlq"
ENDED = 0
FAILED = 10
NOT_STARTED = 20


class HandlerArguments(Struct, frozen=True):
    """Arguments that override the rules table; None takes the value from the table.

    A blank `queue` is the DEADQ and a blank `queue_manager` the default one, whatever the table
    says: a blank argument overrides INPUTQ too (dlq-rules §7, 29). `user` is the user of the
    handler's connection; blank is the user who runs it.
    """

    queue: str | None = None
    queue_manager: str | None = None
    user: str = ""


class TableSource(Struct, frozen=True):
    """Where the rules table comes from: `lines` reads it. With `watched`, changes of that file take
    effect at once.

    `lines` may raise StopRequested, when a stop is requested while the handler waits for its table.
    """

    name: str
    lines: Callable[[], Iterable[bytes | str]]
    watched: WatchedFile | None = None

    def read(self) -> table_reading.ParsedTable:
        return table_reading.parse_table(self.lines(), self.name)


class HandlerOutput(Struct, frozen=True):
    """`log` gets each message of the handler with its time (microseconds UTC), `talk` gets
    everything else.
    """

    log: Callable[[int, Notice], None]
    talk: Callable[[str], None]


class HandlerNotStartedError(Exception):
    """The handler could not start; the exit code says why."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


def run_handler(
    store: Store,
    source: TableSource,
    arguments: HandlerArguments,
    output: HandlerOutput,
    stop: Event,
) -> int:
    """Run the handler until it has nothing left to do or `stop` is set. Returns its exit code.

    0 when it ended normally or by `stop`, 10 when an error ended it or the queue manager does not
    exist, 20 when it did not start because the table has errors or the connection failed. Raises
    StoreError when the store cannot be used from the start.
    """
    run = _Run(store, source, arguments, output, stop)
    try:
        try:
            return run.exit_code()
        finally:
            run.disconnect()
    except HandlerNotStartedError as error:
        return error.exit_code
    except StoreError as fault:
        if not run.has_started:
            raise
        output.talk(f"mqsc: {fault}")
        return FAILED


def with_queue(table: rules_table.RulesTable, queue: str | None) -> rules_table.RulesTable:
    """The table with `queue` as its INPUTQ, if one is given; a blank one is the DEADQ."""
    return (
        table
        if queue is None
        else replace(table, control=replace(table.control, input_queue=queue.rstrip(" ")))
    )


def _error_notice(diagnostic: Diagnostic) -> Notice:
    numbers = (str(number) for number in (diagnostic.line, diagnostic.column) if number)
    place = ":".join((diagnostic.file or "-", *numbers))
    return Notice(diagnostic.rule_id, f"{place}: {diagnostic.text}")


class _Run(Struct):
    """One run: its connection once there is one, and whether the handler has reported that it
    started.
    """

    store: Store
    source: TableSource
    arguments: HandlerArguments
    output: HandlerOutput
    stop: Event
    connection: Connection | None = None
    has_started: bool = False

    def exit_code(self) -> int:
        """Start, process messages, end. Raises HandlerNotStartedError."""
        # A queue manager in the arguments is connected to before the table is read, one in the
        # table afterwards.
        named = self.arguments.queue_manager
        connection = None if named is None else self._connect(named)
        table = self._read_table()
        connection = connection or self._connect(table.control.input_queue_manager)
        table = with_queue(table, self.arguments.queue)
        queue = table.control.input_queue or str(connection.qmgr.row().dead_letter_queue)
        self._report_start(connection, queue)
        exit_code = ENDED
        try:
            self._process(self._open(connection, queue), table)
        except HandlerStoppedError as error:
            if error.notice is None:
                self.output.talk(f"mqsc: {error}")
                return FAILED
            self._log(error.notice)
            exit_code = FAILED
        self._log(notice(notices.ENDING))
        return exit_code

    def disconnect(self) -> None:
        """Back out a unit of work that a failure left open, then disconnect."""
        connection = self.connection
        if connection is None:
            return
        try:
            if connection.unit.is_open:
                connection.back()
            connection.disconnect()
        except MQError as error:
            if int(error.reason) not in notices.BROKEN:
                self._log(failure_notice(notices.DISCONNECT, error, connection.qmgr.name))

    def _log(self, logged: Notice) -> None:
        self.output.log(self._now(), logged)

    def _log_all(self, logged: Iterable[Notice]) -> None:
        for each in logged:
            self._log(each)

    def _now(self) -> int:
        """The queue manager's time, or the environment's when there is no connection."""
        with suppress(MQError):
            if self.connection is not None:
                return self.connection.qmgr.now()
        return int(self.store.environment.clock.now())

    def _read_table(self) -> rules_table.RulesTable:
        try:
            table = self._parsed()
        except StopRequested as stopped:
            self.output.talk(
                "mqsc: stopped before the rules table was read; no message was processed",
            )
            raise HandlerNotStartedError(NOT_STARTED) from stopped
        if table is None:
            raise HandlerNotStartedError(NOT_STARTED)
        return table

    def _parsed(self) -> rules_table.RulesTable | None:
        """The table; None if it has errors, which are reported."""
        parsed = self.source.read()
        self._log_all(map(_error_notice, parsed.diagnostics))
        return parsed.table

    def _connect(self, name: str) -> Connection:
        try:
            qmgr = self.store.queue_manager(name.rstrip(" "))
            self.connection = qmgr.connect(APPLICATION, self.arguments.user, agent="handler")
        except MQError as error:
            self._log(failure_notice(notices.CONNECT, error, name.strip() or error.object_name))
            unknown = error.reason == MQRC.Q_MGR_NAME_ERROR
            raise HandlerNotStartedError(FAILED if unknown else NOT_STARTED) from error
        return self.connection

    def _report_start(self, connection: Connection, queue: str) -> None:
        qmgr = connection.qmgr
        if qmgr.row().clock_at is not None:
            self.output.talk(
                sentence(qmgr.name, "WAIT and RETRYINT wait for `mqsc clock`"),
            )
        self._log(notice(notices.STARTED, queue=queue or "' '", queue_manager=qmgr.name))
        self.has_started = True

    def _open(self, connection: Connection, queue: str) -> ObjectHandle:
        try:
            return connection.open(queue, HANDLER_OPEN_OPTIONS, dynamic_name=None)
        except MQError as error:
            raise stopped_by(notices.OPEN, error, queue) from error

    def _process(self, queue: ObjectHandle, table: rules_table.RulesTable) -> None:
        qmgr = queue.connection.qmgr
        own = put_preview.leads_to(qmgr, queue.name)
        handler = Handler(
            queue,
            table,
            self._log,
            leads_back=lambda *target: put_preview.leads_to(qmgr, *target) == own,
            times_moved=lambda descriptor, target: history.times_moved(
                qmgr,
                own,
                descriptor,
                target=target,
            ),
        )
        try:
            while self._table_changed(handler):
                self._reload(handler)
        except HandlerStoppedError:
            self._log_all(handler.totals())
            raise
        self._log_all(handler.totals())
        try:
            queue.close()
        except MQError as error:
            raise stopped_by(notices.CLOSE, error, queue.name) from error

    def _table_changed(self, handler: Handler) -> bool:
        """Let the handler run until it ends (False) or the table changes (True)."""
        try:
            with suppress(StopRequested):
                handler.run(self._may_continue)
        except TableChanged:
            return True
        return False

    def _may_continue(self) -> bool:
        if self.source.watched is not None and self.source.watched.has_changed():
            raise TableChanged
        return not self.stop.is_set()

    def _reload(self, handler: Handler) -> None:
        """Use the changed rules if they have no errors. The queue stays the same."""
        try:
            table = self._parsed()
        except InputError as fault:
            self.output.talk(f"mqsc: {fault}")
            self._log(notice(notices.TABLE_REJECTED))
            return
        except StopRequested:
            # `_may_continue` now ends the handler.
            return
        if table is None:
            self._log(notice(notices.TABLE_REJECTED))
            return
        self._log_all(handler.rule_totals())
        self._log(notice(notices.TABLE_READ, rules=len(table.rules)))
        handler.use(table)
