"""Faults for channels to meet, so that people and tests can see what happens then; set at the sending end."""

from __future__ import annotations

from typing import NamedTuple

from store.catalog import KINDS
from store.constants import MQRCCF
from store.engine.definitions import complete
from store.engine.state import QueueManagerState
from store.error import MQError
from store.rules.channel import fault as rules
from store.rules.channel.status import RUN_HERE, SENDING
from store.sql import channels, objects
from store.sql.rows import ChannelFaultRow
from store.sqlite.database import Reading, Transaction

_CHANNEL = KINDS["CHANNEL"]
# The ends at which steps are counted.
SUITABLE = RUN_HERE & SENDING


def faults(qmgr: QueueManagerState, channel: str = "") -> list[ChannelFaultRow]:
    """The faults of a channel, or of all, oldest first; also those whose time is over."""
    with Reading(qmgr.store.database) as reading:
        if channel:
            return channels.faults_of_channel(reading, qmgr.name, channel)
        return channels.faults_of_queue_manager(reading, qmgr.name)


def is_down(qmgr: QueueManagerState, channel: str) -> bool:
    """Whether a fault keeps the channel from reaching its partner."""
    return rules.unreachable(faults(qmgr, channel), qmgr.now()) is not None


class NewFault(NamedTuple):
    """A fault to set, as the columns of ChannelFaultRow.

    `lasting` is in microseconds of the queue manager's clock, from now; None for no limit.
    """

    step: str
    number: int
    action: str
    milliseconds: int = 0
    times: int | None = None
    lasting: int | None = None


def add_fault(qmgr: QueueManagerState, channel: str, fault: NewFault) -> None:
    """Set a fault.

    MQError 4032 when the channel is missing, 4041 unless it is a sending end that is run here.
    """
    with qmgr.transaction(running=False) as (tx, call):
        _check(tx, qmgr.name, channel)
        for each in channels.faults_of_channel(tx, qmgr.name, channel):
            if not rules.lasts(each, call.now):
                channels.remove_fault(tx, each.id)
        values = fault._asdict()
        lasting = values.pop("lasting")
        until = None if lasting is None else call.now + lasting
        channels.add_fault(tx, {"qmgr": qmgr.name, "channel": channel, **values, "until": until})


def clear_faults(qmgr: QueueManagerState, channel: str = "") -> int:
    """Remove the faults of a channel, or of all; how many there were."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        found = channels.faults_of_queue_manager(tx, qmgr.name)
        names = [channel] if channel else sorted({each.channel for each in found})
        return sum(channels.clear_faults(tx, qmgr.name, name) for name in names)


def met(qmgr: QueueManagerState, fault: int) -> None:
    """Count a fault that has acted; one whose number of times is reached is removed."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        row = channels.fault(tx, fault)
        if row is None:
            return
        left = rules.after(row)
        if left.times == 0:
            channels.remove_fault(tx, fault)
        else:
            channels.change_fault(tx, fault, *left)


def _check(tx: Transaction, owner: str, channel: str) -> None:
    found = objects.by_name(tx, owner, _CHANNEL.namespace, channel)
    if found is None:
        raise MQError(MQRCCF.CHANNEL_NOT_FOUND, channel)
    if complete(_CHANNEL, found.attributes)["CHLTYPE"] not in SUITABLE:
        raise MQError(MQRCCF.WRONG_CHANNEL_TYPE, channel)
