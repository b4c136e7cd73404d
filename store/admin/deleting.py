"""DELETE, CLEAR and MOVE."""

from __future__ import annotations

from mqsc.store.admin.channel.commands import delete_status
from mqsc.store.admin.channel.status import settle
from mqsc.store.admin.records import drop_authorities
from mqsc.store.admin.running_objects import check_stopped
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import (
    closing,
    configuration_event,
    coupling_structures,
    delivery,
    depth,
    recovery,
    triggering,
)
from mqsc.store.engine.definitions import (
    Defined,
    beside_defaults,
    complete,
    find,
    is_meant,
    plain_name,
    record,
    refusals,
)
from mqsc.store.engine.effects import Effect
from mqsc.store.engine.history import record_event
from mqsc.store.engine.report_messages import confirm_move
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, UncommittedMessagesError, refuse_if, required
from mqsc.store.rules.forced_changes import Changes
from mqsc.store.rules.report_message import COA
from mqsc.store.rules.sharing import DELETED, GROUP, LIVE, PRIVATE, QMGR, owner_of
from mqsc.store.sql import connections, managers, messages, objects, queues, units_of_work
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

# The object type of authority records for each kind; other kinds have their own keyword.
_AUTHORITY_TYPES = {"QLOCAL": "QUEUE", "QMODEL": "QUEUE", "QALIAS": "QUEUE", "QREMOTE": "QUEUE"}


@recovery.retried_after_recovery
def delete(
    qmgr: QueueManagerState,
    kind: Kind,
    name: str,
    *,
    purge: bool = False,
    with_authority: bool = True,
    client: bool = False,
    disposition: str = QMGR,
) -> None:
    """DELETE: remove an object of exactly that kind and, `with_authority`, the records whose
    profile is its name.

    A channel is one of the queue manager or, with `client`, a client connection. MQError 2085 (4032
    for a channel) when it is missing, 4002 when it has another type, 2042 when a handle is open on
    it or resolves through it, 2055 when the queue holds messages and `purge` is false, or
    uncommitted ones in any case; 4031 when the channel is active, 4025 when it is in doubt; 2042
    also for a structure whose queues are not all empty and closed, and for a listener or a service
    that is running. The end of a GROUP object is only noted for the members:
    `store.admin.sharing_groups` deletes their copies.
    """
    if kind.keyword == "CHANNEL":
        settle(qmgr, name)
    if disposition == GROUP:
        _delete_master(qmgr, kind, name, client)
        return
    gone, removed = 0, BATCH

    def remove_some() -> int:
        with qmgr.transaction() as (tx, call):
            owner = owner_of(kind, qmgr.name, call.qmgr.sharing_group, disposition)
            definition = _definition_to_delete(tx, owner, kind, name, client, disposition)
            purged = _purge(tx, call, definition, purge) if kind.namespace == "queue" else 0
            if purged < BATCH:
                remove(
                    tx,
                    qmgr,
                    call,
                    definition,
                    gone=gone + purged,
                    with_authority=with_authority,
                )
        return purged

    while removed == BATCH:
        removed = qmgr.store.database.with_reserve(remove_some)
        gone += removed


def _delete_master(qmgr: QueueManagerState, kind: Kind, name: str, client: bool) -> None:
    with qmgr.transaction() as (tx, call):
        group = call.qmgr.sharing_group
        definition = _definition_to_delete(tx, group, kind, name, client, GROUP)
        _delete_definition(tx, call, definition, None)
        managers.add_refresh_for_members(tx, group, definition.namespace, name)


def remove(
    tx: Transaction,
    qmgr: QueueManagerState,
    call: CallContext,
    definition: objects.ObjectRow,
    *,
    gone: int | None = None,
    with_authority: bool = True,
    cause: str | None = None,
) -> None:
    """Remove an object that is not in use, and record it; the errors are those of `delete`.

    `gone` is the number of messages that were purged; without it a queue must be empty.
    """
    kind = KINDS[definition.type]
    delete_status(tx, qmgr, definition)
    if definition.namespace == "queue":
        queue = unused_queue(tx, call, definition.owner, definition.name)
        refuse_if(queue.depth and gone is None, MQRC.Q_NOT_EMPTY, definition.name)
        closing.remove_queue(tx, call, queue, gone or 0, cause=cause, was=_was(definition))
    else:
        _delete_definition(tx, call, definition, cause)
    if with_authority:
        of_client = definition.namespace != kind.namespace
        type = "CLNTCONN" if of_client else _AUTHORITY_TYPES.get(kind.keyword, kind.keyword)
        drop_authorities(tx, call, type, plain_name(definition.name))


