"""The open store and its queue managers in this process, and the context of a call.

They share a file because each refers to the others.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain, repeat
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec import Struct

from mqsc.store.constants import MQRC
from mqsc.store.engine.change_watch import ChangeWatch
from mqsc.store.environment import Clock, Environment, steady_now
from mqsc.store.error import MissingStoreError, refuse_if, required
from mqsc.store.rules.command_message import Issuer
from mqsc.store.rules.made_message import Maker
from mqsc.store.rules.masking import masked
from mqsc.store.sql import connections, kept, managers
from mqsc.store.sql.managers import ENDED
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sql.statistics import wait_states
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.database import Database, Reading, Transaction
from mqsc.store.sqlite.files import is_missing, owner_of
from mqsc.store.sqlite.killed_restore import undo_killed_restore
from mqsc.store.sqlite.liveness import LivenessFile
from mqsc.store.sqlite.queries import Queries

P = ParamSpec("P")
Result = TypeVar("Result")
Watch = TypeVar("Watch", bound="ChangeWatch")


class StoreState:
    """One SQLite file, open in this process.

    `process` is the number under which this process is registered in the store, 0 until it first
    connects. `abandoned` holds the numbers of connections that were garbage-collected without being
    closed; the next call backs them out. `forks` counts how often this process was forked from one
    that had the store open: connections made before a fork answer 2018. `running` are the channel
    instances that this process runs: queue manager, channel and partner.
    """

    def __init__(
        self,
        path: str | None,
        environment: Environment[Any],
        *,
        create: bool = True,
        untouched: bool = False,
    ) -> None:
        """`path` is None for a store in memory; StoreError when the file is missing and `create`
        is false. With `untouched` the store is only read, and its file stays as it is.
        """
        # A sentence about a restore that was killed and is undone now; blank if there was none.
        self.undone_restore = "" if path is None or untouched else undo_killed_restore(path)
        if path is not None and not create and is_missing(path):
            raise MissingStoreError(path)
        self.path = path
        self.is_untouched = untouched
        self.environment = environment
        self.database = Database(path, {kept.MASKING: masked}, untouched=untouched)
        self.change_watch = self.new_watch(ChangeWatch)
        self.process = 0
        self._alive: LivenessFile | None = None
        self._registering = threading.Lock()
        # Held while the liveness file is created: a fork in between would give the child a lock
        # that it does not know of.
        self._entering = threading.RLock()
        self.abandoned: list[int] = []
        self.running: set[tuple[str, str, str]] = set()
        self.forks = 0
        # Whether programs that connect need no password: those of the administrator, who can read
        # the file anyway.
        self.is_administrators = False
        # Whether this process is that of the owner of the file, and the names of administrators
        # that follow from it.
        self.is_owner, owner = owner_of(path)
        # Who may read a file may read everything in it.
        self.is_owner = self.is_owner or untouched
        self.owners = {owner, environment.user} - {""} if self.is_owner else {owner} - {""}
        # The user as which commands act, blank for the one who runs the process (`--user`).
        self.acting_user = ""
        # What is kept of authorities by queue manager (`engine.authorization`), and refusals that
        # are only counted.
        self.authority: dict[str, Any] = {}
        self.refusals: dict[tuple[Any, ...], tuple[int, int, dict[str, Any]]] = {}
        # Called with the name of its queue manager by a get that has waited for some seconds of
        # real time while a manual clock stood still.
        self.on_stopped_clock: Callable[[str], object] | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path or 'in memory'}>"

    def register_process(self) -> int:
        """The number of this process in the store; its liveness file exists and is locked from
        here on.
        """
        if self.path is None:
            return 0
        with self._registering:
            if self._alive is not None and not self._alive.is_in_place():
                # Others take this process for dead: its connections end, and new ones need another
                # file.
                self._alive.forget()
                self._alive, self.process = None, 0
            if self.process == 0:
                # Set before the store is written to: a child forked during that wait must release
                # it.
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

    def read(
        self,
        function: Callable[Concatenate[Reading, P], Result],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> Result:
        """What a function finds that reads outside any transaction, such as those of
        `store.sql`.
        """
        with Reading(self.database) as reading:
            return function(reading, *arguments, **named)

    def new_watch(self, kind: type[Watch]) -> Watch:
        """A watch of this kind, for those who wait in the same way."""
        return kind(
            self.database.data_version,
            self.environment.clock,
            lambda places: self.read(wait_states, places),
        )

    def before_fork(self) -> None:
        """Close what a child must not inherit; nothing is opened until the fork is done."""
        self._entering.acquire()
        self.database.before_fork()

    def after_fork_in_parent(self) -> None:
        """Let calls go on."""
        self.database.after_fork_in_parent()
        self._entering.release()

    def after_fork_in_child(self) -> None:
        """The child owns none of its parent's connections: they answer 2018, and the lock stays
        the parent's.
        """
        self.forks += 1
        self.database.after_fork_in_child()
        if self._alive is not None:
            self._alive.forget()
            self._alive = None
        self.process = 0
        # Finalizers of inherited connections keep the old list: they must not end connections of
        # the parent.
        self.abandoned = []
        self.running = set()
        self._registering = threading.Lock()
        self._entering = threading.RLock()
        self.change_watch = self.new_watch(ChangeWatch)


class CommandTransaction(Transaction):
    """A transaction and the context of a command, which are what a block gets; see
    QueueManagerState.transaction().
    """

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
    """A queue manager of an open store, by name; `command` is the one that is being performed, if
    events need it.

    `issuer` sent the commands that are performed as messages. `place` is where a command is in a
    script: FILE:LINE.
    """

    def __init__(self, store: StoreState, name: str) -> None:
        self.store = store
        self.name = name
        self.command: Command | None = None
        self.issuer: Issuer | None = None
        # Whether the queue manager itself connects, as the command server does.
        self.is_agent = False
        self.place = ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} of {self.store!r}>"

    @property
    def is_owners(self) -> bool:
        """Whether commands are those of the owner of the store, who is never refused."""
        return self.issuer is None and self.store.is_owner and not self.store.acting_user

    def row(self) -> ManagerRow:
        """The queue manager's current row; MQError 2058 when it was deleted."""
        return required(
            self.store.read(managers.by_name, self.name),
            MQRC.Q_MGR_NAME_ERROR,
            self.name,
        )

    def now(self) -> int:
        """The queue manager's time, microseconds UTC."""
        return time_of(self.row(), self.store.environment)

    def waiting_time(self) -> int:
        """The time by which waits are measured, microseconds; it does not jump when the
        machine's clock is set.
        """
        return waiting_time_of(self.row(), self.store.environment)

    def call_context(self, tx: Queries, *, running: bool = True) -> CallContext:
        """The administrator as the cause of this transaction's changes; MQError 2058, or 2059
        unless running.
        """
        manager = required(managers.by_name(tx, self.name), MQRC.Q_MGR_NAME_ERROR, self.name)
        refuse_if(running and manager.state == ENDED, MQRC.Q_MGR_NOT_AVAILABLE, self.name)
        environment = self.store.environment
        now, application = time_of(manager, environment), environment.application
        user = self.store.acting_user or environment.user
        if self.issuer is not None:
            application, user = self.issuer.server, self.issuer.user
        command = self.command
        if command is not None and command.event_setting is None:
            command.event_setting = manager.command_event
        return CallContext(manager, now, environment, None, application, user, command, self.place)

    def transaction(self, *, durable: bool = False, running: bool = True) -> CommandTransaction:
        """A transaction of a command, and the context of its calls; errors as `call_context`."""
        command_transaction = CommandTransaction(self.store.database, durable)
        command_transaction.qmgr, command_transaction.running = self, running
        return command_transaction

    @contextmanager
    def reading(self, *, running: bool = True) -> Iterator[tuple[Reading, CallContext]]:
        """A read of one state, and the context of a command; errors as `call_context`."""
        with Reading(self.store.database) as reading:
            yield reading, self.call_context(reading, running=running)


