"""DELETE."""

from __future__ import annotations

from mqsc.store.admin.authority_records import drop_authorities
from mqsc.store.admin.channel.commands import delete_status
from mqsc.store.admin.channel.status import settle
from mqsc.store.admin.clearing import BATCH, remove_batch, unused_queue
from mqsc.store.admin.running_objects import check_stopped
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.constants import MQRC
from mqsc.store.engine import (
    configuration_event,
    coupling_structures,
    queue_removal,
    recovery,
    subscription_definitions,
    subscription_end,
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
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.forced_changes import Changes
from mqsc.store.rules.sharing import DELETED, GROUP, QMGR, owner_of
from mqsc.store.sql import managers, objects
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
        queue_removal.remove_queue(tx, call, queue, gone or 0, cause=cause, was=_was(definition))
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
    # A program may still have a handle of an earlier subscription of that name, which has ended.
    if definition.type != "SUB" and objects.is_open_of_kind(
        tx, definition.owner, definition.type, definition.name
    ):
        raise MQError(MQRC.OBJECT_IN_USE, definition.name)
    check_stopped(tx, definition)
    if definition.type == "CFSTRUCT" and definition.owner != call.qmgr.name:
        coupling_structures.check_structure_unused(tx, definition.owner, definition.name)
        coupling_structures.tell_queues(tx, definition.owner, definition.name, DELETED)
    objects.remove(tx, definition.id)
    if definition.type == "SUB":
        subscription_definitions.deleted(tx, call, definition.name)
    if definition.type == "TOPIC":
        subscription_end.changed(tx, call)
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
