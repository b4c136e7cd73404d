"""Event messages from the program that runs a channel, and receivers that are defined for a caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.engine import channel_event, queue_events
from mqsc.store.engine.channel_event import EventEnd
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError

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