# The context of a call (who, when, on which queue manager), which every event and every decision
# needs.


class Command:
    """A command that is being performed: what its event messages share, and what its
    transactions saw.
    """

    __slots__ = ("event_setting", "identifier", "issuer")

    def __init__(self, issuer: Issuer | None = None) -> None:
        # Who sent it as a message; None for a command that was typed.
        self.issuer = issuer
        # The CorrelId of its event messages; blank before the first of them.
        self.identifier = b""
        # CMDEV as a number of its column when the command began; None until a transaction has read
        # it.
        self.event_setting: int | None = None

    def identified(self, call: CallContext) -> bytes:
        """The CorrelId of the event messages about the command."""
        self.identifier = self.identifier or call.new_identifier()
        return self.identifier


class CallContext(Struct, frozen=True):
    """The queue manager as this transaction sees it, its time, and who caused the call, perhaps
    with a command.

    `place` is where the command is in a script, as FILE:LINE. `report_authority` is the user
    whose authority is asked for reports that the call causes, with the store that knows it; None
    for none.
    """

    qmgr: ManagerRow
    now: int
    environment: Environment[Clock]
    connection: int | None = None
    application: str = ""
    user: str = ""
    command: Command | None = None
    place: str = ""
    report_authority: tuple[StoreState, str] | None = None

    def new_identifier(self) -> bytes:
        """24 bytes for a message that the queue manager generates."""
        number = (self.environment.salt + next(self.environment.message_numbers)) % _UNIQUE
        return _identifier(_beginning(self.qmgr.name), number)

    def maker(self) -> Maker:
        """The queue manager, as the origin of a message that it generates."""
        return Maker(self.qmgr.name, self.qmgr.ccsid, self.new_identifier(), self.now)

    def event(self, kind: str, **columns: Any) -> dict[str, Any]:
        """A row of the history with this call as its cause."""
        by = {"connection": self.connection, "application": self.application, "user": self.user}
        return {"at": self.now, "qmgr": self.qmgr.name, "kind": kind, **by, **columns}


