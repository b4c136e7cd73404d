"""A run of the dead-letter handler from its arguments to its exit code, in the order that IBM's command keeps (§1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING

from mqsc.agents.stopping import StopRequested
from mqsc.console.inputs import InputError
from mqsc.diagnostic import Diagnostic
from mqsc.dlq.handler import TO_HANDLE, Handler, HandlerStoppedError, ended_by
from mqsc.dlq.notices import (
    BROKEN,
    CLOSE,
    CONNECT,
    DISCONNECT,
    ENDING,
    OPEN,
    STARTED,
    TABLE_READ,
    TABLE_REFUSED,
    Notice,
    notice,
    of_failure,
)
from mqsc.dlq.read import Reading, read_table
from mqsc.dlq.reload import TableChanged, WatchedFile
from mqsc.dlq.rules import RulesTable
from store.admin.put_preview import leads_to
from store.error import MQError, StoreError

if TYPE_CHECKING:
    from store.client.api import Connection, ObjectHandle, Store

APPLICATION = "runmqdlq"
ENDED, FAILED, NOT_STARTED = 0, 10, 20


@dataclass(frozen=True, slots=True)
class Asked:
    """What is said beside the table; None leaves it to the table.

    A blank `queue` means DEADQ, a blank `queue_manager` the default one; neither is then looked for in the table (T29).
    `user` is who the handler works as, blank for whoever runs it.
    """

    queue: str | None = None
    queue_manager: str | None = None
    user: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """Where the rules table comes from: `lines` reads it, `watched` is its file when changes take effect at once.

    `lines` may raise Stopped: the handler is told to stop while it waits for its table.
    """

    name: str
    lines: Callable[[], Iterable[bytes | str]]
    watched: WatchedFile | None = None

    def read(self) -> Reading:
        """The table, or its errors."""
        return read_table(self.lines(), self.name)


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told: `log` every message of the handler with its moment (microseconds UTC), `talk` what is no message."""

    log: Callable[[int, Notice], None]
    talk: Callable[[str], None]


class HandlerNotStartedError(Exception):
    """Nothing was begun: exit code 20."""


def run_handler(store: Store, rules: Rules, asked: Asked, listener: Listener, stop: Event) -> int:
    """Run the handler until it has nothing left to do or is told to stop; its exit code.

    0 when it ended by itself or by `stop`, 10 when an error ended it, 20 when it did not start: a table with errors, a
    queue manager that cannot be connected to. StoreError when the store cannot be used from the beginning.
    """
    attempt = _Run(store, rules, asked, listener, stop)
    try:
        try:
            return attempt.result()
        finally:
            attempt.leave()
    except HandlerNotStartedError:
        return NOT_STARTED
    except StoreError as fault:
        if not attempt.has_begun:
            raise
        listener.talk(f"mqsc: {fault}")
        return FAILED


def with_queue(table: RulesTable, queue: str | None) -> RulesTable:
    """The table with a queue that was named beside it as its INPUTQ; a blank one leaves DEADQ."""
    return table if queue is None else replace(table, control=replace(table.control, input_queue=queue.rstrip(" ")))


def of_findings(reading: Reading) -> list[Notice]:
    """What is said of a table with errors: each under its own id."""
    return [
        Notice(each.rule_id, f"{_place(each)}: {each.message}" + (f"; right: {each.right}" if each.right else ""))
        for each in reading.findings
    ]


def _place(finding: Diagnostic) -> str:
    numbers = (str(number) for number in (finding.line, finding.column) if number)
    return ":".join((finding.file or "-", *numbers))


