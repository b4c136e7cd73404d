"""How the events of a history changed the depth of a queue: got messages do not count,
uncommitted puts do.
"""

from __future__ import annotations

from typing import Any

from mqsc.store.sql.results import first_value
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def changes(
    tx: Queries,
    first: int,
    last: int,
    queue: str,
    owner: str,
    members: list[str],
) -> list[Any]:
    """Return (seq, at, kind, change) of the events with these numbers that changed the depth of a
    queue, in order.

    `owner` is a queue manager or a group, `members` are the queue managers whose backouts may be
    about the queue.
    """
    return tx.execute(SQL["changes"], (first, last, queue, owner, json_list(members))).fetchall()


def sum_of_changes(
    tx: Queries,
    first: int,
    last: int,
    queue: str,
    owner: str,
    members: list[str],
) -> int:
    """Return by how much the events with these numbers changed the depth in all."""
    return first_value(
        int,
        tx.execute(SQL["sum_of_changes"], (first, last, queue, owner, json_list(members))),
    )
