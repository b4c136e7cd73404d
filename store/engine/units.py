"""Ends of units of work, handles and connections, and recovery after programs that died."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from msgspec.structs import asdict, replace

from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import configuration_event, depth, dequeue, triggering
from mqsc.store.engine.definitions import beside_attributes
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.dequeue import MessageOutcome
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext, QueueManagerState, Result, StoreState, time_of
from mqsc.store.environment import Clock, Environment
from mqsc.store.error import MQError, refuse_if, required
from mqsc.store.rules import object_events
from mqsc.store.rules.message_trace import SKIPPED
from mqsc.store.sql import connections, history, managers, messages, objects, queues, units_of_work
from mqsc.store.sql.managers import ENDED, QUIESCING
from mqsc.store.sql.rows import (
    TEMPORARY_DYNAMIC,
    ConnectionRow,
    HandleRow,
    PreparedUnitRow,
    QueueRow,
)
from mqsc.store.sqlite import locks
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.interruptions import Uninterrupted
from mqsc.store.sqlite.locks import SingleInstanceLock

# Keys among the names of queues, none of which has a blank: of the message that a consumer could
# not move, and of a queue that no longer exists.
KEPT = "kept message"
DELETED = "deleted queue"


def commit_unit(
    tx: Transaction,
    call: CallContext,
    unit: int,
    *,
    recorded: bool,
    on_shared: bool,
) -> None:
    """Make the messages that `unit` put available, and remove those that it got.

    `on_shared`: it may have put messages on shared queues, which trigger now.
    """
    effects = triggering.committing(tx, call, unit) if on_shared else []
    units_of_work.commit(tx, unit)
    if recorded:
        history.append(tx, call.event("COMMIT", unit=unit))
    if effects:
        deliver(tx, call, effects)


def back_out(
    tx: Transaction,
    call: CallContext,
    unit: int,
    cause: str,
    *,
    skipping: int = 0,
    carried_to: int = 0,
    kept: Mapping[str, object] | None = None,
) -> None:
    """Remove the messages that `unit` put, and return those that it got, their backout count raised
    by one.

    Trigger messages of type FIRST and DEPTH that the unit caused become available. The message
    `skipping` (marked with MQGMO_MARK_SKIP_BACKOUT) stays got and belongs to the unit `carried_to`
    afterwards. Depths may rise above MAXDEPTH, as on MQ (mqi-semantics §7). `kept` describes the
    message because of which a consumer backs out.
    """
    shares = units_of_work.shares(tx, unit)
    units_of_work.back_out(tx, unit, skipping)
    spared = messages.by_id(tx, skipping) if skipping else None
    if spared is not None and spared.unit != unit:
        # The message was deleted with its dynamic queue, and another message has its number now.
        spared = None
    counts: dict[str, Mapping[str, object]] = {}
    effects: list[Effect] = []
    for share in shares:
        returned = share.gets - (spared is not None and spared.queue == share.queue)
        effects += depth.backed_out(tx, call, share.queue, returned, share.puts)
        counts[queues.name_of(tx, share.queue) or DELETED] = {"puts": share.puts, "gets": returned}
    if spared is not None:
        units_of_work.move_message(tx, spared.id, unit, carried_to)
        counts[SKIPPED] = {"msg_id": spared.msg_id.hex(), "unit": carried_to}
    if kept is not None:
        counts[KEPT] = kept
    if shares:
        record_event(tx, call, "BACKOUT", cause=cause, unit=unit, detail=counts)
    deliver(tx, call, effects)


# Units of work in doubt: prepared by one connection, and resolved later by any other
# (poison-and-channels §2).
#
# A prepared unit keeps its number but is no longer among the units of its connection
# (`units_of_work.of_connection`), so the end of the connection, a restart and recovery do not touch
# it.

Outcomes = Sequence[tuple[int, MessageOutcome]]


def prepare(
    tx: Transaction,
    call: CallContext,
    unit: int,
    name: str,
    luwid: str,
    outcomes: Outcomes,
    *,
    recorded: bool,
) -> bool:
    """Keep `unit` under a name and an identifier until it is resolved; MQError 2100 if there is one
    already.

    A unit that holds no message is committed: False, and there is nothing to resolve.
    """
    refuse_if(
        units_of_work.prepared(tx, call.qmgr.name, name, luwid) is not None,
        MQRC.OBJECT_ALREADY_EXISTS,
        name,
    )
    if not units_of_work.shares(tx, unit):
        commit_unit(tx, call, unit, recorded=recorded, on_shared=False)
        return False
    text = json.dumps([[id, asdict(outcome)] for id, outcome in outcomes]) if outcomes else ""
    units_of_work.add_prepared(
        tx,
        PreparedUnitRow(
            unit,
            call.qmgr.name,
            name,
            luwid,
            call.now,
            call.application,
            call.user,
            int(recorded),
            text,
        ),
    )
    return True


def resolve_prepared(
    tx: Transaction,
    call: CallContext,
    name: str,
    luwid: str,
    *,
    commit: bool,
) -> int:
    """Commit or back out a unit in doubt; its number. MQError 2255 when there is none.

    In a queue-sharing group any member resolves a unit of another (sharing §6).
    """
    prepared = units_of_work.prepared(tx, call.qmgr.name, name, luwid) or _of_other_member(
        tx,
        call,
        name,
        luwid,
    )
    prepared = required(prepared, MQRC.UOW_NOT_AVAILABLE, name)
    unit = prepared.number
    units_of_work.remove_prepared(tx, unit)
    shares = units_of_work.shares(tx, unit)
    if commit:
        texts = json.loads(prepared.outcomes or "[]")
        dequeue.account_for_some(
            tx,
            call,
            unit,
            [(id, MessageOutcome(**columns)) for id, columns in texts],
        )
        commit_unit(
            tx,
            call,
            unit,
            recorded=bool(prepared.recorded),
            on_shared=bool(call.qmgr.sharing_group),
        )
    else:
        back_out(tx, call, unit, "resolved")
    for share in shares:
        # A dynamic queue may have been closed while the unit in doubt held messages of it.
        queue = queues.by_id(tx, share.queue, call.qmgr.name)
        if queue is not None and queue.logically_deleted:
            delete_dynamic(tx, call, queue)
    return unit


def _of_other_member(
    tx: Transaction,
    call: CallContext,
    name: str,
    luwid: str,
) -> PreparedUnitRow | None:
    group = call.qmgr.sharing_group
    others = managers.members(tx, group) if group else []
    found = (units_of_work.prepared(tx, each.name, name, luwid) for each in others)
    return next((each for each in found if each is not None), None)


# Handles and connections close: counters, locks, dynamic queues, and the trigger that a last close
# can raise.

_NOTHING: Mapping[str, Any] = {}


def close(tx: Transaction, call: CallContext, handle: HandleRow) -> list[Effect]:
    """Remove an open handle with its lock and its counts; closing the last input handle is a
    trigger occasion (O-CLOSE).
    """
    connections.close_handle(tx, handle.id)
    if handle.queue is None:
        return []
    if handle.browse:
        depth.unlocked(tx, handle.queue, handle.id)
    queue = queues.by_id(tx, handle.queue, call.qmgr.name)
    if queue is None:
        return []
    queues.count_handles(
        tx,
        queue.id,
        call.qmgr.name,
        -handle.input,
        -handle.exclusive,
        -handle.output,
    )
    record_event(
        tx,
        call,
        "CLOSE",
        owner=queue.owner,
        queue=queue.name,
        detail={"handle": handle.id},
    )
    temporary = queue.definition_type == TEMPORARY_DYNAMIC and queue.creator == handle.id
    if temporary or queue.logically_deleted:
        delete_dynamic(tx, call, queue)
        return []
    if handle.input and queue.input_handles == 1 and queue.trigger_on:
        return triggering.closed(tx, call, replace(queue, input_handles=0, exclusive_handles=0))
    return []


def delete_dynamic(tx: Transaction, call: CallContext, queue: QueueRow) -> None:
    """Delete a dynamic queue with all its messages.

    While other handles are open, or a unit in doubt holds messages of it, it is only marked as
    deleted.
    """
    if connections.is_in_use(tx, queue.id) or units_of_work.in_doubt_hold_messages_of(tx, queue.id):
        queues.set_columns(tx, queue.id, {"logically_deleted": 1, "creator": None})
        return
    got = units_of_work.got_on_queue(tx, queue.id)
    gone = messages.clear(tx, queue.id)
    if gone:
        about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
        record_event(
            tx,
            call,
            "CLEAR",
            cause="dynamic",
            **about,
            detail={"messages": gone, **({"got": got} if got else {})},
        )
    remove_queue(tx, call, queue, gone, cause="dynamic")
    # The record of the creator goes with the queue.
    for row in objects.records_of(tx, call.qmgr.name, "authrec", queue.name):
        if row.attributes["OBJTYPE"] == "QUEUE":
            objects.remove(tx, row.id)


def remove_queue(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    cleared: int,
    *,
    cause: str | None = None,
    was: Mapping[str, Any] = _NOTHING,
) -> None:
    """Remove an empty queue and its definition; the history records its attributes (`was`) and
    the messages cleared.
    """
    definition = objects.by_name(tx, queue.owner, "queue", queue.name)
    if definition is not None:
        objects.remove(tx, definition.id)
    queues.remove(tx, queue.id)
    beside = beside_attributes(call, definition.disposition) if definition is not None else {}
    about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
    record_event(
        tx,
        call,
        "DELETE",
        cause=cause,
        **about,
        detail={"messages": cleared, **beside, **was},
    )
    if definition is not None:
        origin = object_events.INTERNAL if cause == "dynamic" else object_events.CONSOLE
        configuration_event.deleted(tx, call, definition, origin=origin)


def end_connection(
    tx: Transaction,
    call: CallContext,
    connection: int,
    cause: str = "abend",
) -> None:
    """End a connection whose program is gone: back out its units of work, then close its handles.

    See backout B04 and triggering T39, T41.
    """
    for unit in units_of_work.of_connection(tx, connection):
        back_out(tx, call, unit, cause)
    effects: list[Effect] = []
    for row in connections.handles_of_connection(tx, connection):
        effects += close(tx, call, row)
    deliver(tx, call, effects)
    connections.drop(tx, connection)
    # A new version makes the calls of all connections look whether they still exist.
    managers.set_columns(tx, call.qmgr.name, {})
    complete_quiesce(tx, call)


def complete_quiesce(tx: Transaction, call: CallContext) -> None:
    """End a quiescing queue manager when its last connection is gone."""
    if call.qmgr.state == QUIESCING and connections.count(tx, call.qmgr.name) == 0:
        managers.set_columns(tx, call.qmgr.name, {"state": ENDED})
        record_event(tx, call, "END", cause="controlled")
        dequeue.settle_expiry_owner(tx, call, "end")


# The next program recovers what a dead process left: back out its units of work, then close its
# handles.


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
    folder = locks.folder_beside(store.path)
    others = store.read(connections.other_processes, store.process)
    dead = [(number, file) for number, file in others if locks.is_dead(folder, file)]
    if not dead:
        return recovered
    lock = SingleInstanceLock(Path(store.path + ".recovery"), Path(store.path))
    if not lock.acquire_within(patience):
        lock.close()
        return recovered
    try:
        for number, file in dead:
            _recover_process(store, number)
            locks.remove_liveness_file(folder, file)
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


def _as_left(
    tx: Transaction,
    environment: Environment[Clock],
    row: ConnectionRow,
) -> CallContext | None:
    """The call context of the lost program, for its own end; None when its queue manager has
    ended since.
    """
    qmgr = managers.by_name(tx, row.qmgr)
    if qmgr is None or (qmgr.state == ENDED and qmgr.run != row.run):
        return None
    return CallContext(
        qmgr,
        time_of(qmgr, environment),
        environment,
        row.id,
        row.application,
        row.user,
    )


# Refusals that handles or units of work of other programs cause.
IN_THE_WAY = frozenset({MQRC.OBJECT_IN_USE, MQRC.Q_NOT_EMPTY, MQRCCF.OBJECT_OPEN_FORCE})
Given = ParamSpec("Given")


def retried_after_recovery(
    command: Callable[Concatenate[QueueManagerState, Given], Result],
) -> Callable[Concatenate[QueueManagerState, Given], Result]:
    """A command of a queue manager; if something is in use and dead processes were recovered, it
    is tried once more.
    """

    @wraps(command)
    def tried(qmgr: QueueManagerState, /, *args: Given.args, **named: Given.kwargs) -> Result:
        try:
            return command(qmgr, *args, **named)
        except MQError as refusal:
            if refusal.reason not in IN_THE_WAY or not recover(qmgr.store):
                raise
        return command(qmgr, *args, **named)

    return tried
