"""An open store and a queue manager in it, as the layers below `store.client` see them."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from store.constants import MQRC
from store.engine.call_context import CallContext, Command, time_of
from store.engine.change_watch import ChangeWatch
from store.environment import Environment
from store.error import MQError, StoreError
from store.rules.command_messages import COMMAND_SERVER, Issuer
from store.sql import connections, managers
from store.sql.managers import ENDED
from store.sql.rows import ManagerRow
from store.sql.statistics import WaitPlace, WaitState, wait_states
from store.sqlite import liveness
from store.sqlite.database import Database, Queries, Reading, Transaction
from store.sqlite.liveness import LivenessFile


class StoreState:
    """One SQLite file, open in this process.

    `process` is the number under which this process is registered in the store, 0 until it first connects.
    `abandoned` holds the numbers of connections that were garbage-collected without being closed; the next call backs
    them out. `forks` counts how often this process was forked from one that had the store open: connections made before
    a fork answer 2018. `running` are the channel instances that this process runs: queue manager, channel and partner.
    """

    def __init__(self, path: str | None, environment: Environment[Any], *, create: bool = True) -> None:
        """`path` is None for a store in memory; StoreError when the file is missing and `create` is false."""
        if path is not None and not create and not os.path.exists(path):
            raise StoreError(f"there is no store at {path}")
        self.path = path
        self.environment = environment
        self.database = Database(path)
        self.change_watch = ChangeWatch(self.database.data_version, environment.clock, self._states_of)
        self.process = 0
        self._alive: LivenessFile | None = None
        self._registering = threading.Lock()
        # Held while the liveness file is created: a fork in between would give the child a lock that nobody knows of.
        self._entering = threading.RLock()
        self.abandoned: list[int] = []
        self.running: set[tuple[str, str, str]] = set()
        self.forks = 0
        # Whether programs that connect need no password: those of the administrator, who can read the file anyway.
        self.is_administrators = False

    def register_process(self) -> int:
        """The number of this process in the store; its liveness file exists and is locked from here on."""
        if self.path is None:
            return 0
        with self._registering:
            if self._alive is not None and not self._alive.is_in_place():
                # Others take this process for dead: its connections end, and new ones need another file.
                self._alive.forget()
                self._alive, self.process = None, 0
            if self.process == 0:
                # Set before the store is written to: a child forked during that wait must release it.
                with self._entering:
                    alive = self._alive = LivenessFile(liveness.folder_beside(self.path))
                try:
                    with Transaction(self.database, durable=False) as tx:
                        number = connections.add_process(tx, alive.name)
                except BaseException:
                    alive.release()
                    self._alive = None
                    raise
                self.process = number
        return self.process

    def _states_of(self, places: Collection[WaitPlace]) -> Mapping[WaitPlace, WaitState]:
        with Reading(self.database) as reading:
            return wait_states(reading, places)

    def before_fork(self) -> None:
        """Close what a child must not inherit; nothing is opened until the fork is done."""
        self._entering.acquire()
        self.database.before_fork()

    def after_fork_in_parent(self) -> None:
        """Let calls go on."""
        self.database.after_fork_in_parent()
        self._entering.release()

    def after_fork_in_child(self) -> None:
        """The child owns none of its parent's connections: they answer 2018, and the lock stays the parent's."""
        self.forks += 1
        self.database.after_fork_in_child()
        if self._alive is not None:
            self._alive.forget()
            self._alive = None
        self.process = 0
        # Finalizers of inherited connections keep the old list: they must not end connections of the parent.
        self.abandoned = []
        self.running = set()
        self._registering = threading.Lock()
        self._entering = threading.RLock()
        self.change_watch = ChangeWatch(self.database.data_version, self.environment.clock, self._states_of)


class CommandTransaction(Transaction):
    """A transaction and the context of a command, which are what a block gets; see QueueManagerState.transaction()."""

    __slots__ = ("qmgr", "running")
    qmgr: QueueManagerState
    running: bool

    def __enter__(self) -> tuple[Transaction, CallContext]:  # type: ignore[override]
        super().__enter__()
        try:
            return self, self.qmgr.call_context(self, running=self.running)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise


class QueueManagerState:
    """A queue manager of an open store, by name; `command` is the one that is being performed, if events need it.

    `issuer` sent the commands that are performed as messages.
    """

    def __init__(self, store: StoreState, name: str) -> None:
        self.store = store
        self.name = name
        self.command: Command | None = None
        self.issuer: Issuer | None = None

    def row(self) -> ManagerRow:
        """The queue manager's current row; MQError 2058 when it was deleted."""
        with Reading(self.store.database) as reading:
            found = managers.by_name(reading, self.name)
        if found is None:
            raise MQError(MQRC.Q_MGR_NAME_ERROR, self.name)
        return found

    def now(self) -> int:
        """The queue manager's time, microseconds UTC."""
        return time_of(self.row(), self.store.environment)

    def call_context(self, tx: Queries, *, running: bool = True) -> CallContext:
        """The administrator as the cause of this transaction's changes; MQError 2058, or 2059 unless running."""
        row = managers.by_name(tx, self.name)
        if row is None:
            raise MQError(MQRC.Q_MGR_NAME_ERROR, self.name)
        if running and row.state == ENDED:
            raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, self.name)
        environment = self.store.environment
        now, application, user = time_of(row, environment), environment.application, environment.user
        if self.issuer is not None:
            application, user = COMMAND_SERVER, self.issuer.user
        command = self.command
        if command is not None and command.event_setting is None:
            command.event_setting = row.command_event
        return CallContext(row, now, environment, None, application, user, command)

    def transaction(self, *, durable: bool = False, running: bool = True) -> CommandTransaction:
        """A transaction of a command, and the context of its calls; errors as `call_context`."""
        made = CommandTransaction(self.store.database, durable)
        made.qmgr, made.running = self, running
        return made

    @contextmanager
    def reading(self, *, running: bool = True) -> Iterator[tuple[Reading, CallContext]]:
        """A read of one state, and the context of a command; errors as `call_context`."""
        with Reading(self.store.database) as reading:
            yield reading, self.call_context(reading, running=running)
