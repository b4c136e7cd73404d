"""Queue-sharing groups: joining, leaving and the members (sharing §5, §9, §10)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from store.admin import copies
from store.admin.defining import dispositions_of
from store.catalog import KINDS, Kind
from store.catalog.status import BACKUP_OF_STRUCTURE
from store.constants import MQRC, MQRCCF
from store.engine.call_context import CallContext
from store.engine.definitions import namespaces
from store.engine.recovery import recover
from store.engine.state import QueueManagerState, StoreState
from store.error import MQError, SharingGroupError
from store.rules import sharing_group
from store.rules.generic_names import matches
from store.rules.sharing_group import Group, Joining, Member
from store.sql import connections, history, managers, objects
from store.sql.managers import ENDED, QUIESCING, RUNNING
from store.sql.rows import ManagerRow
from store.sqlite.database import Queries, Reading, Transaction

Row = dict[str, Any]
_NEVER_HERE = {"FAILDATE": "", "FAILTIME": "", **dict.fromkeys(BACKUP_OF_STRUCTURE, "")}
KILOBYTE = 1024


def join_group(store: StoreState, name: str, group: str) -> None:
    """Make an ended queue manager a member of the group, which is created if the store has none.

    SharingGroupError when the rules forbid it, MQError 2058 when there is no such queue manager.
    """
    with QueueManagerState(store, name).transaction(durable=True, running=False) as (tx, call):
        join(tx, call, group)


def join(tx: Transaction, call: CallContext, name: str) -> None:
    """Make `call`'s queue manager a member. One with a manual clock takes over the time of the other members.

    Its structures become the group's, unless the group has one of that name.
    """
    found = managers.group(tx)
    present = [] if found is None else managers.members(tx, found.name)
    numbers = frozenset(each.member_number for each in present)
    manual = None if not present else present[0].clock_at is not None
    qmgr = call.qmgr
    joining = Joining(
        qmgr.name,
        name,
        qmgr.sharing_group,
        qmgr.state == ENDED,
        qmgr.clock_at is not None,
        managers.by_name(tx, name) is not None,
    )
    _check(sharing_group.join_refusal(joining, None if found is None else Group(found.name, numbers, manual)))
    if found is None:
        managers.add_group(tx, name, call.now)
    number = sharing_group.number_for(numbers)
    row = {"sharing_group": name, "member_number": number, "joined_run": qmgr.run}
    clock = present[0].clock_at if present else qmgr.clock_at
    managers.set_columns(tx, qmgr.name, {**row, "clock_at": clock})
    managers.adopt_structures(tx, name, qmgr.name)
    managers.add_refresh_for_new_member(tx, name, qmgr.name)
    history.append(tx, call.event("JOIN", target=name, detail=json.dumps({"number": number})))


def leave_group(store: StoreState, name: str) -> None:
    """Take an ended queue manager out of its group, which stays with its objects and messages.

    SharingGroupError when the rules forbid it, MQError 2058 when there is no such queue manager.
    """
    recover(store)
    with store.database.one_transaction():
        _leave(store, name)


def _leave(store: StoreState, name: str) -> None:
    qmgr = QueueManagerState(store, name)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        group = call.qmgr.sharing_group
        in_doubt = bool(group) and managers.has_unit_in_doubt(tx, group, name)
        has_ended = call.qmgr.state == ENDED
        _check(sharing_group.leave_refusal(name, group, has_ended=has_ended, unit_in_doubt=in_doubt))
    copies.give_up_copies(qmgr)
    with Transaction(store.database, durable=True) as tx:
        managers.forget_handles(tx, group, name)
        managers.set_columns(tx, name, {"sharing_group": "", "member_number": 0})
        history.append(tx, call.event("LEAVE", target=group))


def _check(refusal: str) -> None:
    if refusal:
        raise SharingGroupError(refusal)


def member_for(store: StoreState, name: str) -> str:
    """The member that a connection to the group `name` goes to; MQError 2058 for no such group, 2059, 2161."""
    with Reading(store.database) as reading:
        group = managers.group(reading)
        if group is None or group.name != name:
            raise MQError(MQRC.Q_MGR_NAME_ERROR, name)
    recover(store)
    with Reading(store.database) as reading:
        reason, chosen = sharing_group.member_to_connect_to(
            [_as_member(reading, each) for each in managers.members(reading, name)]
        )
    if reason:
        raise MQError(reason, name)
    return chosen


def _as_member(reading: Queries, row: ManagerRow) -> Member:
    connected = connections.count(reading, row.name)
    return Member(row.name, row.member_number, row.state == RUNNING, row.state == QUIESCING, connected)


def members_with(tx: Queries, qmgr: ManagerRow) -> list[str]:
    """The names of the members of its group by number; its own alone outside a group."""
    if not qmgr.sharing_group:
        return [qmgr.name]
    return [each.name for each in managers.members(tx, qmgr.sharing_group)]


def running_members(qmgr: QueueManagerState) -> dict[str, bool]:
    """The members of its group by number, and whether each runs; MQError 2059 when `qmgr` does not."""
    with qmgr.reading() as (reading, call):
        group = call.qmgr.sharing_group
        return {each.name: each.state != ENDED for each in managers.members(reading, group)}


def dispositions_of_name(qmgr: QueueManagerState, kind: Kind, name: str) -> list[str]:
    """QSGDISP of the objects of a name, whatever their type, that a member can name; empty outside a group."""
    with qmgr.reading(running=False) as (reading, call):
        spaces = namespaces(kind) if call.qmgr.sharing_group else ()
        return [each for space in spaces for each in dispositions_of(reading, call, space, name)]


def group_of_store(store: StoreState) -> str:
    """The name of the store's queue-sharing group; blank when it has none."""
    with Reading(store.database) as reading:
        group = managers.group(reading)
    return "" if group is None else group.name


