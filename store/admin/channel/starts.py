"""Channels that are due to start, and the initiation queues that start them."""

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.admin.channel import status
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQCHS
from mqsc.store.engine import definitions
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules.channel import command_refusals, triggered_start
from mqsc.store.sql import channels, objects, queues, triggers
from mqsc.store.sqlite.database import Reading

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


def may_be_due(qmgr: QueueManagerState, queues: Sequence[str], run: int) -> bool:
    """Whether an initiator of these queues must look now: there may be a channel to start, or the
    queue manager is not in that run any more.

    It costs much less than the look. Programs that were killed and new initiation queues are not
    noticed.
    """
    now = qmgr.store.environment.clock.now()
    found = qmgr.store.read(channels.run_and_start, qmgr.name, queues, now)
    return found is None or found != (run, False)


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
