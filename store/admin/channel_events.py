"""What the program that runs a channel reports as event messages, and the receivers that are defined for a caller."""

from __future__ import annotations

from store.admin.defining import create
from store.catalog import KINDS
from store.constants import MQRQ
from store.engine import channel_event_messages as messages
from store.engine import event_messages
from store.engine.channel_event_messages import Cause, EventEnd
from store.engine.state import QueueManagerState
from store.error import MQError

NO_CAUSE = Cause()
_PATTERN = "SYSTEM.AUTO.RECEIVER"


def channel_started(qmgr: QueueManagerState, end: EventEnd) -> None:
    """Event 2282: the two ends agreed, and messages can flow."""
    with qmgr.transaction() as (tx, call):
        messages.started(tx, call, end)


def channel_stopped(qmgr: QueueManagerState, end: EventEnd, qualifier: MQRQ, cause: Cause = NO_CAUSE) -> None:
    """Event 2283: an instance ended for which there was a 2282; `qualifier` is one of MQRQ_CHANNEL_STOPPED_*."""
    with qmgr.transaction() as (tx, call):
        messages.stopped(tx, call, end, qualifier, cause)


def conversion_failed(qmgr: QueueManagerState, end: EventEnd, reason: int, format: str) -> None:
    """Event 2284: the sender could not convert a message of that format; `reason` is the MQRC of the conversion."""
    with qmgr.transaction() as (tx, call):
        messages.conversion_failed(tx, call, end, reason, format)


def define_automatically(qmgr: QueueManagerState, channel: str, connection_name: str) -> bool:
    """Define a receiver like SYSTEM.AUTO.RECEIVER for a caller, if CHAD(ENABLED); whether it is there now.

    Event 2233 or 2234 says what happened, if CHADEV(ENABLED).
    """
    with qmgr.transaction() as (tx, _):
        if event_messages.switch(tx, qmgr.name, "CHAD") != "ENABLED":
            return False
    fault = 0
    try:
        create(qmgr, KINDS["CHANNEL"], channel, {"CHLTYPE": "RCVR"}, like=_PATTERN)
    except MQError as error:
        fault = int(error.reason)
    with qmgr.transaction() as (tx, call):
        messages.automatically_defined(tx, call, EventEnd(channel, connection_name), fault)
    return not fault
