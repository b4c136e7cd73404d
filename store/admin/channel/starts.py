"""Channels that are due to start, the events of their runs, and the faults and hosts that were
set for tests.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from mqsc.store.admin.channel import status
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQCHS, MQRCCF
from mqsc.store.engine import channel_event, definitions, queue_events
from mqsc.store.engine.channel_event import EventEnd
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.error import MQError, required
from mqsc.store.rules.channel import command_refusals, injected_faults, triggered_start
from mqsc.store.sql import channels, objects, queues, triggers
from mqsc.store.sql.rows import ChannelFaultRow, ChannelHostRow
from mqsc.store.sqlite.database import Reading, Transaction

# The channels that a channel initiator starts: for trigger messages, for START CHANNEL, and
# retries.

CHANNEL = KINDS["CHANNEL"]
_PAGE = 500


class Due(NamedTuple):
    """The channels to start now, and when the next retry is due (microseconds UTC), None for no
    retry.
    """

    channels: tuple[str, ...]
    next_retry: int | None


def due(qmgr: QueueManagerState, initiation_queue: str) -> Due:
    """The channels that the initiator of that queue is to start now, apart from triggered channels.

    START CHANNEL asks for it, or the time of a retry has come.
    """
    waiting = [
        each
        for each in status.instances(qmgr)
        if not each.partner
        and each.process is None
        and each.status in (MQCHS.STARTING, MQCHS.RETRYING)
    ]
    here = [each for each in waiting if _is_started_by(qmgr, each.channel, initiation_queue)]
    now = qmgr.now()
    starts = tuple(each.channel for each in here if each.retry_at is None or each.retry_at <= now)
    retries = (each.retry_at for each in here if each.retry_at is not None and each.retry_at > now)
    return Due(starts, min(retries, default=None))


def _is_started_by(qmgr: QueueManagerState, channel: str, initiation_queue: str) -> bool:
    with Reading(qmgr.store.database) as reading:
        definition = status.definition(reading, qmgr.name, channel)
        if definition.get("CHLTYPE") not in command_refusals.RUN_HERE:
            return False
        queue = (
            str(definition.get("XMITQ", ""))
            if definition["CHLTYPE"] in command_refusals.SENDING
            else ""
        )
        return status.initiation_queue(reading, qmgr.name, queue) == initiation_queue


def triggered(qmgr: QueueManagerState, queue: str, trigger_data: str, user_data: str) -> str:
    """The channel that a trigger message about a transmission queue asks for; blank for none."""
    return triggered_start.channel_of(
        trigger_data,
        user_data,
        () if trigger_data.strip() else sending_channels(qmgr, queue),
    )


def sending_channels(qmgr: QueueManagerState, transmission_queue: str) -> list[str]:
    """The channels that send the messages of a transmission queue, by name."""
    names: list[str] = []
    with Reading(qmgr.store.database) as reading:
        after = ""
        while page := objects.page(reading, qmgr.name, CHANNEL.namespace, "", "", after, _PAGE):
            after = page[-1].name
            for row in page:
                attributes = definitions.complete(CHANNEL, row.attributes)
                if (
                    attributes["CHLTYPE"] in command_refusals.SENDING
                    and attributes.get("XMITQ") == transmission_queue
                ):
                    names.append(row.name)
    return names


def is_startable(qmgr: QueueManagerState, channel: str) -> bool:
    """Whether there is a channel of that name that a program here can start."""
    return (
        qmgr.store.read(status.definition, qmgr.name, channel).get("CHLTYPE")
        in command_refusals.RUN_HERE
    )


class InitiationQueues(NamedTuple):
    """The queues that an initiator for all channels reads, and those that it leaves to others
    for their messages.
    """

    read: tuple[str, ...]
    left: tuple[str, ...]


def initiation_queues(qmgr: QueueManagerState) -> InitiationQueues:
    """The initiation queues that exist and serve channels only.

    One with a message that is no trigger message belongs to an application, and is left to it.
    """
    with Reading(qmgr.store.database) as reading:
        alone = triggers.initiation_queues_of_channels_alone(reading, qmgr.name)
        names = dict.fromkeys([status.INITIATION_QUEUE, *sorted(alone)])
        rows = [
            row for name in names if (row := queues.by_name(reading, qmgr.name, name)) is not None
        ]
        others = {row.name for row in rows if channels.has_other_message(reading, row.id)}
    left = tuple(row.name for row in rows if row.name in others - {status.INITIATION_QUEUE})
    return InitiationQueues(tuple(row.name for row in rows if row.name not in left), left)


def has_trigger_message(qmgr: QueueManagerState, queue: str) -> bool:
    """Whether there is a message on the queue that looks like a trigger message."""
    with Reading(qmgr.store.database) as reading:
        row = queues.by_name(reading, qmgr.name, queue)
        return row is not None and channels.has_trigger_message(reading, row.id)


# Event messages from the program that runs a channel, and receivers that are defined for a caller.

_PATTERN = "SYSTEM.AUTO.RECEIVER"


def raise_event(qmgr: QueueManagerState, raised: Callable[..., None], *about: Any) -> None:
    """An event of `store.engine.channel_event` about a run of a channel: 2282, 2283 or 2284."""
    with qmgr.transaction() as (tx, call):
        raised(tx, call, *about)


def define_automatically(qmgr: QueueManagerState, channel: str, connection_name: str) -> bool:
    """Define a receiver like SYSTEM.AUTO.RECEIVER for a caller, if CHAD(ENABLED); whether it is
    there now.

    Event 2233 or 2234 says what happened, if CHADEV(ENABLED).
    """
    with qmgr.transaction() as (tx, _):
        if queue_events.switch(tx, qmgr.name, "CHAD") != "ENABLED":
            return False
    fault = 0
    try:
        create(qmgr, KINDS["CHANNEL"], channel, {"CHLTYPE": "RCVR"}, like=_PATTERN)
    except MQError as error:
        fault = int(error.reason)
    with qmgr.transaction() as (tx, call):
        channel_event.automatically_defined(tx, call, EventEnd(channel, connection_name), fault)
    return not fault


# Injected faults, with which users and tests can see how channels react; set at the sending end.

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


# The map from network addresses to stores, which channels consult for their CONNAME.


def mapped(store: StoreState, address: str) -> str:
    """What a network address is mapped to, such as `sqlite:///other.db(QM2)`; blank when it is
    not mapped.
    """
    return store.read(channels.host, address)


def hosts(store: StoreState) -> list[ChannelHostRow]:
    """Every address that is mapped, in order."""
    return store.read(channels.hosts)


def map_host(store: StoreState, address: str, target: str) -> None:
    """Map a network address, in the form that the map uses, to `target`."""
    with Transaction(store.database, durable=False) as tx:
        channels.map_host(tx, ChannelHostRow(address, target))


def unmap_host(store: StoreState, address: str) -> bool:
    """Remove an address from the map; False when it was not there."""
    with Transaction(store.database, durable=False) as tx:
        return channels.unmap_host(tx, address) > 0