def display_group(qmgr: QueueManagerState) -> Iterator[Row]:
    """DISPLAY GROUP: the members of the queue manager's group by number; MQError 2059, 3212 outside a group."""
    with qmgr.reading() as (reading, call):
        group = call.qmgr.sharing_group
        found = managers.members(reading, group) if group else []
        owner = managers.expiry_owner(reading, group)
    if not group:
        raise MQError(MQRCCF.Q_MGR_NOT_IN_QSG, qmgr.name)
    for each in found:
        yield {
            "QSGNAME": group,
            "QMNAME": each.name,
            "NUMBER": each.member_number,
            "STATUS": _status(each),
            "CMDLEVEL": KINDS["QMGR"].attributes["CMDLEVEL"].constant,
            "EXPSCAN": "YES" if each.name == owner else "NO",
        }


def _status(row: ManagerRow) -> str:
    if row.state != ENDED:
        return "ACTIVE"
    return "CREATED" if row.run == row.joined_run else "INACTIVE"


def structure_status(qmgr: QueueManagerState, pattern: str, type: str = "") -> Iterator[Row]:
    """DISPLAY CFSTATUS: what the structures of the group hold or, with CONNECT, the running members that use them.

    MQError 2059, 3212 outside a group.
    """
    with qmgr.reading() as (reading, call):
        group = call.qmgr.sharing_group
        found = objects.structures_in_use(reading, group) if group else []
        running = [each for each in managers.members(reading, group) if each.state != ENDED] if group else []
    if not group:
        raise MQError(MQRCCF.Q_MGR_NOT_IN_QSG, qmgr.name)
    for each in found:
        if not matches(pattern, each.name):
            continue
        status = "ACTIVE" if each.was_opened else "NOTFOUND"
        if type == "CONNECT":
            for member in running if each.was_opened else ():
                yield {
                    "CFSTATUS": each.name, "TYPE": type, "QMNAME": member.name, "SYSNAME": call.environment.host[:8],
                    "STATUS": status, **_NEVER_HERE,
                }  # fmt: skip
        else:
            yield {
                "CFSTATUS": each.name, "TYPE": "SUMMARY", "CFTYPE": "APPL", "STATUS": status, "SIZEMAX": 0,
                "SIZEUSED": -(-each.bytes // KILOBYTE), "ENTSMAX": 0, "ENTSUSED": each.messages, "OFFLDUSE": "NONE",
                **_NEVER_HERE,
            }  # fmt: skip
