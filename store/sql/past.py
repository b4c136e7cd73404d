"""Statements that turn a copy of a store into its state after an earlier event
(`store.past.as_of`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from mqsc.store.published import EVENT_COLUMNS
from mqsc.store.sql.results import every_row, first_column, first_value
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)
# What programs that have the store open hold, and what the history does not know of the past.
HELD = (
    "process",
    "connection",
    "handle",
    "handle_path",
    "waiter",
    "channel_status",
    "event_segment",
    "pending_refresh",
    "running_object",
)


def event_at(tx: Queries, seq: int) -> Any:
    """Return (seq, at) of the last event up to a number, or None."""
    return tx.execute(SQL["event_at"], (seq,)).fetchone()


def last_before(tx: Queries, at: int, owners: list[str]) -> int:
    """Return the number of the last event of these queue managers and groups that was not later
    than a time, or 0.
    """
    return first_value(int, tx.execute(SQL["last_before"], (at, json_list(owners))))


def last_time(tx: Queries, seq: int, owners: list[str]) -> Any:
    """Return (at,) of the last event up to a number that is of these queue managers and groups,
    or None.
    """
    return tx.execute(SQL["last_time"], (seq, json_list(owners))).fetchone()


def next_clock_changes(tx: Queries, after: int) -> list[Any]:
    """Return (qmgr, seq, kind, at, detail) of the first CLOCK or JOIN of each queue manager
    after an event.
    """
    return tx.execute(SQL["next_clock_changes"], (after,)).fetchall()


def model_of(tx: Queries, owner: str, name: str, before: int) -> str:
    """Return the model queue from which a dynamic queue was last made before an event, or blank."""
    return first_value(str, tx.execute(SQL["model_of"], (owner, name, before)))


def of_messages(
    tx: Queries,
    first: int,
    last: int,
    kinds: list[str],
    names: list[str],
) -> list[Any]:
    """Return events that are no calls in order, as `store.past.messages` follows them.

    They are of these kinds, and on these queues or on none.
    """
    return tx.execute(
        SQL["of_messages"],
        (first, last, json_list(kinds), json_list(names)),
    ).fetchall()


def of_connections(
    tx: Queries,
    first: int,
    last: int,
    kinds: list[str],
    connections: list[int],
) -> list[Any]:
    """Return those in units of work of these connections, the last one first."""
    return tx.execute(
        SQL["of_connections"],
        (first, last, json_list(kinds), json_list(connections)),
    ).fetchall()


def of_msg_ids(
    tx: Queries,
    first: int,
    last: int,
    kinds: list[str],
    listed: list[str],
) -> list[Any]:
    """Return those about messages with these MsgIds, in hexadecimal, and every BACKOUT and MOVE,
    the last one first.
    """
    return tx.execute(
        SQL["of_msg_ids"],
        (first, last, json_list(kinds), json_list(listed)),
    ).fetchall()


class ObjectEvent(NamedTuple):
    """An event about a definition or a queue manager."""

    seq: int
    at: int
    qmgr: str
    kind: str
    cause: str
    name: str
    type: str
    detail: str

    @property
    def told(self) -> dict[str, Any]:
        """Its detail as a JSON object."""
        return dict(json.loads(self.detail)) if self.detail else {}


def of_objects(tx: Queries, first: int, last: int, kinds: list[str]) -> list[ObjectEvent]:
    """Return the events of these kinds with numbers from `first` to `last`, in order."""
    return every_row(ObjectEvent, tx.execute(SQL["of_objects"], (first, last, json_list(kinds))))


def puts(tx: Queries, numbers: list[int]) -> list[Any]:
    """Return what the events with these numbers say about the message that was put, in the order
    of PUT_COLUMNS.
    """
    return tx.execute(SQL["puts"], (json_list(numbers),)).fetchall()


PUT_COLUMNS = (
    "seq",
    "msg_id",
    "correl_id",
    "priority",
    "persistence",
    "length",
    "put_at",
    "expires_at",
    "put_appl_name",
    "user_identifier",
)


def local_queues(tx: Queries) -> list[Any]:
    """Return (owner, name, id, fifo, recorded) of all local queues."""
    return tx.execute(SQL["local_queues"], ()).fetchall()


def present(tx: Queries, number: int) -> list[Any]:
    """Return (id, msg_id, put_at, sequence, state, unit, backout_count) of the messages of a
    queue, in their order.
    """
    return tx.execute(SQL["present"], (number,)).fetchall()


def remove_messages(tx: Transaction, numbers: list[int]) -> int:
    """Remove messages by their row numbers."""
    return tx.execute(SQL["remove_messages"], (json_list(numbers),)).rowcount


def place(
    tx: Transaction,
    id: int,
    sequence: int,
    state: int,
    unit: int | None,
    backouts: int,
) -> int:
    """Place a message of the present where it was, in the state that it had."""
    return tx.execute(SQL["place"], (id, sequence, state, unit, backouts)).rowcount


def count(tx: Transaction, number: int, next_sequence: int) -> int:
    """Set the depth of a queue and what follows from its messages."""
    return tx.execute(SQL["count"], (number, next_sequence)).rowcount


def last_uses(tx: Queries, first: int, last: int, names: list[str]) -> list[Any]:
    """Return (qmgr, queue, kind, seq, at) of the last PUT, GET and DELETE of queues with these
    names in a range.
    """
    return tx.execute(SQL["last_uses"], (first, last, json_list(names))).fetchall()


def open_units(tx: Queries) -> list[int]:
    """Return the numbers of the units of work that hold messages."""
    return first_column(tx.execute(SQL["open_units"], ()))


def ask_for_reports(tx: Transaction, msg_id: bytes, put_at: int, report: int, queue: str) -> int:
    """Have a message that is gone since, of which no report options are known, ask for reports."""
    return tx.execute(SQL["ask_for_reports"], (msg_id, put_at, report, queue)).rowcount


def ask_when_moved(
    tx: Transaction,
    queue: int,
    msg_id: bytes,
    before: int,
    report: int,
    reply_to: str,
) -> int:
    """Have a message of a queue ask for a report, after so many with its MsgId that do, unless
    it does already.
    """
    return tx.execute(SQL["ask_when_moved"], (queue, msg_id, before, report, reply_to)).rowcount


def remove_events(tx: Transaction, after: int) -> int:
    """Remove the events after a number."""
    return tx.execute(SQL["remove_events"], (after,)).rowcount


def return_events(tx: Transaction, rows: Iterable[tuple[Any, ...]]) -> None:
    """Add events that are no longer there, with the values of EVENT_COLUMNS."""
    names = [each.name for each in EVENT_COLUMNS]
    tx.connection.executemany(
        f"INSERT OR IGNORE INTO event ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        rows,
    )


def remove_definition(tx: Transaction, owner: str, namespace: str, name: str) -> int:
    """Remove a definition."""
    return tx.execute(SQL["remove_definition"], (owner, namespace, name)).rowcount


def rewrite_times(
    tx: Transaction,
    owner: str,
    namespace: str,
    name: str,
    created_at: int,
    altered_at: int,
) -> int:
    """Set when an object was defined and altered."""
    return tx.execute(
        SQL["rewrite_times"],
        (owner, namespace, name, created_at, altered_at),
    ).rowcount


def _empty_queues(tx: Transaction) -> int:
    return tx.execute(SQL["empty_queues"], ()).rowcount


def close_handles(tx: Transaction) -> int:
    return tx.execute(SQL["close_handles"], ()).rowcount


def temporary_queues(tx: Queries) -> list[Any]:
    """Return (owner, name, id) of all temporary dynamic queues."""
    return tx.execute(SQL["temporary_queues"], ()).fetchall()


def deleted_queues(tx: Queries) -> list[Any]:
    """Return (owner, name, id) of the dynamic queues that are marked as deleted."""
    return tx.execute(SQL["deleted_queues"], ()).fetchall()


def mark_as_deleted(tx: Transaction, numbers: list[int]) -> int:
    """Mark the dynamic queues with these ids as deleted."""
    return tx.execute(SQL["mark_as_deleted"], (json_list(numbers),)).rowcount


def deletions(tx: Queries, first: int, last: int, names: list[str]) -> list[Any]:
    """Return (qmgr, queue, kind) of each DEFINE that made a dynamic queue of these names, and each
    CLOSE that marked one as deleted, from the last one back.
    """
    return tx.execute(SQL["deletions"], (first, last, json_list(names))).fetchall()


def forget_creators(tx: Transaction) -> int:
    """Forget which handles created dynamic queues, and which queues are marked as deleted."""
    return tx.execute(SQL["forget_creators"], ()).rowcount


def enable_gets(tx: Transaction) -> int:
    """Enable gets from all queues and through all aliases."""
    return tx.execute(SQL["enable_gets"], ()).rowcount


def empty(tx: Transaction) -> None:
    """Remove all messages, and set the counts of open handles to zero."""
    tx.execute("DELETE FROM message", ())
    _empty_queues(tx)
    close_handles(tx)


def clear_held(tx: Transaction) -> None:
    """Forget what programs hold."""
    for name in HELD:
        tx.execute(f"DELETE FROM {name}", ())
