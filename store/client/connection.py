"""A connection to a queue manager and the unit of work it has open."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from store.argument_checks import bits, must_be
from store.argument_checks import name as name_of
from store.client.object_handle import ObjectHandle
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import Message, PutMessageOptions
from store.rules.grouping import GroupPosition
from store.sql.rows import ManagerRow
from store.sql.schema import UNIT_BITS

if TYPE_CHECKING:
    from store.client.queue_manager import QueueManager
    from store.client.store import Store
    from store.engine.disposition import Disposition

CONNECTION_BROKEN = 2009
HCONN_ERROR = 2018
CALL_IN_PROGRESS = 2219


class UnitOfWork:
    """The open unit of work of a connection, as far as memory holds it; what it put and got are rows."""

    __slots__ = ("count", "durable", "marked", "number", "recorded", "serial", "stood")

    def __init__(self, connection: int) -> None:
        self.serial = connection << UNIT_BITS
        self.number = 0
        self.reset()

    def reset(self) -> None:
        """No unit of work is open."""
        self.number = 0
        # Messages put and got, trigger and report messages caused: what MAXUMSGS limits.
        self.count = 0
        # The message got with MQGMO_MARK_SKIP_BACKOUT, or 0.
        self.marked = 0
        self.recorded = False
        self.durable = False
        # Where handles stood in message groups when it began, by handle and kind of call: a backout restores it.
        self.stood: dict[tuple[int, str], GroupPosition] = {}

    def begin(self) -> int:
        """The number of the open unit of work; a new one when none is open."""
        if self.number == 0:
            self.serial += 1
            self.number = self.serial
        return self.number

    @property
    def is_open(self) -> bool:
        """Whether a syncpoint call has been made since the last commit or backout."""
        return self.number != 0

    @property
    def standing(self) -> tuple[int, int, int, bool, bool]:
        """What a call that fails must leave as it was: `stand_at` takes it back to there."""
        return self.number, self.count, self.marked, self.durable, self.recorded

    def stand_at(self, before: tuple[int, int, int, bool, bool]) -> None:
        """The call that followed failed: it has put and got nothing, and opened no unit of work."""
        self.number, self.count, self.marked, self.durable, self.recorded = before


class Connection:
    """What MQCONN returns. Leaving a `with` block normally is MQDISC, leaving it by an exception is an abend."""

    def __init__(self, qmgr: QueueManager, number: int, run: int, application: str, user: str, agent: str = "") -> None:
        self.qmgr = qmgr
        self.store: Store = qmgr.store
        self.number = number
        self.run = run
        self.application = application
        self.user = user
        # The cause that the history gives for expired messages met here; blank for whatever call met them.
        self.agent = agent
        self.unit = UnitOfWork(number)
        self.identifiers = 0
        # The queue manager's row as last read; its version tells whether it is still true.
        self.manager: ManagerRow | None = None
        self.handles: dict[int, ObjectHandle] = {}
        self._calling = threading.Lock()
        self._forks = self.store.forks
        self._connected = True
        # A finalizer must not touch the store: it may run inside another transaction of the same thread.
        self._finalizer = weakref.finalize(self, self.store.abandoned.append, number)
        self._finalizer.atexit = False

    @contextmanager
    def call(self) -> Iterator[None]:
        """One MQI call at a time: MQError 2018 after MQDISC or a fork, 2219 while another thread is in a call."""
        self.begin_call()
        try:
            yield
        finally:
            self._calling.release()

    def begin_call(self) -> None:
        """Enter a call; end_call() must follow."""
        if not self._connected or self._forks != self.store.forks:
            raise MQError(HCONN_ERROR)
        if not self._calling.acquire(blocking=False):
            raise MQError(CALL_IN_PROGRESS)
        if self.store.abandoned:
            try:
                self.store.recover()
            except BaseException:
                self._calling.release()
                raise

    def end_call(self) -> None:
        """Leave a call."""
        self._calling.release()

    def open(
        self,
        name: str,
        options: int,
        *,
        queue_manager: str = "",
        dynamic_name: str = "AMQ.*",
        object_type: int = 1,
        alternate_user: str = "",
    ) -> ObjectHandle:
        """MQOPEN `name` with MQOO options; a model queue makes a dynamic queue named by `dynamic_name`."""
        from store.mqi.open import open_object

        with self.call():
            return open_object(
                self,
                name_of(name, "the name of the object"),
                bits(options, "options"),
                name_of(queue_manager, "queue_manager"),
                name_of(dynamic_name, "dynamic_name"),
                bits(object_type, "object_type"),
                name_of(alternate_user, "alternate_user"),
            )

    def put1(
        self,
        name: str,
        message: Message,
        options: PutMessageOptions | None = None,
        *,
        queue_manager: str = "",
        alternate_user: str = "",
    ) -> MessageDescriptor:
        """MQPUT1: open, put one message and close in one call; the descriptor as it was placed."""
        from store.mqi.put1 import put1

        with self.call():
            return put1(
                self,
                name_of(name, "the name of the queue"),
                name_of(queue_manager, "queue_manager"),
                must_be(Message, message, "the message"),
                PutMessageOptions() if options is None else must_be(PutMessageOptions, options, "options"),
                name_of(alternate_user, "alternate_user"),
            )

    def begin(self) -> int:
        """MQBEGIN: start a unit of work; 2128 when one is open. Returns the reason of the warning, 2121.

        There are no other resource managers here (MQRC_NO_EXTERNAL_PARTICIPANTS).
        """
        from store.mqi.syncpoint import begin

        with self.call():
            return begin(self)

    def commit(self, outcome: Disposition | None = None) -> None:
        """MQCMIT: what the unit of work put becomes visible at once, what it got is gone.

        `outcome` is what the history says, in the same transaction, of the messages that it got.
        """
        from store.mqi.syncpoint import commit

        with self.call():
            commit(self, outcome)

    def back(self) -> None:
        """MQBACK: what the unit of work put is gone, what it got is back; a marked message starts the next unit."""
        from store.mqi.syncpoint import back

        with self.call():
            back(self)

    def disconnect(self) -> None:
        """MQDISC: close all handles and commit the open unit of work."""
        from store.mqi.syncpoint import disconnect

        with self.call():
            disconnect(self)
        self._left()

    def abend(self) -> None:
        """End as a program that dies: the unit of work is backed out first, then the handles close."""
        from store.mqi.syncpoint import abend

        with self.call():
            abend(self)
        self._left()

    def _left(self) -> None:
        self._connected = False
        self._finalizer.detach()
        self.handles.clear()

    @property
    def is_connected(self) -> bool:
        """Whether calls can be made."""
        return self._connected

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._connected or self._forks != self.store.forks:
            return
        if kind is None:
            self.disconnect()
        else:
            self._abend_quietly()

    def _abend_quietly(self) -> None:
        """Abend while another exception is on its way: a connection that is broken already has nothing left to undo."""
        try:
            self.abend()
        except MQError as broken:
            if broken.reason != CONNECTION_BROKEN:
                raise
            self._left()
