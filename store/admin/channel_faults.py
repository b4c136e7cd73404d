"""Faults that a channel is to meet: the program that runs it asks for them, and counts those that it has met."""

from __future__ import annotations

from store.engine.state import QueueManagerState
from store.sql import channel_faults
from store.sql.rows import ChannelFaultRow
from store.sqlite.database import Reading, Transaction


def faults(qmgr: QueueManagerState, channel: str) -> list[ChannelFaultRow]:
    """The faults of a channel that are not over, oldest first."""
    now = qmgr.now()
    with Reading(qmgr.store.database) as reading:
        return channel_faults.of_channel(reading, qmgr.name, channel, now)


def met(qmgr: QueueManagerState, fault: ChannelFaultRow) -> None:
    """A channel has met the fault, which may have a limited number of times."""
    if fault.times is not None:
        with Transaction(qmgr.store.database, durable=False) as tx:
            channel_faults.use(tx, fault.id)
