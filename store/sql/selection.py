"""SELECTs of the messages on a queue whose conditions the call chooses; each set of conditions has
a text of its own.

They are composed of texts, because SQLAlchemy takes longer to import than a get to run. Parameters
are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from mqsc.store.sql.rows import MessageState, StoredMessage, condition_of

# The columns that a waiting get may select by.
WANTED = ("msg_id", "correl_id", "group_id", "msg_seq_number", "offset")


class Expired(NamedTuple):
    """An expired message, as far as its discarding needs it."""

    id: int
    report: int
    expires_at: int | None


class Place(NamedTuple):
    """A message and its place on its queue."""

    id: int
    rank: int
    sequence: int


def _column(name: str) -> str:
    return f'message."{name}"' if name == "offset" else f"message.{name}"


def _columns(row: type) -> str:
    return ", ".join(map(_column, row.__annotations__))


def _unwanted() -> str:
    wanted = (
        f'AND (waiter."{name}" IS NULL OR waiter."{name}" = {_column(name)})' for name in WANTED
    )
    return (
        f"NOT EXISTS (SELECT 1 FROM waiter WHERE waiter.queue = message.queue {' '.join(wanted)})"
    )


# The conditions of a selection besides the queue.
CONDITIONS: Mapping[str, str] = {
    **{name: f"{_column(name)} = :{name}" for name in WANTED},
    "no_correl_id": "message.correl_id IS NULL",
    "no_group_id": "message.group_id IS NULL",
    # SQLite reuses row numbers; the sequence number ensures that it is the same message.
    "id": "message.id = :id AND message.sequence = :sequence",
    "unlocked": "(message.locked_by IS NULL OR message.locked_by = :handle)",
    # No get waits for this message in particular.
    "unwanted": _unwanted(),
    "live": "(message.expires_at IS NULL OR message.expires_at > :now)",
    "unmarked": "(message.marked_until IS NULL OR message.marked_until <= :now)",
    "unmarked_here": "message.sequence NOT IN (SELECT value FROM json_each(:marked))",
    "same_rank": "message.rank = :rank AND message.sequence > :sequence",
    "lower_rank": "message.rank < :rank",
}
# What a selection reads of each message.
SELECTED: Mapping[str, str] = {
    "message": _columns(StoredMessage),
    "expiry": f"message.expires_at IS NOT NULL AND message.expires_at <= :now, {_columns(Expired)}",
    "place": _columns(Place),
}
_READY = condition_of(MessageState.AVAILABLE)
_IN_DELIVERY_ORDER = "ORDER BY message.rank DESC, message.sequence"


@lru_cache(maxsize=512)
def selection(selected: str, conditions: frozenset[str], limit: int) -> str:
    """Return the SELECT of up to `limit` committed messages in delivery order that meet all
    conditions.

    With a limit that is a parameter SQLite plans the query anew each time, which costs four times
    the query.
    """
    where = " AND ".join(
        ["message.queue = :queue", _READY, *(CONDITIONS[name] for name in sorted(conditions))],
    )
    return (
        f"SELECT {SELECTED[selected]} FROM message WHERE {where} {_IN_DELIVERY_ORDER} LIMIT "
        f"{limit:d}"
    )


@lru_cache(maxsize=64)
def page(condition: str, size: int, most: int | None) -> str:
    """Return the SELECT of up to `size` committed messages put before one, each with up to
    `most` bytes of its data.
    """
    # substr returns NULL for an empty BLOB.
    body = "message.body" if most is None else f"ifnull(substr(message.body, 1, {most:d}), x'')"
    columns = ", ".join(body if name == "body" else _column(name) for name in StoredMessage._fields)
    where = (
        f"message.queue = :queue AND {_READY} AND {CONDITIONS[condition]} AND message.sequence < "
        ":before"
    )
    return f"SELECT {columns} FROM message WHERE {where} {_IN_DELIVERY_ORDER} LIMIT {size:d}"


@lru_cache(maxsize=256)
def count_of_rank(state: MessageState, limit: int) -> str:
    """Return the statement that counts the messages of at least a rank in a state, up to
    `limit`.
    """
    found = (
        "SELECT 1 FROM message WHERE message.queue = :queue AND message.rank >= :rank AND "
        f"{condition_of(state)}"
    )
    return f"SELECT count(*) FROM ({found} LIMIT {limit:d})"
