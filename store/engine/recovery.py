"""The next program recovers what a dead process left: back out its units of work, then close its
handles.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine.closing import end_connection
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext, QueueManagerState, Result, StoreState, time_of
from mqsc.store.environment import Clock, Environment
from mqsc.store.error import MQError
from mqsc.store.sql import connections, managers
from mqsc.store.sql.managers import ENDED
from mqsc.store.sql.rows import ConnectionRow
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.interruptions import Uninterrupted
from mqsc.store.sqlite.locks import SingleInstanceLock


def recover(store: StoreState, patience: float = 0.0) -> bool:
    """Recover the connections of dead processes and of collected Connection objects; whether there
    were any.

    Only one process recovers at a time; the others leave the work to it, and wait at most
    `patience` seconds for it.
    """
    with Uninterrupted():
        return _recover(store, patience)


def _recover(store: StoreState, patience: float) -> bool:
    recovered = _recover_abandoned(store)
    if store.path is None:
        return recovered
    folder = liveness.folder_beside(store.path)
    others = store.read(connections.other_processes, store.process)
    dead = [(number, file) for number, file in others if liveness.is_dead(folder, file)]
    if not dead:
        return recovered
    lock = SingleInstanceLock(Path(store.path + ".recovery"), Path(store.path))
    if not lock.acquire_within(patience):
        lock.close()
        return recovered
    try:
        for number, file in dead:
            _recover_process(store, number)
            liveness.remove_liveness_file(folder, file)
    finally:
        lock.release()
    return True


def _recover_process(store: StoreState, process: int) -> None:
    """One transaction per connection, so that a large unit of work delays others as little as
    possible.
    """
    left = store.read(connections.of_process, process)
    for row in left:
        end_lost_connection(store, row.id)
    with Transaction(store.database, durable=False) as tx:
        connections.drop_process(tx, process)


def _recover_abandoned(store: StoreState) -> bool:
    recovered = False
    while store.abandoned:
        try:
            number = store.abandoned.pop()
        except IndexError:
            break  # another thread was quicker
        try:
            recovered = end_lost_connection(store, number) or recovered
        except BaseException:
            store.abandoned.append(number)
            raise
    return recovered


def end_lost_connection(store: StoreState, number: int) -> bool:
    """Back out and close one connection whose program is gone; whether it still existed."""
    with Transaction(store.database, durable=True) as tx:
        row = connections.by_id(tx, number)
        if row is None:
            return False
        call = _as_left(tx, store.environment, row)
        if call is None:
            connections.drop(tx, number)
            return True
        record_event(tx, call, "RECOVER")
        end_connection(tx, call, number)
    return True


def end_missing_connection(store: StoreState, number: int, qmgr: str) -> None:
    """Back out and close what is left of a connection whose own row was lost: its units of work
    and its handles.
    """
    with Transaction(store.database, durable=True) as tx:
        manager = managers.by_name(tx, qmgr)
        if manager is None:
            for row in connections.handles_of_connection(tx, number):
                connections.close_handle(tx, row.id)
            return
        environment = store.environment
        now = time_of(manager, environment)
        call = CallContext(manager, now, environment, number, "", "")
        record_event(tx, call, "RECOVER")
        end_connection(tx, call, number)


def _as_left(
    tx: Transaction,
    environment: Environment[Clock],
    connection: ConnectionRow,
) -> CallContext | None:
    """The call context of the lost program, for its own end; None when its queue manager has
    ended since.
    """
    qmgr = managers.by_name(tx, connection.qmgr)
    if qmgr is None or (qmgr.state == ENDED and qmgr.run != connection.run):
        return None
    return CallContext(
        qmgr,
        time_of(qmgr, environment),
        environment,
        connection.id,
        connection.application,
        connection.user,
    )


# Refusals that handles or units of work of other programs cause.
IN_THE_WAY = frozenset({MQRC.OBJECT_IN_USE, MQRC.Q_NOT_EMPTY, MQRCCF.OBJECT_OPEN_FORCE})
Parameters = ParamSpec("Parameters")


def retried_after_recovery(
    command: Callable[Concatenate[QueueManagerState, Parameters], Result],
) -> Callable[Concatenate[QueueManagerState, Parameters], Result]:
    """A command of a queue manager; if something is in use and dead processes were recovered, it
    is tried once more.
    """

    @wraps(command)
    def tried(
        qmgr: QueueManagerState, /, *args: Parameters.args, **named: Parameters.kwargs
    ) -> Result:
        try:
            return command(qmgr, *args, **named)
        except MQError as refusal:
            if refusal.reason not in IN_THE_WAY or not recover(qmgr.store):
                raise
        return command(qmgr, *args, **named)

    return tried
