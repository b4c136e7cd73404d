"""Queue-sharing groups and their members."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.store.admin import defining
from mqsc.store.admin.group_copies import NEVER_HERE, give_up_copies
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import history, recovery
from mqsc.store.engine.definitions import namespaces
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState
from mqsc.store.error import MQError, SharingGroupError, refuse_if
from mqsc.store.rules import group_membership, names
from mqsc.store.sql import connections, managers, objects, rows
from mqsc.store.sql.managers import ENDED, QUIESCING, RUNNING
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries

KILOBYTE = 1024


def join_group(store: StoreState, name: str, group: str) -> None:
    """Make an ended queue manager a member of the group, which is created if the store has none.

    SharingGroupError when the rules forbid it, MQError 2058 when there is no such queue manager.

    >>> store.join_group("QM1", "QSG1")
    Traceback (most recent call last):
    mqsc.SharingGroupError: ...
    """
    with QueueManagerState(store, name).transaction(durable=True, running=False) as (tx, call):
        join(tx, call, group)


def join(tx: Transaction, call: CallContext, name: str) -> None:
    """Make `call`'s queue manager a member. One with a manual clock takes over the time of the
    other members.

    Its structures become the group's, unless the group has one of that name.
    """
    group = managers.group(tx)
    present = [] if group is None else managers.members(tx, group.name)
    numbers = frozenset(each.member_number for each in present)
    manual = None if not present else present[0].clock_at is not None
    qmgr = call.qmgr
    joining = group_membership.Joining(
        qmgr.name,
        name,
        qmgr.sharing_group,
        qmgr.state == ENDED,
        qmgr.clock_at is not None,
        managers.by_name(tx, name) is not None,
    )
    _check(
        group_membership.join_refusal(
            joining,
            None if group is None else group_membership.Group(group.name, numbers, manual),
        ),
    )
    if group is None:
        managers.add_group(tx, name, call.now)
    number = group_membership.number_for(numbers)
    membership = {"sharing_group": name, "member_number": number, "joined_run": qmgr.run}
    clock = present[0].clock_at if present else qmgr.clock_at
    managers.set_columns(tx, qmgr.name, {**membership, "clock_at": clock})
    managers.adopt_structures(tx, name, qmgr.name)
    managers.add_refresh_for_new_member(tx, name, qmgr.name)
    history.record_event(tx, call, "JOIN", target=name, detail={"number": number})


def leave_group(store: StoreState, name: str) -> None:
    """Take an ended queue manager out of its group, which stays with its objects and messages.

    SharingGroupError when the rules forbid it, MQError 2058 when there is no such queue manager.

    >>> store.leave_group("QM1")
    Traceback (most recent call last):
    mqsc.SharingGroupError: ...
    """
    recovery.recover(store)
    with store.database.one_transaction():
        _leave(store, name)


def _leave(store: StoreState, name: str) -> None:
    qmgr = QueueManagerState(store, name)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        group = call.qmgr.sharing_group
        in_doubt = bool(group) and managers.has_unit_in_doubt(tx, group, name)
        has_ended = call.qmgr.state == ENDED
        _check(
            group_membership.leave_refusal(name, group, has_ended=has_ended, unit_in_doubt=in_doubt)
        )
    give_up_copies(qmgr)
    with Transaction(store.database, durable=True) as tx:
        managers.forget_handles(tx, group, name)
        managers.set_columns(tx, name, {"sharing_group": "", "member_number": 0})
        history.record_event(tx, call, "LEAVE", target=group)


def _check(refusal: str) -> None:
    if refusal:
        raise SharingGroupError(refusal)


def member_for(store: StoreState, name: str) -> str:
    """The member that a connection to the group `name` goes to; MQError 2058 for no such group,
    2059, 2161.
    """
    with Reading(store.database) as reading:
        group = managers.group(reading)
        if group is None or group.name != name:
            raise MQError(MQRC.Q_MGR_NAME_ERROR, name)
    recovery.recover(store)
    with Reading(store.database) as reading:
        members = [_as_member(reading, row) for row in managers.members(reading, name)]
    chosen = group_membership.member_to_connect_to(members)
    if chosen is None:
        raise MQError(group_membership.none_runs_reason(members), name)
    return chosen.name


def _as_member(reading: Queries, manager: rows.ManagerRow) -> group_membership.Member:
    connected = connections.count(reading, manager.name)
    return group_membership.Member(
        manager.name,
        manager.member_number,
        manager.state == RUNNING,
        manager.state == QUIESCING,
        connected,
    )


def members_with(tx: Queries, qmgr: rows.ManagerRow) -> list[str]:
    """The names of the members of its group by number; its own alone outside a group."""
    if not qmgr.sharing_group:
        return [qmgr.name]
    return [each.name for each in managers.members(tx, qmgr.sharing_group)]


def running_members(qmgr: QueueManagerState) -> dict[str, bool]:
    """The members of its group by number, and whether each runs; MQError 2059 when `qmgr` does
    not.
    """
    with qmgr.reading() as (reading, call):
        group = call.qmgr.sharing_group
        return {each.name: each.state != ENDED for each in managers.members(reading, group)}


def dispositions_of_name(qmgr: QueueManagerState, kind: Kind, name: str) -> list[str]:
    """QSGDISP of the objects of a name, whatever their type, that a member can name; empty
    outside a group.
    """
    with qmgr.reading(running=False) as (reading, call):
        spaces = namespaces(kind) if call.qmgr.sharing_group else ()
        return [
            each
            for space in spaces
            for each in defining.dispositions_of(reading, call, space, name)
        ]


def group_of_store(store: StoreState) -> str:
    """The name of the store's queue-sharing group; blank when it has none."""
    group = store.read(managers.group)
    return "" if group is None else group.name


