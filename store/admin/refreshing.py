"""REFRESH QMGR TYPE(CONFIGEV): configuration events that show objects as they are."""

from __future__ import annotations

from msgspec.structs import replace

from store.catalog import KINDS, QUEUES, Kind
from store.constants import MQRCCF
from store.engine import configuration_events
from store.engine.call_context import Command
from store.engine.state import QueueManagerState
from store.environment import MICROSECONDS
from store.error import MQError

_MINUTE = 60 * MICROSECONDS


def refresh_configuration(qmgr: QueueManagerState, object: str = "ALL", name: str = "*", minutes: int = 0) -> int:
    """Raise an event for each object of a kind, or of ALL, whose name matches; how many, lost ones included.

    QUEUE means every type of queue. `minutes`: only objects altered in the last so many, 0 means all. One transaction
    for each kind. MQError 3224 while CONFIGEV is DISABLED, 2059 when the queue manager does not run.
    """
    count = 0
    command = qmgr.command or Command()
    for kind in _kinds(object):
        with qmgr.transaction() as (tx, call):
            if not call.qmgr.configuration_event:
                raise MQError(MQRCCF.EVENTS_DISABLED, qmgr.name)
            call = replace(call, command=command)
            since = call.now - minutes * _MINUTE if minutes else 0
            count += configuration_events.refresh(tx, call, kind, "*" if object == "QMGR" else name, since)
    return count


def _kinds(object: str) -> tuple[Kind, ...]:
    if object == "ALL":
        return tuple(KINDS.values())
    return tuple(QUEUES) if object == "QUEUE" else (KINDS[object],)
