"""Injected faults, with which users and tests can see how channels react; set at the sending end."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin.channel.starts import CHANNEL
from mqsc.store.constants import MQRCCF
from mqsc.store.engine import definitions
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError, required
from mqsc.store.rules.channel import command_refusals, injected_faults
from mqsc.store.sql import channels, objects
from mqsc.store.sql.rows import ChannelFaultRow
from mqsc.store.sqlite.database import Transaction

# The ends at which steps are counted.
SUITABLE = command_refusals.RUN_HERE & command_refusals.SENDING


def faults(qmgr: QueueManagerState, channel: str = "") -> list[ChannelFaultRow]:
    """The faults of a channel, or of all, oldest first; also those whose time is over."""
    return qmgr.store.read(channels.faults, qmgr.name, channel)


def is_down(qmgr: QueueManagerState, channel: str) -> bool:
    """Whether a fault keeps the channel from reaching its partner."""
    return injected_faults.unreachable(faults(qmgr, channel), qmgr.now()) is not None


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
        for each in channels.faults(tx, qmgr.name, channel):
            if not injected_faults.lasts(each, call.now):
                channels.remove_fault(tx, each.id)
        values = fault._asdict()
        lasting = values.pop("lasting")
        until = None if lasting is None else call.now + lasting
        channels.add_fault(tx, {"qmgr": qmgr.name, "channel": channel, **values, "until": until})


def clear_faults(qmgr: QueueManagerState, channel: str = "") -> int:
    """Remove the faults of a channel, or of all; how many there were."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        names = {each.channel for each in channels.faults(tx, qmgr.name, channel)}
        return sum(channels.clear_faults(tx, qmgr.name, name) for name in names)


def met(qmgr: QueueManagerState, fault: int) -> None:
    """Count a fault that has acted; one whose number of times is reached is removed."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        row = channels.fault(tx, fault)
        if row is None:
            return
        left = injected_faults.after(row)
        if left.times == 0:
            channels.remove_fault(tx, fault)
        else:
            channels.change_fault(tx, fault, *left)


def _check(tx: Transaction, owner: str, channel: str) -> None:
    definition = required(
        objects.by_name(tx, owner, CHANNEL.namespace, channel),
        MQRCCF.CHANNEL_NOT_FOUND,
        channel,
    )
    if definitions.complete(CHANNEL, definition.attributes)["CHLTYPE"] not in SUITABLE:
        raise MQError(MQRCCF.WRONG_CHANNEL_TYPE, channel)
