"""The matrix: what every user or group that a record names may do with every object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.admin.command_authority import names_of
from mqsc.store.engine import authorization
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.authorization import PRINCIPAL, Identity
from mqsc.store.sql import connections


class Matrix(NamedTuple):
    """`columns` are (PRINCIPAL or GROUP, name); `rows` are (type, name) with the words of each
    column.
    """

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[tuple[str, str], tuple[frozenset[str], ...]], ...]


def matrix(
    qmgr: QueueManagerState,
    pattern: str = "*",
    *,
    users: Sequence[str] = (),
    by: str = PRINCIPAL,
    type: str = "QUEUE",
) -> Matrix:
    """Effective authorities on the queue manager and the objects of a type; of groups with `by`
    GROUP.
    """
    names = names_of(qmgr, type, pattern)
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        known = {
            each.entity[1]
            for each in authorization.every_grant(reading, qmgr.name)
            if each.entity[0] == by
        }
        if by == PRINCIPAL:
            known |= {each.user for each in connections.groups(reading)}
            known |= {each.name for each in connections.users(reading)}
        names_of_columns = sorted(users or known)
        if by == PRINCIPAL:
            identities = {
                (by, name): authorization.identity_of(*about, name) for name in names_of_columns
            }
        else:
            identities = {(by, name): Identity("", (name,)) for name in names_of_columns}
        shown = {column: each for column, each in identities.items() if not each.is_administrator}
        matrix_rows = [
            (
                (kind, name),
                tuple(authorization.held(*about, each, kind, name) for each in shown.values()),
            )
            for kind, name in [("QMGR", SELF), *((type, name) for name in names)]
        ]
    return Matrix(tuple(shown), tuple(matrix_rows))
