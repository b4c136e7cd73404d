"""Runs a channel, whichever end it is, until the run ends."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.channels.attempt import RunSettings, send
from mqsc.channels.binding import definition_of
from mqsc.channels.requester import REQUESTER, request
from mqsc.channels.steps import Run
from mqsc.store.catalog import Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import refuse_if
from mqsc.store.rules.channel.command_refusals import RUN_HERE


def run_channel(qmgr: QueueManager, name: str, settings: RunSettings) -> Run:
    """Run a channel until it ends.

    MQError when the run does not begin: 4032 for a channel that does not exist, 4041 for a type
    that cannot be started, 4031 (ChannelInUseError) while another program runs it, 2059 unless the
    queue manager runs.
    """
    definition = _startable(qmgr, name)
    if definition["CHLTYPE"] == REQUESTER:
        return (yield from request(qmgr, name, definition, settings))
    return (yield from send(qmgr, name, definition, settings))


def _startable(qmgr: QueueManager, name: str) -> Mapping[str, Stored]:
    refuse_if(not qmgr.is_running, MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)
    definition = definition_of(qmgr, name)
    refuse_if(not definition, MQRCCF.CHANNEL_NOT_FOUND, name)
    type = definition["CHLTYPE"]
    refuse_if(
        type not in RUN_HERE or (type == "SVR" and not definition["CONNAME"]),
        MQRCCF.WRONG_CHANNEL_TYPE,
        name,
    )
    return definition
