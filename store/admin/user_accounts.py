"""Users, their passwords and their groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.catalog.spelling import corrections, did_you_mean
from mqsc.store.engine import authorization, passwords
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.error import UserAccountError
from mqsc.store.rules import user_names
from mqsc.store.rules.authorization import AUTO, ENFORCE, GROUP, PRINCIPAL
from mqsc.store.sql import connections, managers
from mqsc.store.sql.rows import UserAccountRow
from mqsc.store.sqlite.database import Reading, Transaction


class UserAccount(NamedTuple):
    """A user; `administrator`: CHCKLOCL(REQDADM) and CHCKCLNT(REQDADM) ask for the password."""

    name: str
    administrator: bool
    # Microseconds UTC, by the clock of the machine.
    created_at: int
    changed_at: int


def check_new_name(store: StoreState, name: str) -> None:
    """UserAccountError if no user can have that name, or one has it."""
    _refuse(user_names.user_name_fault(name))
    _refuse(_taken(store.read(connections.user, name), name))


def check_existing_name(store: StoreState, name: str) -> None:
    """UserAccountError, with a similar name, if there is no user of that name."""
    if store.read(connections.user, name) is None:
        near = did_you_mean(corrections(name, [each.name for each in users(store)])[:1])
        suggestion = f"; {near}" if near else ""
        raise UserAccountError(f"there is no user {name}{suggestion}")
    _refuse(user_names.user_name_fault(name))
    _existing(store.read(connections.user, name), name)


def add_user(
    store: StoreState,
    name: str,
    password: str,
    *,
    administrator: bool = False,
    groups: Sequence[str] = (),
) -> None:
    """Add a user. UserAccountError if there is one of that name, or for an impossible name,
    password or group.
    """
    _refuse(user_names.user_name_fault(name) or user_names.password_fault(password))
    _refuse(next(filter(None, map(user_names.group_name_fault, groups)), ""))
    _check_administrator(store)
    account = _new_account(store, name, password, administrator)
    with Transaction(store.database, durable=True) as tx:
        _refuse(_taken(connections.user(tx, name), name))
        connections.write_user(tx, account)
        _record(tx, store, "user", name, {"after": _role(account)})
        _change_groups(tx, store, name, groups, ())


def change_password(store: StoreState, name: str, password: str) -> None:
    """Give a user another password. UserAccountError if nobody has that name, or if the password is
    not allowed.

    >>> store.add_user("bob", "a long password")
    >>> store.change_password("bob", "another long password")
    """
    _refuse(user_names.password_fault(password))
    _check_administrator(store)
    row = _new_account(store, name, password, False)
    with Transaction(store.database, durable=True) as tx:
        former = _existing(connections.user(tx, name), name)
        connections.write_user(
            tx,
            row._replace(administrator=former.administrator, created_at=former.created_at),
        )
        _record(tx, store, "password", name, {})


def remove_user(store: StoreState, name: str) -> None:
    """Remove a user. UserAccountError if nobody has that name.

    >>> store.add_user("carol", "a long password")
    >>> store.remove_user("carol")
    """
    _check_administrator(store)
    with Transaction(store.database, durable=True) as tx:
        former = _existing(connections.user(tx, name), name)
        connections.remove_user(tx, name)
        _change_groups(tx, store, name, (), connections.groups_of(tx, name))
        _record(tx, store, "user", name, {"before": _role(former)})


def change_groups(store: StoreState, name: str, add: Sequence[str], remove: Sequence[str]) -> None:
    """Put a user into groups, and take it out of others.

    UserAccountError if there is no such user, if it is not in a group that it is to leave, or for
    an impossible name.
    """
    _refuse(next(filter(None, map(user_names.group_name_fault, add)), ""))
    _check_administrator(store)
    with Transaction(store.database, durable=True) as tx:
        _existing(connections.user(tx, name), name)
        _change_groups(tx, store, name, add, remove)


def _change_groups(
    tx: Transaction,
    store: StoreState,
    name: str,
    add: Sequence[str],
    remove: Sequence[str],
) -> None:
    for group in remove:
        if not connections.remove_from_group(tx, name, group):
            raise UserAccountError(f"the user {name} is not in the group {group}")
        _record(tx, store, "group", name, {"before": group})
    for group in add:
        connections.add_to_group(tx, name, group)
        _record(tx, store, "group", name, {"after": group})
    managers.raise_versions(tx)


def _record(
    tx: Transaction,
    store: StoreState,
    cause: str,
    name: str,
    detail: dict[str, str],
) -> None:
    """Record a change of a user in the history of every queue manager of the store."""
    for row in managers.all(tx):
        call = QueueManagerState(store, row.name).call_context(tx, running=False)
        record_event(tx, call, "ACCESS", cause=cause, target=name, detail=detail)


def known_users(store: StoreState) -> list[str]:
    """The names of the users of the store, of members of groups, of users with authority records,
    and of the user who runs the program.
    """
    members = [row.user for row in store.read(connections.groups)]
    names = [row.name for row in store.read(connections.users)]
    return sorted(
        {*names, *members, *_with_records(store, PRINCIPAL), store.environment.user},
    )


def known_groups(store: StoreState) -> list[str]:
    """The names of the groups of the store, and of groups with authority records."""
    return sorted({*groups(store), *_with_records(store, GROUP)})


def _with_records(store: StoreState, entity: str) -> set[str]:
    """The users, or groups, with authority records of any queue manager."""
    grants = (
        grant
        for row in store.read(managers.all)
        for grant in store.read(authorization.every_grant, row.name)
    )
    return {grant.entity[1] for grant in grants if grant.entity[0] == entity}


def groups(store: StoreState) -> dict[str, list[str]]:
    """The groups of the store with their members."""
    rows = store.read(connections.groups)
    return {
        name: [row.user for row in rows if row.name == name]
        for name in sorted({row.name for row in rows})
    }


def has_password(store: StoreState, name: str, password: str) -> bool:
    """Whether there is a user of that name with that password."""
    row = store.read(connections.user, name)
    return passwords.has_password(store, row, password)


def may_administer(store: StoreState, name: str) -> bool:
    """Whether the user may do what is for administrators alone: they all may, while no queue
    manager enforces it.
    """
    with Reading(store.database) as reading:
        rows = managers.all(reading)
        if not any(authorization.known(reading, store, row).mode == ENFORCE for row in rows):
            return True
        return authorization.identity_of(reading, store, rows[0], name).is_administrator


def _check_administrator(store: StoreState) -> None:
    """UserAccountError unless the program is the owner's, or its user may administer the store."""
    if (store.is_owner and not store.acting_user) or may_administer(
        store,
        store.acting_user or store.environment.user,
    ):
        return
    raise UserAccountError("AMQ7077E: only administrators may do this")