class _Run:
    """One run; holds the connection from the moment there is one, and whether it was said that it has started."""

    def __init__(self, store: Store, rules: Rules, asked: Asked, listener: Listener, stop: Event) -> None:
        self._store = store
        self._rules = rules
        self._asked = asked
        self._listener = listener
        self._stop = stop
        self._connection: Connection | None = None
        self.has_begun = False

    def result(self) -> int:
        """Start, work, end; the exit code. NotStarted."""
        # A queue manager that is named goes before the table, one in the table comes after it.
        named = self._asked.queue_manager
        connection = None if named is None else self._connected(named)
        table = self._table()
        connection = connection or self._connected(table.control.input_queue_manager)
        table = with_queue(table, self._asked.queue)
        name = table.control.input_queue or str(connection.qmgr.row().dead_letter_queue)
        self._begun(connection, name)
        try:
            self._work(self._opened(connection, name), table)
        except HandlerStoppedError as ended:
            if ended.said is None:
                self._listener.talk(f"mqsc: {ended}")
                return FAILED
            self._say(ended.said)
            self._say(notice(ENDING))
            return FAILED
        self._say(notice(ENDING))
        return ENDED

    def leave(self) -> None:
        """Disconnect; what a failure left undone is backed out, not committed."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.unit.is_open:
                connection.back()
            connection.disconnect()
        except MQError as error:
            if int(error.reason) not in BROKEN:
                self._say(of_failure(DISCONNECT, error, connection.qmgr.name))

    def _say(self, said: Notice) -> None:
        self._listener.log(self._now(), said)

    def _now(self) -> int:
        """The queue manager's time where there is one."""
        if self._connection is None:
            return int(self._store.environment.clock.now())
        try:
            return self._connection.qmgr.now()
        except MQError:
            return int(self._store.environment.clock.now())

    def _table(self) -> RulesTable:
        try:
            reading = self._rules.read()
        except StopRequested as stopped:
            self._listener.talk("mqsc: told to stop before the rules table was read; nothing was done")
            raise HandlerNotStartedError from stopped
        for each in of_findings(reading):
            self._say(each)
        if reading.table is None:
            raise HandlerNotStartedError
        return reading.table

    def _connected(self, name: str) -> Connection:
        try:
            qmgr = self._store.queue_manager(name.rstrip(" "))
            self._connection = qmgr.connect(APPLICATION, self._asked.user, agent="handler")
        except MQError as error:
            self._say(of_failure(CONNECT, error, name.strip() or error.object_name))
            raise HandlerNotStartedError from error
        return self._connection

    def _begun(self, connection: Connection, name: str) -> None:
        qmgr = connection.qmgr
        if qmgr.row().clock_at is not None:
            self._listener.talk(f"mqsc: {qmgr.name} has a manual clock: WAIT and RETRYINT wait for `mqsc clock`")
        self._say(notice(STARTED, queue=name or "' '", queue_manager=qmgr.name))
        self.has_begun = True

    def _opened(self, connection: Connection, name: str) -> ObjectHandle:
        try:
            return connection.open(name, TO_HANDLE)
        except MQError as error:
            raise ended_by(OPEN, error, name) from error

    def _work(self, queue: ObjectHandle, table: RulesTable) -> None:
        qmgr = queue.connection.qmgr
        own = leads_to(qmgr, queue.name)
        handler = Handler(queue, table, self._say, lambda *target: leads_to(qmgr, *target) == own)
        while self._has_to_read_again(handler):
            self._read_again(handler)
        try:
            queue.close()
        except MQError as error:
            raise ended_by(CLOSE, error, queue.name) from error

    def _has_to_read_again(self, handler: Handler) -> bool:
        """Let the handler work until it ends (False), or the table has changed (True)."""
        try:
            handler.run(self._goes_on)
        except StopRequested:
            return False
        except TableChanged:
            return True
        return False

    def _goes_on(self) -> bool:
        """Asked between two messages."""
        if self._rules.watched is not None and self._rules.watched.has_changed():
            raise TableChanged
        return not self._stop.is_set()

    def _read_again(self, handler: Handler) -> None:
        """The file has changed: its rules are in force from now on, if it has no errors. The queue stays the same."""
        try:
            reading = self._rules.read()
        except InputError as fault:
            self._listener.talk(f"mqsc: {fault}")
            self._say(notice(TABLE_REFUSED))
            return
        except StopRequested:
            # The next message is not begun.
            return
        for each in of_findings(reading):
            self._say(each)
        if reading.table is None:
            self._say(notice(TABLE_REFUSED))
            return
        self._say(notice(TABLE_READ, rules=len(reading.table.rules)))
        handler.adopt(reading.table)