def _definition_to_delete(
    tx: Transaction,
    owner: str,
    kind: Kind,
    name: str,
    client: bool,
    disposition: str,
) -> objects.ObjectRow:
    """The definition; channels and client connections have separate namespaces."""
    if kind.keyword != "CHANNEL":
        return find(tx, owner, kind, name, disposition=disposition)
    definition = objects.by_name(
        tx,
        owner,
        kind.namespace_of("CLNTCONN") if client else kind.namespace,
        name,
    )
    if definition is None or not is_meant(definition, disposition):
        raise MQError(refusals(kind).missing, name)
    return definition


def _purge(tx: Transaction, call: CallContext, definition: objects.ObjectRow, purge: bool) -> int:
    """Remove a batch of the messages; how many."""
    queue = unused_queue(tx, call, definition.owner, definition.name)
    if not queue.depth:
        return 0
    refuse_if(not purge, MQRC.Q_NOT_EMPTY, definition.name)
    return remove_batch(tx, call, queue, queue.next_sequence, "purge")


def _delete_definition(
    tx: Transaction,
    call: CallContext,
    definition: objects.ObjectRow,
    cause: str | None,
) -> None:
    if objects.is_open_of_kind(tx, definition.owner, definition.type, definition.name):
        raise MQError(MQRC.OBJECT_IN_USE, definition.name)
    check_stopped(tx, definition)
    if definition.type == "CFSTRUCT" and definition.owner != call.qmgr.name:
        coupling_structures.check_structure_unused(tx, definition.owner, definition.name)
        coupling_structures.tell_queues(tx, definition.owner, definition.name, DELETED)
    objects.remove(tx, definition.id)
    about = Defined(definition.type, definition.name, definition.owner, definition.disposition)
    record(tx, call, "DELETE", about, _was(definition), cause)
    configuration_event.deleted(tx, call, definition)


def _was(definition: objects.ObjectRow) -> Changes:
    """The attributes that the history records for a deletion: those that differed from the
    defaults.
    """
    kind = KINDS[definition.type]
    return {
        word: (value, None)
        for word, value in beside_defaults(kind, complete(kind, definition.attributes)).items()
    }


# CLEAR, and the removal of messages in batches, which DELETE with PURGE uses too.

# Removing this many takes some tens of milliseconds, the longest that other programs have to wait.
BATCH = 5000
QLOCAL = KINDS["QLOCAL"]


@recovery.retried_after_recovery
def clear(qmgr: QueueManagerState, name: str, *, disposition: str = PRIVATE) -> int:
    """CLEAR QLOCAL: remove every message that is there when the command starts; how many.

    MQError 2085 when the queue is missing, 4002 when it is not a local queue, 2042 when a handle is
    open on it or resolves to it, 2055 while a unit of work holds messages of it. Messages put
    during a long removal stay.
    """
    with_reserve = qmgr.store.database.with_reserve
    queue, below, removed = with_reserve(lambda: _clear_first(qmgr, name, disposition))
    total = removed
    while removed == BATCH:
        removed = with_reserve(lambda: _clear_more(qmgr, queue.id, below))
        total += removed
    return total


def _clear_first(qmgr: QueueManagerState, name: str, disposition: str) -> tuple[QueueRow, int, int]:
    """The queue, the sequence number of the next message, and how many messages were removed."""
    with qmgr.transaction(durable=True) as (tx, call):
        owner = owner_of(QLOCAL, qmgr.name, call.qmgr.sharing_group, disposition)
        find(tx, owner, QLOCAL, name, disposition=disposition)
        queue = unused_queue(tx, call, owner, name)
        return queue, queue.next_sequence, remove_batch(tx, call, queue, queue.next_sequence)


def _clear_more(qmgr: QueueManagerState, queue: int, below: int) -> int:
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        left = queues.by_id(tx, queue, qmgr.name)
        return remove_batch(tx, call, left, below) if left is not None and left.depth else 0


def unused_queue(tx: Transaction, call: CallContext, owner: str, name: str) -> QueueRow:
    """A queue that is not in use: MQError 2042 while a handle is open, 2055 while a unit of work
    holds messages.
    """
    queue = required(
        queues.by_name(tx, owner, name, call.qmgr.name),
        MQRC.UNKNOWN_OBJECT_NAME,
        name,
    )
    refuse_if(connections.is_in_use(tx, queue.id), MQRC.OBJECT_IN_USE, name)
    if units_of_work.uncommitted_on_queue(tx, queue.id):
        raise UncommittedMessagesError(name)
    return queue


def remove_batch(
    tx: Transaction,
    call: CallContext,
    queue: QueueRow,
    below: int,
    cause: str | None = None,
) -> int:
    """Remove up to BATCH messages put before the sequence number `below`, and record how many.

    Statistics since RESET QSTATS stay: nothing was got (mqi-semantics §7).
    """
    removed = messages.remove_before(tx, queue.id, below, BATCH)
    if removed:
        delivery.deliver(tx, call, depth.removed(tx, call, queue.id, removed))
    if removed == queue.depth:
        queues.set_columns(tx, queue.id, {"earliest_expiry": None})
    about = {"owner": queue.owner, "queue": queue.name, "target": queue.type}
    record_event(tx, call, "CLEAR", cause=cause, **about, detail={"messages": removed})
    return removed