def display_group(qmgr: QueueManagerState) -> Iterator[DisplayedValues]:
    """DISPLAY GROUP: the members of the queue manager's group by number; MQError 2059, 3212
    outside a group.
    """
    with qmgr.reading() as (reading, call):
        group = call.qmgr.sharing_group
        found = managers.members(reading, group) if group else []
        owner = managers.expiry_owner(reading, group)
    refuse_if(not group, MQRCCF.Q_MGR_NOT_IN_QSG, qmgr.name)
    for each in found:
        yield {
            "QSGNAME": group,
            "QMNAME": each.name,
            "NUMBER": each.member_number,
            "STATUS": _status(each),
            "CMDLEVEL": KINDS["QMGR"].attributes["CMDLEVEL"].constant,
            "EXPSCAN": "YES" if each.name == owner else "NO",
        }


def _status(manager: rows.ManagerRow) -> str:
    if manager.state != ENDED:
        return "ACTIVE"
    return "CREATED" if manager.run == manager.joined_run else "INACTIVE"


def structure_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY CFSTATUS: what the structures of the group hold or, with CONNECT, the running members
    that use them.

    MQError 2059, 3212 outside a group.
    """
    with qmgr.reading() as (reading, call):
        group = call.qmgr.sharing_group
        structures = objects.structures_in_use(reading, group) if group else []
        running = (
            [each for each in managers.members(reading, group) if each.state != ENDED]
            if group
            else []
        )
    refuse_if(not group, MQRCCF.Q_MGR_NOT_IN_QSG, qmgr.name)
    for structure in structures:
        if not names.matches(pattern, structure.name):
            continue
        status = "ACTIVE" if structure.was_opened else "NOTFOUND"
        if type == "CONNECT":
            for member in running if structure.was_opened else ():
                yield {
                    "CFSTATUS": structure.name,
                    "TYPE": type,
                    "QMNAME": member.name,
                    "SYSNAME": call.environment.host[:8],
                    "STATUS": status,
                    **NEVER_HERE,
                }
        else:
            yield {
                "CFSTATUS": structure.name,
                "TYPE": "SUMMARY",
                "CFTYPE": "APPL",
                "STATUS": status,
                "SIZEMAX": 0,
                "SIZEUSED": -(-structure.bytes // KILOBYTE),
                "ENTSMAX": 0,
                "ENTSUSED": structure.messages,
                "OFFLDUSE": "NONE",
                **NEVER_HERE,
            }
