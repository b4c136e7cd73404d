"""The copies that the members of a queue-sharing group have of its GROUP objects (sharing §1, §10).

A change of a GROUP object notes for every member that its copy has to follow. Running members
follow at once, the others when they start; a member that cannot follow tries again at its next
start and at the next change of the object.
"""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin import defining, deleting
from mqsc.store.admin.channel.status import CHANNEL, settle
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.catalog.status import BACKUP_OF_STRUCTURE
from mqsc.store.engine import recovery
from mqsc.store.engine.definitions import (
    Defined,
    copied_from,
    is_of,
    namespaces,
    record,
    refusals,
    secrets,
    subtype_of,
)
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.sharing import COPY, GROUP, QMGR
from mqsc.store.sql import managers, objects, rows
from mqsc.store.sql.managers import ENDED
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Reading, Transaction

NEVER_HERE = {"FAILDATE": "", "FAILTIME": "", **dict.fromkeys(BACKUP_OF_STRUCTURE, "")}


_REFRESH, _LEAVE = "refresh", "leave"


class NotRefreshed(NamedTuple):
    """A member whose copy could not follow its GROUP object, and the reason code."""

    member: str
    name: str
    reason: int


def refresh_members(
    qmgr: QueueManagerState,
    kind: Kind,
    name: str,
    *,
    with_authority: bool = True,
) -> list[NotRefreshed]:
    """Bring the copies of all running members up to date with a GROUP object, which may be gone;
    those that failed.

    `with_authority`: the authority records of copies that are deleted go too.
    """
    with Reading(qmgr.store.database) as reading:
        refreshes = [
            row
            for space in namespaces(kind)
            for row in managers.refreshes_of_object(reading, space, name)
        ]
        members = {row.name for row in managers.all(reading) if row.state != ENDED}
    pending = [row for row in refreshes if row.qmgr in members]
    failed = []
    for refresh in pending:
        # Events about the member's own copy belong to the command.
        member = qmgr if refresh.qmgr == qmgr.name else QueueManagerState(qmgr.store, refresh.qmgr)
        reason = _refresh(member, refresh, with_authority)
        if reason:
            failed.append(NotRefreshed(refresh.qmgr, name, reason))
    return failed


def refresh_at_start(qmgr: QueueManagerState) -> None:
    """Bring the copies of a member that starts up to date with the GROUP objects that changed or
    went meanwhile.
    """
    pending = qmgr.store.read(managers.refreshes_of_member, qmgr.name)
    for row in pending:
        _refresh(qmgr, row, True)


def not_refreshed(qmgr: QueueManagerState) -> list[NotRefreshed]:
    """The copies of a member that could not follow their GROUP objects."""
    found = qmgr.store.read(managers.refreshes_of_member, qmgr.name)
    return [NotRefreshed(row.qmgr, row.name, row.reason) for row in found if row.reason]


def _refresh(
    member: QueueManagerState, refresh: rows.PendingRefreshRow, with_authority: bool
) -> int:
    """0, or the reason why the member's copy cannot follow; the next refresh tries again."""
    database = member.store.database
    try:
        if refresh.namespace == CHANNEL.namespace:
            settle(member, refresh.name)
        database.with_reserve(lambda: _bring_up_to_date(member, refresh, with_authority))
    except MQError as error:
        with Transaction(database, durable=False) as tx:
            managers.set_refresh_reason(tx, *refresh[:3], int(error.reason))
        return int(error.reason)
    return 0


@recovery.retried_after_recovery
def _bring_up_to_date(
    member: QueueManagerState,
    refresh: rows.PendingRefreshRow,
    with_authority: bool,
) -> None:
    with member.transaction(running=False) as (tx, call):
        # Another program may have done it, or the member may have left.
        if not managers.is_refresh_pending(tx, *refresh[:3]):
            return
        master = objects.by_name(tx, call.qmgr.sharing_group, refresh.namespace, refresh.name)
        copy = objects.by_name(tx, member.name, refresh.namespace, refresh.name)
        if master is not None and master.disposition == GROUP:
            _follow(tx, member, call, master, copy)
        elif copy is not None and copy.disposition == COPY:
            deleting.remove(tx, member, call, copy, with_authority=with_authority, cause=_REFRESH)
        managers.remove_refresh(tx, *refresh[:3])


def _follow(
    tx: Transaction,
    member: QueueManagerState,
    call: CallContext,
    master: ObjectRow,
    copy: ObjectRow | None,
) -> None:
    """DEFINE REPLACE of the copy. MQError 4001 (4042) when the member has an object of its own
    of that name.
    """
    kind = KINDS[master.type]
    refuse_if(copy is not None and copy.disposition != COPY, refusals(kind).existing, master.name)
    subtype = subtype_of(kind, master.attributes)
    if copy is not None and not is_of(kind, subtype, copy):
        # The copy of an earlier GROUP object, which could not be deleted with that.
        deleting.remove(tx, member, call, copy, cause=_REFRESH)
        copy = None
    attributes = copied_from(master, subtype)
    if copy is None:
        defining.define(tx, call, kind, master.name, attributes, disposition=COPY, cause=_REFRESH)
    else:
        defining.replace_attributes(
            tx,
            call,
            copy,
            attributes,
            frozenset(attributes) - secrets(kind),
            cause=_REFRESH,
        )


def give_up_copies(member: QueueManagerState) -> None:
    """Delete the copies of a member that leaves its group; queues with messages become objects
    of the queue manager.
    """
    copies = member.store.read(objects.of_disposition, member.name, COPY)
    for copy in copies:
        try:
            with member.transaction(durable=True, running=False) as (tx, call):
                deleting.remove(tx, member, call, copy, cause=_LEAVE)
        except MQError:
            with member.transaction(durable=True, running=False) as (tx, call):
                objects.set_disposition(tx, copy.id, QMGR)
                record(
                    tx,
                    call,
                    "ALTER",
                    Defined(copy.type, copy.name),
                    {"QSGDISP": (COPY, QMGR)},
                    _LEAVE,
                )
    with Transaction(member.store.database, durable=True) as tx:
        managers.remove_refreshes(tx, member.name)
