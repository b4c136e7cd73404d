"""Runs of a channel: one, or as many as its retries allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mqsc.channels.attempt import send
from mqsc.channels.binding import (
    definition_of,
)
from mqsc.channels.requester import REQUESTER, request
from mqsc.channels.settings import RunSettings
from mqsc.channels.waits import Run, Wait
from store.admin import channel_status
from store.catalog import Stored
from store.constants import MQCHS, MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

SENDING = ("SDR", "SVR")
DEFAULTS = RunSettings()


def run_channel(qmgr: QueueManager, name: str, settings: RunSettings = DEFAULTS) -> Run:
    """Run a channel until it ends.

    MQError when the run does not begin: 4032 for a channel that does not exist, 4041 for a type that nobody can start,
    4031 (ChannelInUseError) while another program runs it, 2059 unless the queue manager runs.
    """
    definition = _startable(qmgr, name)
    if definition["CHLTYPE"] == REQUESTER:
        return (yield from request(qmgr, name, definition, settings))
    return (yield from send(qmgr, name, definition, settings))


def keep_running(qmgr: QueueManager, name: str, settings: RunSettings = DEFAULTS) -> Run:
    """Run a channel, and again as long as it is to be retried: what an initiator does."""
    while True:
        ending = yield from run_channel(qmgr, name, settings)
        if ending.status != MQCHS.RETRYING:
            return ending
        while True:
            found = [each for each in channel_status.instances(qmgr, name) if not each.partner]
            status = found[0].status if found else MQCHS.INACTIVE
            if status not in (MQCHS.RETRYING, MQCHS.STARTING) or settings.stop():
                return ending._replace(status=status)
            retry_at = found[0].retry_at
            if status == MQCHS.STARTING or retry_at is None or qmgr.now() >= retry_at:
                break
            yield Wait(qmgr, retry_at, (qmgr.store,))


def _startable(qmgr: QueueManager, name: str) -> Mapping[str, Stored]:
    if not qmgr.is_running:
        raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)
    definition = definition_of(qmgr, name)
    if not definition:
        raise MQError(MQRCCF.CHANNEL_NOT_FOUND, name)
    type = definition["CHLTYPE"]
    if type not in (*SENDING, REQUESTER) or (type == "SVR" and not definition["CONNAME"]):
        raise MQError(MQRCCF.WRONG_CHANNEL_TYPE, name)
    return definition
