"""Channels: the status of those that are not inactive, injected faults, the map of host names,
and ended runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_column, first_row, first_value
from mqsc.store.sql.rows import ChannelFaultRow, ChannelHostRow, ChannelStatusRow
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def of_queue_manager(tx: Queries, qmgr: str) -> list[ChannelStatusRow]:
    """Return the instances of all channels, by channel and partner."""
    return every_row(ChannelStatusRow, tx.execute(SQL["of_queue_manager"], (qmgr,)))


def of_channel(tx: Queries, qmgr: str, channel: str) -> list[ChannelStatusRow]:
    """Return the instances of a channel, by partner."""
    return every_row(ChannelStatusRow, tx.execute(SQL["of_channel"], (qmgr, channel)))


def of_process(tx: Queries, process: int) -> list[str]:
    """Return the channels that a process runs, of all queue managers."""
    return first_column(tx.execute(SQL["of_process"], (process,)))


def instance(tx: Queries, qmgr: str, channel: str, partner: str) -> ChannelStatusRow | None:
    """Return one instance of a channel, or None when it is inactive."""
    return first_row(ChannelStatusRow, tx.execute(SQL["instance"], (qmgr, channel, partner)))


def _requested(tx: Queries, qmgr: str, channel: str, partner: str) -> Any:
    return tx.execute(SQL["requested"], (qmgr, channel, partner)).fetchone()


def requested(tx: Queries, qmgr: str, channel: str, partner: str) -> tuple[str, str]:
    """Return what a command asked of the instance, and the status after a stop; blanks for
    nothing.
    """
    return _requested(tx, qmgr, channel, partner) or ("", "")


def write(tx: Transaction, row: ChannelStatusRow) -> None:
    """Store an instance, in place of the row that it had."""
    tx.replace("channel_status", row)


def drop(tx: Transaction, qmgr: str, channel: str, partner: str) -> int:
    """Remove an instance: it is inactive."""
    return tx.execute(SQL["drop"], (qmgr, channel, partner)).rowcount


def drop_channel(tx: Transaction, qmgr: str, channel: str) -> int:
    """Remove every instance of a channel."""
    return tx.execute(SQL["drop_channel"], (qmgr, channel)).rowcount


def drop_in_status(tx: Transaction, qmgr: str, status: int) -> int:
    """Remove the instances that have this status."""
    return tx.execute(SQL["drop_in_status"], (qmgr, status)).rowcount


# A synchronization record is shorter; anything else on the queue may be long.
LONGEST_TEXT = 4096


def synchronization_messages(tx: Queries, queue: int) -> list[Any]:
    """Return (id, state, body) of the short messages on the queue of synchronization records, in
    any order.
    """
    return tx.execute(SQL["synchronization_messages"], (queue,)).fetchall()


def has_trigger_message(tx: Queries, queue: int) -> bool:
    """Return whether a committed message of the queue begins as a trigger message does."""
    return tx.execute(SQL["has_trigger_message"], (queue,)).fetchone() is not None


def has_other_message(tx: Queries, queue: int) -> bool:
    """Return whether a committed message of the queue is not a trigger message."""
    return tx.execute(SQL["has_other_message"], (queue,)).fetchone() is not None


def run_and_start(tx: Queries, qmgr: str, queues: Sequence[str], now: int) -> Any:
    """Return the run of a queue manager, and whether a channel waits to be started now or there is
    a committed message on one of the queues; None when the queue manager does not run.

    `now` counts unless the queue manager has a manual clock.
    """
    return tx.execute(SQL["run_and_start"], (qmgr, json_list(queues), now)).fetchone()


def add_fault(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Store a fault: the columns of its row but `id`."""
    tx.insert("channel_fault", row)


def faults(tx: Queries, qmgr: str, channel: Any) -> list[ChannelFaultRow]:
    """Return the faults of a channel, oldest first; of all channels, by channel, if it is blank."""
    return every_row(ChannelFaultRow, tx.execute(SQL["faults"], (qmgr, channel)))


def fault(tx: Queries, id: int) -> ChannelFaultRow | None:
    """Return a fault, or None when it is gone."""
    return first_row(ChannelFaultRow, tx.execute(SQL["fault"], (id,)))


def change_fault(tx: Transaction, id: int, step: str, number: int, times: int | None) -> int:
    """Change at which message a fault strikes, and how often it still does."""
    return tx.execute(SQL["change_fault"], (id, step, number, times)).rowcount


def remove_fault(tx: Transaction, id: int) -> int:
    return tx.execute(SQL["remove_fault"], (id,)).rowcount


def clear_faults(tx: Transaction, qmgr: str, channel: str) -> int:
    """Remove the faults of a channel; return how many there were."""
    return tx.execute(SQL["clear_faults"], (qmgr, channel)).rowcount


def host(tx: Queries, address: str) -> str:
    """Return what an address is mapped to; blank when it is not mapped."""
    return first_value(str, tx.execute(SQL["host"], (address,)))


def hosts(tx: Queries) -> list[ChannelHostRow]:
    """Return the whole map, by address."""
    return every_row(ChannelHostRow, tx.execute(SQL["hosts"], ()))


def map_host(tx: Transaction, row: ChannelHostRow) -> None:
    """Map an address, replacing what it was mapped to before."""
    tx.replace("channel_host", row)


def unmap_host(tx: Transaction, address: str) -> int:
    """Remove an address; return how many were removed."""
    return tx.execute(SQL["unmap_host"], (address,)).rowcount


class EndedRun(NamedTuple):
    """The end of a run of a channel: when (microseconds UTC), the cause, the MQRC of a failed
    call, details.
    """

    at: int
    cause: str
    reason: int | None
    detail: str | None


def last_end(tx: Queries, qmgr: str, channel: str, after: int) -> EndedRun | None:
    """Return the last end of a channel, among the events numbered higher than `after`, or None."""
    return first_row(EndedRun, tx.execute(SQL["last_end"], (qmgr, channel, after)))