# MOVE QLOCAL: move the messages of one local queue to another; descriptor, data and age are
# unchanged.
#
# A moved message arrives on the target as a put one does: it may trigger, and is confirmed on
# arrival. It does not leave the source as a got one does: no confirmation on delivery, and expired
# messages are moved like others.


@recovery.retried_after_recovery
def move(
    qmgr: QueueManagerState,
    source: str,
    target: str,
    *,
    add: bool = False,
    disposition: str = PRIVATE,
) -> int:
    """Move every message that is there when the command starts to the end of the target, in order;
    how many.

    MQError 2085 or 4002 when either is not a local queue, 4008 when they are the same queue, 2042
    when a handle is open on either, 2055 while a unit of work holds messages of either, or when the
    target holds messages and `add` is false, 2053 and 2030 when they do not fit. A long queue is
    moved in several transactions, each with the trigger messages and reports of its messages;
    messages already moved stay moved. No put or get is counted (mqi-semantics §7).
    """
    refuse_if(source == target, MQRCCF.OBJECT_NAME_ERROR, target)
    total, below = 0, None
    while True:
        # Persistent messages that were moved must not reappear at their old place after a power
        # failure.
        with qmgr.transaction(durable=True) as (tx, call):
            owner = owner_of(QLOCAL, qmgr.name, call.qmgr.sharing_group, disposition)
            here, there = _queue(tx, call, owner, source, disposition), _target(tx, call, target)
            if below is None:
                below = here.next_sequence
                refuse_if(there.depth and not add, MQRC.Q_NOT_EMPTY, target)
                refuse_if(here.depth + there.depth > there.max_depth, MQRC.Q_FULL, target)
            moved = _move_batch(tx, call, here, there, below)
        total += moved
        if moved < BATCH:
            return total


def _target(tx: Transaction, call: CallContext, name: str) -> QueueRow:
    """The queue manager's own queue, else a shared one."""
    found = queues.visible(tx, call.qmgr, name)
    return _queue(tx, call, call.qmgr.name if found is None else found.owner, name, LIVE)


def _queue(tx: Transaction, call: CallContext, owner: str, name: str, disposition: str) -> QueueRow:
    find(tx, owner, QLOCAL, name, disposition=disposition)
    return unused_queue(tx, call, owner, name)


def _move_batch(
    tx: Transaction,
    call: CallContext,
    here: QueueRow,
    there: QueueRow,
    below: int,
) -> int:
    batch = messages.move_batch(tx, here.id, below, BATCH, COA.plain)
    refuse_if(batch.longest > there.max_length, MQRC.MSG_TOO_BIG_FOR_Q, there.name)
    if there.structure_longest is not None and batch.longest > there.structure_longest:
        raise MQError(MQRC.WRONG_CF_LEVEL, there.name)
    # The reports of earlier batches may have taken the room.
    refuse_if(
        batch.number and batch.number + there.depth > there.max_depth,
        MQRC.Q_FULL,
        there.name,
    )
    elsewhere = {"target_owner": there.owner} if there.owner != here.owner else {}
    detail = {"messages": batch.number, **elsewhere}
    record_event(
        tx,
        call,
        "MOVE",
        owner=here.owner,
        queue=here.name,
        target=there.name,
        detail=detail,
    )
    if batch.number:
        shift = there.next_sequence - batch.first
        messages.move(tx, here.id, batch.last, there.id, shift, there.fifo, there.default_priority)
        depth_events = depth.moved(tx, call, here, there, batch, shift)
        first, last = batch.first + shift, batch.last + shift
        triggers = _triggered(tx, call, there, first, last)
        if batch.asking and not there.is_transmission:
            # One after the other: a batch of reports with full data may be more than fits in
            # memory.
            for id in messages.moved_asking(tx, there.id, first, last, COA.plain):
                message = messages.by_id(tx, id)
                if message is not None:
                    delivery.deliver(tx, call, [confirm_move(call, there, message)])
        delivery.deliver(tx, call, triggers + depth_events)
    return batch.number


def _triggered(
    tx: Transaction,
    call: CallContext,
    there: QueueRow,
    first: int,
    last: int,
) -> list[Effect]:
    """The trigger messages for the messages just moved; `there` is as it was before. Each
    counts, even a segment.
    """
    if not there.trigger_on:
        return []
    ranks = messages.moved_ranks(tx, there.id, first, last)
    return triggering.arrived(tx, call, there, triggering.Puts(ranks, ranks))
