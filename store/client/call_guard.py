"""One call at a time on a connection, and none on one that a fork has copied."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable

from mqsc.store.client.callbacks import Callbacks
from mqsc.store.client.command_server import answer_commands
from mqsc.store.constants import MQRC
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState, Result
from mqsc.store.error import MQError, at_exit
from mqsc.store.mqi.state import ConnectionState
from mqsc.store.sqlite.interruptions import enter, leave


class _Call:
    """A block that is one call of a connection."""

    __slots__ = ("_connection",)

    def __init__(self, connection: GuardedConnection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.begin_call()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._connection.end_call()
        if isinstance(error, (ImportError, LookupError)):
            raise at_exit(error) from None


class GuardedConnection(ConnectionState):
    """A connection that admits one call at a time, from any thread."""

    def __init__(
        self,
        qmgr: QueueManagerState,
        number: int,
        run: int,
        application: str,
        user: str,
        agent: str = "",
    ) -> None:
        super().__init__(qmgr, number, run, application, user, agent)
        self._calling = threading.Lock()
        self._forks = self.store.forks
        self._connected = True
        # The functions that are called with messages; None as long as there are none.
        self.callbacks: Callbacks | None = None
        # A finalizer must not use the store: it may run inside another transaction of the same
        # thread.
        self._finalizer = weakref.finalize(self, self.store.abandoned.append, number)
        self._finalizer.atexit = False

    @property
    def is_connected(self) -> bool:
        """Whether the connection accepts calls."""
        return self._connected

    @property
    def is_inherited(self) -> bool:
        """Whether the connection belongs to the parent of this forked process."""
        return self._forks != self.store.forks

    def call(self) -> _Call:
        """One MQI call as a block; the errors are those of begin_call()."""
        return _Call(self)

    def reserved_call(self, function: Callable[[], Result]) -> Result:
        """One MQI call that may take up the room that is kept for when the disk is full."""
        with self.call():
            return self.store.database.with_reserve(function)

    def begin_call(self) -> None:
        """Enter a call; end_call() must follow.

        MQError 2018 after MQDISC or a fork, 2219 while another thread is in a call. 2500 while
        functions are called with messages, for all other threads.
        """
        enter()
        try:
            if not self._connected or self._forks != self.store.forks:
                raise MQError(MQRC.HCONN_ERROR)
            if self.callbacks is not None and not self.callbacks.admits:
                raise MQError(MQRC.HCONN_ASYNC_ACTIVE)
            if not self._calling.acquire(False):
                raise MQError(MQRC.CALL_IN_PROGRESS)
            if self.store.abandoned:
                try:
                    recover(self.store)
                except BaseException:
                    self._calling.release()
                    raise
        except BaseException:
            leave()
            raise

    def end_call(self) -> None:
        """Leave a call."""
        self._calling.release()
        leave()
        if self.has_commands:
            self.has_commands = False
            answer_commands(self.qmgr)

    def give_up(self) -> None:
        """End the connection without a call, because the disk is full: the next call that can
        backs it out.
        """
        self._connected = False
        self._finalizer()
        self._end_handles()

    def stay_when_collected(self) -> None:
        """Let the connection go on in the store after this object is garbage; it is ended by hand."""
        self._finalizer.detach()

    def _forget(self) -> None:
        """The connection has ended: every further call answers 2018."""
        self._connected = False
        self._finalizer.detach()
        self._end_handles()

    def _end_handles(self) -> None:
        self.handles.clear()
        for each in self.message_handles:
            each.is_deleted = True
        self.message_handles.clear()