def time_of(qmgr: ManagerRow, environment: Environment[Clock]) -> int:
    """The queue manager's time in microseconds UTC.

    A frozen clock overrides a manual one, and a manual one the machine's. A manual clock is a
    column of the queue manager's row, shared by all processes (design §3.7).
    """
    if qmgr.clock_at is None or environment.clock.frozen:
        return environment.clock.now()
    return int(qmgr.clock_at)


def waiting_time_of(qmgr: ManagerRow, environment: Environment[Clock]) -> int:
    """The time by which the queue manager's waits are measured: its own, but unlike the
    machine's it never jumps.
    """
    if environment.clock.frozen or qmgr.clock_at is not None:
        return time_of(qmgr, environment)
    return steady_now()


_UNIQUE = 1 << 64
_identifier: Callable[[bytes, int], bytes] = struct.Struct(">16sQ").pack


def identifiers(qmgr: str, salt: int, connection: int) -> Iterator[bytes]:
    """The identifiers of the messages of a connection: 24 bytes each, which no other message has.

    `AMQ `, 12 of the queue manager's name, 8 from the connection and a number. That pair is unique
    in one store; the environment's salt makes stores differ.
    """
    first = (salt + (connection << 32) + 1) % _UNIQUE
    numbers = chain(range(first, _UNIQUE), range(first))
    return map(_identifier, repeat(_beginning(qmgr)), numbers)


@lru_cache(maxsize=64)
def _beginning(name: str) -> bytes:
    return b"AMQ " + name[:12].ljust(12).encode("ascii", "replace")
