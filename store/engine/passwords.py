"""The check of a password, and the new hash that one gets which was hashed at less cost than
today.
"""

from __future__ import annotations

from contextlib import suppress

from mqsc.store.engine.state import StoreState
from mqsc.store.error import MQError, StoreError
from mqsc.store.rules.passwords import SALT_LENGTH, hashed, is_hash_of, is_outdated
from mqsc.store.sql import connections
from mqsc.store.sql.rows import UserAccountRow
from mqsc.store.sqlite.database import Transaction


def has_password(store: StoreState, account: UserAccountRow | None, password: str) -> bool:
    """Whether it is the password of the account; False if there is none, after the time that a
    wrong password takes.

    Call it outside a transaction, for which other programs would wait.
    """
    if account is None:
        hashed(password, bytes(SALT_LENGTH), store.environment.password_cost)
        return False
    cost = account.cost, account.block_size, account.parallel
    if not is_hash_of(password, account.salt, account.hashed, cost):
        return False
    if is_outdated(cost, store.environment.password_cost):
        # A store that cannot be written now keeps the old hash until the next time.
        with suppress(MQError, StoreError):
            _renew(store, account, password)
    return True


def new_hash(store: StoreState, account: UserAccountRow, password: str) -> UserAccountRow:
    """The account with a hash of the password, with another salt and at the cost of today."""
    salt, cost = store.environment.unpredictable_bytes(SALT_LENGTH), store.environment.password_cost
    n, r, p = cost
    return account._replace(
        salt=salt,
        hashed=hashed(password, salt, cost),
        cost=n,
        block_size=r,
        parallel=p,
    )


def _renew(store: StoreState, account: UserAccountRow, password: str) -> None:
    renewed = new_hash(store, account, password)
    with Transaction(store.database, durable=True) as tx:
        # Unless the password was changed or the user removed meanwhile.
        if connections.user(tx, account.name) == account:
            connections.write_user(tx, renewed)
