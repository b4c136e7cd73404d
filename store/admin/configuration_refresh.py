"""REFRESH QMGR TYPE(CONFIGEV): configuration events that show objects as they are."""

from __future__ import annotations

from msgspec.structs import replace

from mqsc.store.catalog import KINDS, QUEUES, Kind
from mqsc.store.constants import MQRCCF
from mqsc.store.engine import configuration_event
from mqsc.store.engine.state import Command, QueueManagerState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import refuse_if

_MINUTE = 60 * MICROSECONDS


def refresh_configuration(
    qmgr: QueueManagerState,
    object: str = "ALL",
    name: str = "*",
    minutes: int = 0,
) -> int:
    """Raise an event for each object of a kind, or of ALL, whose name matches; how many, lost ones
    included.

    QUEUE means every type of queue. `minutes`: only objects altered in the last so many, 0 means
    all. One transaction for each kind. MQError 3224 while CONFIGEV is DISABLED, 2059 when the queue
    manager does not run.
    """
    count = 0
    command = qmgr.command or Command()
    for kind in _kinds(object):
        with qmgr.transaction() as (tx, call):
            refuse_if(not call.qmgr.configuration_event, MQRCCF.EVENTS_DISABLED, qmgr.name)
            call = replace(call, command=command)
            since = call.now - minutes * _MINUTE if minutes else 0
            count += configuration_event.refresh(
                tx, call, kind, "*" if object == "QMGR" else name, since
            )
    return count


def _kinds(object: str) -> tuple[Kind, ...]:
    if object == "ALL":
        return tuple(KINDS.values())
    return tuple(QUEUES) if object == "QUEUE" else (KINDS[object],)
