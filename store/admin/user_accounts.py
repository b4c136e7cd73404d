"""Users and their passwords: added, changed, removed and listed."""

from __future__ import annotations

from typing import NamedTuple

from store.engine.state import StoreState
from store.error import UserAccountError
from store.rules import passwords
from store.rules.passwords import SALT_LENGTH, SCRYPT, hashed
from store.sql import connections
from store.sql.rows import UserAccountRow
from store.sqlite.database import Reading, Transaction


class UserAccount(NamedTuple):
    """A user; `administrator`: CHCKLOCL(REQDADM) and CHCKCLNT(REQDADM) ask for the password."""

    name: str
    administrator: bool
    # Microseconds UTC, by the clock of the machine.
    created_at: int
    changed_at: int


def check_new_name(store: StoreState, name: str) -> None:
    """UserAccountError if no user can have that name, or one has it."""
    _refuse(passwords.name_fault(name))
    with Reading(store.database) as reading:
        _refuse(_taken(connections.user(reading, name), name))


def check_existing_name(store: StoreState, name: str) -> None:
    """UserAccountError if there is no user of that name."""
    _refuse(passwords.name_fault(name))
    with Reading(store.database) as reading:
        _existing(connections.user(reading, name), name)


def add_user(store: StoreState, name: str, password: str, *, administrator: bool = False) -> None:
    """Add a user. UserAccountError if there is one of that name, or if no user can have the name or the password."""
    _refuse(passwords.name_fault(name) or passwords.password_fault(password))
    row = _row(store, name, password, administrator)
    with Transaction(store.database, durable=True) as tx:
        _refuse(_taken(connections.user(tx, name), name))
        connections.write_user(tx, row)


def change_password(store: StoreState, name: str, password: str) -> None:
    """Give a user another password. UserAccountError if there is none of that name, or for an impossible password."""
    _refuse(passwords.password_fault(password))
    row = _row(store, name, password, False)
    with Transaction(store.database, durable=True) as tx:
        former = _existing(connections.user(tx, name), name)
        connections.write_user(tx, row._replace(administrator=former.administrator, created_at=former.created_at))


def remove_user(store: StoreState, name: str) -> None:
    """Remove a user. UserAccountError if there is none of that name."""
    with Transaction(store.database, durable=True) as tx:
        _existing(connections.user(tx, name), name)
        connections.remove_user(tx, name)


def users(store: StoreState) -> list[UserAccount]:
    """The users of the store by name."""
    with Reading(store.database) as reading:
        found = connections.users(reading)
    return [UserAccount(row.name, bool(row.administrator), row.created_at, row.changed_at) for row in found]


def _row(store: StoreState, name: str, password: str, administrator: bool) -> UserAccountRow:
    # Before the transaction, which other programs wait for.
    salt, now = store.environment.unpredictable_bytes(SALT_LENGTH), store.environment.clock.now()
    return UserAccountRow(name, salt, hashed(password, salt), *SCRYPT, int(administrator), now, now)


def _taken(row: UserAccountRow | None, name: str) -> str:
    return "" if row is None else f"there is a user {name} already"


def _existing(row: UserAccountRow | None, name: str) -> UserAccountRow:
    if row is None:
        raise UserAccountError(f"there is no user {name}")
    return row


def _refuse(fault: str) -> None:
    if fault:
        raise UserAccountError(fault)
