"""Channels: the status of those that are not inactive, injected faults, the map of host names, and ended runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.rows import ChannelFaultRow, ChannelHostRow, ChannelStatusRow
from store.sql.statements import change, column, exists, find, find_all, first_tuple, removal, row, rows, tuples, value
from store.sqlite.database import Queries, Transaction

_s, _f, _h, _m, _e = channel_status.c, channel_fault.c, channel_host.c, message.c, event.c

# Return the instances of all channels, by channel and partner.
of_queue_manager = find_all(ChannelStatusRow, "channel_status", "qmgr", order="channel partner")


# Return the instances of a channel, by partner.
of_channel = find_all(ChannelStatusRow, "channel_status", "qmgr", "channel", order="partner")


@column(str)
def of_process(process: int) -> ClauseElement:
    """Return the channels that a process runs, of all queue managers."""
    return select(_s.channel).where(_s.process == process).distinct()


# Return one instance of a channel, or None when it is inactive.
instance = find(ChannelStatusRow, "channel_status", "qmgr", "channel", "partner")


@first_tuple
def _requested(qmgr: str, channel: str, partner: str) -> ClauseElement:
    return select(_s.requested, _s.requested_status).where(
        _s.qmgr == qmgr, _s.channel == channel, _s.partner == partner
    )


def requested(tx: Queries, qmgr: str, channel: str, partner: str) -> tuple[str, str]:
    """Return what a command asked of the instance, and the status after a stop; blanks for nothing."""
    return _requested(tx, qmgr, channel, partner) or ("", "")


def write(tx: Transaction, row: ChannelStatusRow) -> None:
    """Store an instance, in place of the row that it had."""
    tx.replace("channel_status", row)


# Remove an instance: it is inactive.
drop = removal("channel_status", "qmgr", "channel", "partner")

# Remove every instance of a channel.
drop_channel = removal("channel_status", "qmgr", "channel")

# Remove the instances that have this status.
drop_in_status = removal("channel_status", "qmgr", "status")

# A synchronization record is shorter; anything else on the queue may be long.
_LONGEST = 4096


@tuples
def synchronization_messages(queue: int) -> ClauseElement:
    """Return (id, state, body) of the short messages on the queue of synchronization records, in any order."""
    records = select(_m.id, _m.state, _m.body).where(_m.queue == queue, _m.length <= constant(_LONGEST))
    return union_all(records.where(READY), records.where(_m.unit.is_not(None)))


def _is_trigger_message() -> ColumnElement[bool]:
    # An MQTM begins with its structure identifier.
    return func.substr(_m.body, ONE, constant(4)) == literal_column("x'544D2020'")


@exists
def has_trigger_message(queue: int) -> ClauseElement:
    """Return whether a committed message of the queue begins as a trigger message does."""
    return select(_m.id).where(_m.queue == queue, READY, _is_trigger_message()).limit(ONE)


@exists
def has_other_message(queue: int) -> ClauseElement:
    """Return whether a committed message of the queue is not a trigger message."""
    return select(_m.id).where(_m.queue == queue, READY, ~_is_trigger_message()).limit(ONE)


def add_fault(tx: Transaction, row: Mapping[str, Any]) -> None:
    """Store a fault: the columns of its row but `id`."""
    tx.insert("channel_fault", row)


@rows(ChannelFaultRow)
def faults(qmgr: str, channel: Any) -> ClauseElement:
    """Return the faults of a channel, oldest first; of all channels, by channel, if it is blank."""
    found = select(channel_fault).where(_f.qmgr == qmgr, or_(channel == BLANK, _f.channel == channel))
    return found.order_by(_f.channel, _f.id)


# Return a fault, or None when it is gone.
fault = find(ChannelFaultRow, "channel_fault", "id")


@change
def change_fault(id: int, step: str, number: int, times: int | None) -> ClauseElement:
    """Change at which message a fault strikes, and how often it still does."""
    return update(channel_fault).where(_f.id == id).values(step=step, number=number, times=times)


remove_fault = removal("channel_fault", "id")

# Remove the faults of a channel; return how many there were.
clear_faults = removal("channel_fault", "qmgr", "channel")


@value(str)
def host(address: str) -> ClauseElement:
    """Return what an address is mapped to; blank when it is not mapped."""
    return select(_h.target).where(_h.address == address)


# Return the whole map, by address.
hosts = find_all(ChannelHostRow, "channel_host", order="address")


def map_host(tx: Transaction, row: ChannelHostRow) -> None:
    """Map an address, replacing what it was mapped to before."""
    tx.replace("channel_host", row)


# Remove an address; return how many were removed.
unmap_host = removal("channel_host", "address")


class EndedRun(NamedTuple):
    """The end of a run of a channel: when (microseconds UTC), the cause, the MQRC of a failed call, details."""

    at: int
    cause: str
    reason: int | None
    detail: str | None


@row(EndedRun)
def last_end(qmgr: str, channel: str, after: int) -> ClauseElement:
    """Return the last end of a channel, among the events numbered higher than `after`, or None."""
    found = select(*columns_of(event, EndedRun)).where(
        _e.seq > after,
        _e.qmgr == qmgr,
        _e.kind == constant("CHANNEL"),
        _e.target == channel,
        one_of(_e.cause, "ended", "failed", "retry", "stopped"),
    )
    return found.order_by(_e.seq.desc()).limit(ONE)
