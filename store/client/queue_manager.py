"""A queue manager: what one can do with it before connecting."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from store.client.connection import Connection
from store.engine.call_context import CallContext, time_of
from store.error import MQError
from store.headers.mqmd import text_fault
from store.sql import connections, events, queue_managers
from store.sql.queue_managers import ENDED, QUIESCING, RUNNING
from store.sql.rows import ManagerRow
from store.sqlite.database import Queries, Reading, Transaction

if TYPE_CHECKING:
    from store.client.store import Store

Q_MGR_NAME_ERROR = 2058
Q_MGR_NOT_AVAILABLE = 2059
Q_MGR_QUIESCING = 2161


class QueueManager:
    """A queue manager of a store, by name."""

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name

    def row(self) -> ManagerRow:
        """The queue manager as the store has it now; MQError 2058 when it was deleted."""
        with Reading(self.store.database) as reading:
            found = queue_managers.by_name(reading, self.name)
        if found is None:
            raise MQError(Q_MGR_NAME_ERROR, self.name)
        return found

    def now(self) -> int:
        """The queue manager's time, microseconds UTC."""
        return time_of(self.row(), self.store.environment)

    def call_context(self, tx: Queries, *, running: bool = True) -> CallContext:
        """Whoever administers, as the cause of what this transaction does; MQError 2058 or 2059."""
        row = queue_managers.by_name(tx, self.name)
        if row is None:
            raise MQError(Q_MGR_NAME_ERROR, self.name)
        if running and row.state == ENDED:
            raise MQError(Q_MGR_NOT_AVAILABLE, self.name)
        environment = self.store.environment
        now = time_of(row, environment)
        return CallContext(row, now, environment, None, environment.application, environment.user)

    def connect(self, application: str = "", user: str = "", *, agent: str = "") -> Connection:
        """MQCONN: a connection of its own for every call (2002 never occurs). MQError 2058, 2059, 2161.

        ValueError for an application or user that no character set can write.
        `agent` is the cause of EXPIRE events (see `published`) for expired messages that its calls meet.
        """
        store = self.store
        store.recover()
        environment = store.environment
        application, user = application or environment.application, user or environment.user
        for what, given in (("application", application), ("user", user)):
            unfit = text_fault(what, given)
            if unfit:
                raise ValueError(unfit)
        process = store.process()
        with Transaction(store.database, durable=False) as tx:
            call = self.call_context(tx)
            if call.qmgr.state == QUIESCING:
                raise MQError(Q_MGR_QUIESCING, self.name)
            number = connections.add(
                tx,
                {
                    "qmgr": self.name,
                    "run": call.qmgr.run,
                    "process": process,
                    "application": application,
                    "user": user,
                    "connected_at": call.now,
                },
            )
        return Connection(self, number, call.qmgr.run, application, user, agent)

    def start(self) -> bool:
        """Start the queue manager (strmqm); False when it was running already.

        Design §3.11: what was open is backed out, non-persistent messages are dropped except as NPMCLASS(HIGH) says,
        expired ones are discarded, the TRIGINT timer is reset, in batches.
        """
        from store.admin.start_and_end import start

        return start(self)

    def end(self, *, immediate: bool = False) -> str:
        """End it (endmqm): QUIESCING until the last disconnect, or ENDED; `immediate` breaks connections."""
        from store.admin.start_and_end import end

        return end(self, immediate=immediate)

    def set_clock(self, at: int) -> None:
        """Set a manual clock to `at` (microseconds UTC); ValueError for a queue manager that follows real time."""
        self._move_clock("set", lambda _: at)

    def advance_clock(self, microseconds: int) -> None:
        """Move a manual clock forward."""
        if microseconds < 0:
            raise ValueError("a clock is advanced by a time that is not negative; set it to go back")
        self._move_clock("advance", lambda was: was + microseconds)

    def _move_clock(self, cause: str, moved: Callable[[int], int]) -> None:
        with Transaction(self.store.database, durable=True) as tx:
            call = self.call_context(tx, running=False)
            was = call.qmgr.clock_at
            if was is None:
                raise ValueError(
                    f"{self.name} follows real time; a manual clock is chosen when a queue manager is created"
                )
            becomes = moved(was)
            queue_managers.set_columns(tx, self.name, {"clock_at": becomes})
            detail = json.dumps({"from": was, "to": becomes})
            events.append(tx, {**call.event("CLOCK", cause=cause), "at": becomes, "detail": detail})

    @property
    def is_running(self) -> bool:
        """Whether the queue manager accepts connections."""
        return bool(self.row().state == RUNNING)
