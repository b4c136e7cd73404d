"""Searching the history: events by queue, message or time, its index, the life and origin of
messages, queue names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mqsc.store.sql.event_selection import event_selection
from mqsc.store.sql.results import first_column
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def search(
    tx: Queries,
    first: int,
    last: int,
    wanted: Mapping[str, Any],
    most: int,
    *,
    newest_first: bool = False,
) -> list[tuple[Any, ...]]:
    """Return up to `most` events numbered `first` to `last`, in order, with the values of
    EVENT_COLUMNS.

    `wanted`: `low` and `high`, between which the name of a queue is; `qmgr`, `unit`, `connection`;
    `since`, and `until` before which it happened; lists of `kinds`, `causes` and `numbers`. A
    missing value matches anything. Every event in the range is read, so keep it short.
    """
    values = {
        name: json_list(value) if isinstance(value, list) else value
        for name, value in wanted.items()
    }
    return tx.all(
        event_selection(tuple(wanted), newest_first),
        {"first": first, "last": last, "most": most, **values},
    )


def queue_is_defined(tx: Queries, low: str, high: Any, qmgr: Any) -> bool:
    """Return whether there is such a queue now, of that owner, or of any if it is blank."""
    return tx.execute(SQL["queue_is_defined"], (low, high, qmgr)).fetchone() is not None


def names_of_queues(tx: Queries, qmgr: Any) -> list[str]:
    """Return the names of all queues in the history, which is read from its beginning to its end.

    Those of one queue manager or, if that is blank, of all.
    """
    return first_column(tx.execute(SQL["names_of_queues"], (qmgr,)))


def bounds(tx: Queries) -> Any:
    """Return the numbers of the first and the last event that the store has; 1 and 0 if there is
    none.
    """
    return tx.execute(SQL["bounds"], ()).fetchone()


def _ids(tx: Queries, first: int, last: int) -> list[bytes]:
    return first_column(tx.execute(SQL["ids"], (first, last)))


def ids(tx: Queries, first: int, last: int) -> list[bytes]:
    """Return every MsgId and CorrelId of the events numbered `first` to `last`, and the MsgIds
    that reports are on.
    """
    return [id for id in _ids(tx, first, last) if id is not None]


def units(tx: Queries, first: int, last: int) -> list[int]:
    """Return the units of work of these events."""
    return first_column(tx.execute(SQL["units"], (first, last)))


def facts(tx: Queries, first: int, last: int) -> list[Any]:
    """Return the different values of kind, cause, queue, target, connection, and connection of
    the unit of work.
    """
    return tx.execute(SQL["facts"], (first, last)).fetchall()


def queues_backed_out(tx: Queries, first: int, last: int) -> list[str]:
    """Return the keys in the details of the backouts among these events: names of queues, and what
    else a backout tells.
    """
    return first_column(tx.execute(SQL["queues_backed_out"], (first, last)))


def times(tx: Queries, first: int, last: int) -> Any:
    """Return the earliest and the latest time of these events; None without any."""
    return tx.execute(SQL["times"], (first, last)).fetchone()


def entries(tx: Queries, first: int, last: int) -> list[Any]:
    """Return the entries of the segments numbered `first` to `last` that have one, in order.

    Each as segment, earliest and latest time (which may be None), and prints.
    """
    return tx.execute(SQL["entries"], (first, last)).fetchall()


def _known(tx: Queries, first: int, last: int) -> list[int]:
    return first_column(tx.execute(SQL["known"], (first, last)))


def first_missing(tx: Queries, first: int, end: int) -> int | None:
    """Return the number of the first segment from `first` to before `end` that has no entry."""
    known = set(_known(tx, first, end - 1))
    return next((segment for segment in range(first, end) if segment not in known), None)


def add_entry(
    tx: Transaction,
    segment: int,
    earliest: int | None,
    latest: int | None,
    prints: bytes,
) -> int:
    """Add the entry of a segment, unless it is there: another program may have made the same one
    meanwhile.
    """
    return tx.execute(SQL["add_entry"], (segment, earliest, latest, prints)).rowcount


def remove_entry(tx: Transaction, segment: int) -> int:
    """Remove the entry of a segment; return 0 if there is none."""
    return tx.execute(SQL["remove_entry"], (segment,)).rowcount


# The most identifiers, and the most units of work, that are searched for at once.
MOST_VALUES = 4_096


def events(
    tx: Queries,
    first: int,
    last: int,
    ids: Sequence[bytes],
    units: Sequence[int],
) -> list[tuple[Any, ...]]:
    """Return the events numbered `first` to `last`, with the values of ALL_COLUMNS, that may belong
    to a life.

    They have one of the identifiers as MsgId, as CorrelId or as the original of a report, or end
    one of the units of work, at most MOST_VALUES of each. All commands on queues and batches of
    channels are included. Every event in that range is read, so keep it short.
    """
    given = first, last, json_list([id.hex() for id in ids]), json_list([*units])
    return tx.execute(SQL["events"], given).fetchall()


def _ids_of_events(tx: Queries, first: int, last: int, low: bytes, high: bytes) -> list[Any]:
    return tx.execute(SQL["ids_of_events"], (first, last, low, high)).fetchall()


def ids_of_events(tx: Queries, first: int, last: int, low: bytes, high: bytes) -> set[bytes]:
    """Return the MsgIds from `low` to `high` in the events numbered `first` to `last`; keep that
    range short.
    """
    found = _ids_of_events(tx, first, last, low, high)
    return {each for row in found for each in row if each is not None and low <= each <= high}


def ids_of_messages(tx: Queries, low: bytes, high: bytes, most: int) -> list[bytes]:
    """Return up to `most` MsgIds from `low` to `high` of messages that are available."""
    return first_column(tx.execute(SQL["ids_of_messages"], (low, high, most)))


def messages(tx: Queries, id: bytes) -> list[Any]:
    """Return the messages with that MsgId or CorrelId.

    Each as owner, queue, MsgId, CorrelId, state, times of put and expiry, PutApplName, and the name
    of the unit in doubt that holds it, or None.
    """
    return tx.execute(SQL["messages"], (id,)).fetchall()


def _addresses(tx: Queries) -> list[str]:
    return first_column(tx.execute(SQL["addresses"], ()))


def _targets(tx: Queries) -> list[str]:
    return first_column(tx.execute(SQL["targets"], ()))


def addresses(tx: Queries) -> list[str]:
    """Return the connection names of all channels, and the targets of the map of host names."""
    return [each for each in _targets(tx) + _addresses(tx) if each]


# The fields of `store.rules.message_origin.MovingEvent`.
MOVING_COLUMNS = (
    "kind cause queue target msg_id correl_id put_at unit at application user detail".split()
)


def moving_events(tx: Queries, qmgr: str, queue_id: int, first: int, last: int) -> list[Any]:
    """Return the events numbered `first` to `last` about messages with MsgIds that are on the
    queue, and all backouts.

    Each has the values of MOVING_COLUMNS. Every event in that range is read, so keep it short.
    """
    return tx.execute(SQL["moving_events"], (qmgr, queue_id, first, last)).fetchall()


FOLLOWED_COLUMNS = (
    "seq kind qmgr queue target msg_id unit put_at detail cause rule expires_at".split()
)


def calls(tx: Queries, first: int, last: int) -> Any:
    """Return the ordinary puts, gets and commits with these numbers, as `store.past.pages` reads
    them.

    That is a JSON array for each value of `Call` but MsgId, and the MsgIds as one. Rows would take
    three times as long.
    """
    return tx.execute(SQL["calls"], (first, last)).fetchone()


def calls_on(tx: Queries, first: int, last: int, names: list[str]) -> Any:
    """Return in the same way those on queues with these names, and the commits."""
    return tx.execute(SQL["calls_on"], (first, last, json_list(names))).fetchone()


def no_calls(tx: Queries, first: int, last: int) -> list[Any]:
    """Return the other events with these numbers, with the values of
    `store.past.messages.PastEvent`.
    """
    return tx.execute(SQL["no_calls"], (first, last)).fetchall()


def messages_there(tx: Queries) -> list[Any]:
    """Return owner, queue, MsgId, unit of work and state of every message, and whether it is locked
    by a handle that does not exist.
    """
    return tx.execute(SQL["messages_there"], ()).fetchall()


def reply_queues(tx: Queries, qmgr: str) -> list[Any]:
    """Return queue, Report, ReplyToQ and ReplyToQMgr of the messages on queues that name a reply
    queue, each once.
    """
    return tx.execute(SQL["reply_queues"], (qmgr,)).fetchall()


def queues_there(tx: Queries) -> list[Any]:
    """Return owner, name, depth, number of messages that are not got, and whether puts are
    recorded, of each queue.
    """
    return tx.execute(SQL["queues_there"], ()).fetchall()


def events_of_messages(tx: Queries, listed: list[str], first: int, last: int) -> list[Any]:
    """Return MsgId, number, kind, queue manager and queue of the events of messages; the MsgIds
    are hexadecimal.
    """
    return tx.execute(SQL["events_of_messages"], (json_list(listed), first, last)).fetchall()
