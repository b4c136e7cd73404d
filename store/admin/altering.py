"""ALTER."""

from mqsc.store.admin.channel.commands import check_change
from mqsc.store.admin.channel.status import CHANNEL
from mqsc.store.catalog import KINDS, Kind, columns
from mqsc.store.constants import MQRCCF
from mqsc.store.engine import attribute_change, expiry_owner, recovery
from mqsc.store.engine.definitions import (
    Attributes,
    complete,
    differences,
    find,
    subtype_of,
    without_secrets,
)
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import refuse_if
from mqsc.store.rules.sharing import GROUP, QMGR, owner_of
from mqsc.store.sql import managers, objects, queues
from mqsc.store.sqlite.database import Transaction

QUEUE_MANAGER = KINDS["QMGR"]


@recovery.retried_after_recovery
def change(
    qmgr: QueueManagerState,
    kind: Kind,
    name: str,
    attributes: Attributes,
    *,
    force: bool = False,
    disposition: str = QMGR,
) -> None:
    """ALTER: write the given attributes of an object of exactly that kind; the others stay.

    A change of a GROUP object is only noted for the members: `store.admin.sharing_groups` changes
    their copies.

    MQError 2085 (4032 for a channel) when it is missing, 4002 when it has another type, 3088, 3090,
    3363 or 3384 to 3387 when attributes conflict, 4025 for a channel in doubt, 3210 when the change
    needs FORCE. With FORCE, open handles answer 2041 from then on. For a shared queue or a
    structure also 3211, and 2042 when the queues must be empty and closed.
    """
    with qmgr.transaction() as (tx, call):
        owner = owner_of(kind, qmgr.name, call.qmgr.sharing_group, disposition)
        existing = find(
            tx, owner, kind, name, subtype_of(kind, attributes), disposition=disposition
        )
        before = complete(kind, existing.attributes)
        after = {**before, **without_secrets(kind, attributes)}
        if kind is CHANNEL and disposition != GROUP:
            check_change(tx, qmgr.name, name, before, after)
        attribute_change.rewrite(
            tx,
            call,
            existing,
            attribute_change.Change(before, after, frozenset(attributes), force),
        )
        if disposition == GROUP:
            managers.add_refresh_for_members(tx, owner, existing.namespace, name)


@recovery.retried_after_recovery
def change_queue_manager(
    qmgr: QueueManagerState,
    attributes: Attributes,
    *,
    force: bool = False,
) -> dict[str, int]:
    """ALTER QMGR: write all of the given attributes or none. Returns EXPRYINT by member of the
    queue-sharing group if it is among them and the members that have it set do not agree; else
    nothing.

    MQError 3089 for REPOS with REPOSNL, 3175 for LOGGEREV(ENABLED), 4005 for an invalid DEFXMITQ,
    3210 when DEFXMITQ changes under an open remote queue without FORCE. With FORCE those handles
    answer 2041 from then on.
    """
    with qmgr.transaction() as (tx, call):
        if not attributes:
            return {}
        existing = find(tx, qmgr.name, QUEUE_MANAGER, qmgr.name)
        before = complete(QUEUE_MANAGER, existing.attributes)
        after = {**before, **without_secrets(QUEUE_MANAGER, attributes)}
        if "DEFXMITQ" in differences(before, after):
            _leave_default_transmission_queue(tx, call, str(before["DEFXMITQ"]), force)
        attribute_change.rewrite(
            tx,
            call,
            existing,
            attribute_change.Change(before, after, frozenset(attributes)),
        )
        hot = columns(QUEUE_MANAGER, attributes)
        if hot:
            managers.set_columns(tx, qmgr.name, hot)
        if "EXPRYINT" not in attributes or not call.qmgr.sharing_group:
            return {}
        expiry_owner.settle_expiry_owner(tx, call, "alter")
        return expiry_owner.different_intervals(tx, call.qmgr.sharing_group)


def _leave_default_transmission_queue(
    tx: Transaction,
    call: CallContext,
    name: str,
    force: bool,
) -> None:
    queue = queues.by_name(tx, call.qmgr.name, name) if name else None
    if queue is None:
        return
    for number in objects.resolved_by_default(tx, call.qmgr.name, queue.id, name):
        refuse_if(not force, MQRCCF.OBJECT_OPEN_FORCE, call.qmgr.name)
        passed = queues.by_id(tx, number, call.qmgr.name)
        if passed is not None:
            queues.set_columns(tx, number, {"generation": passed.generation + 1})