def enforcing(store: StoreState) -> list[str]:
    """The queue managers that enforce authorities."""
    with Reading(store.database) as reading:
        rows = managers.all(reading)
        return [
            row.name for row in rows if authorization.known(reading, store, row).mode == ENFORCE
        ]


def set_mode(qmgr: QueueManagerState, mode: str) -> None:
    """`mqsc auth mode`: whether authorities are in force: auto, enforce, warn or off."""
    _check_administrator(qmgr.store)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        before = call.qmgr.authority_mode or AUTO
        managers.set_columns(tx, qmgr.name, {"authority_mode": "" if mode == AUTO else mode})
        record_event(tx, call, "ACCESS", cause="mode", detail={"before": before, "after": mode})


def refresh(qmgr: QueueManagerState) -> None:
    """REFRESH SECURITY: forget what is kept of users, groups and records; MQError 2059 if it
    does not run.
    """
    with qmgr.transaction() as (tx, _):
        managers.raise_versions(tx)


def set_os_groups(qmgr: QueueManagerState, *, on: bool) -> None:
    """`mqsc auth os-groups`: whether the groups of the operating system's user of the same name
    count.
    """
    _check_administrator(qmgr.store)
    with qmgr.transaction(durable=True, running=False) as (tx, call):
        before, after = ("on" if each else "off" for each in (call.qmgr.os_groups, on))
        managers.set_columns(tx, qmgr.name, {"os_groups": int(on)})
        record_event(
            tx,
            call,
            "ACCESS",
            cause="os-groups",
            detail={"before": before, "after": after},
        )


def users(store: StoreState) -> list[UserAccount]:
    """The users of the store by name.

    >>> store.add_user("dave", "a long password")
    >>> "dave" in [each.name for each in store.users()]
    True
    """
    found = store.read(connections.users)
    return [
        UserAccount(row.name, bool(row.administrator), row.created_at, row.changed_at)
        for row in found
    ]


def _new_account(
    store: StoreState, name: str, password: str, administrator: bool
) -> UserAccountRow:
    # Before the transaction, which other programs wait for.
    now = store.environment.clock.now()
    account = UserAccountRow(name, b"", b"", 0, 0, 0, int(administrator), now, now)
    return passwords.new_hash(store, account, password)


def _role(account: UserAccountRow) -> str:
    return "administrator" if account.administrator else "user"


def _taken(account: UserAccountRow | None, name: str) -> str:
    return "" if account is None else f"there is a user {name} already"


def _existing(account: UserAccountRow | None, name: str) -> UserAccountRow:
    if account is None:
        raise UserAccountError(f"there is no user {name}")
    return account


def _refuse(fault: str) -> None:
    if fault:
        raise UserAccountError(fault)
