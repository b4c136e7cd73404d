"""Performance events, which a put or a get causes: queue depth and service interval (mqi-semantics
§11).

An event disables itself and enables others. Only enabled events can occur next, whatever the
definition of the queue says: with QDPHIEV(ENABLED) alone, a Queue Depth High event enables Queue
Depth Low events.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from mqsc.store.constants import MQQSIE, MQRC

NO_EVENTS = int(MQQSIE.NONE)
HIGH = int(MQQSIE.HIGH)
OK = int(MQQSIE.OK)
_MICROSECONDS_PER_MILLISECOND = 1000


class PerformanceEvent(Struct, frozen=True):
    """An event: its reason, and which events it disables (0) and enables, as columns of the
    queue.
    """

    reason: int
    switches: Mapping[str, int]


def _event(reason: int, **switches: int) -> PerformanceEvent:
    return PerformanceEvent(int(reason), MappingProxyType(switches))


QUEUE_FULL = _event(MQRC.Q_FULL, full_event=0, low_event=1)
DEPTH_HIGH = _event(MQRC.Q_DEPTH_HIGH, high_event=0, low_event=1, full_event=1)
DEPTH_LOW = _event(MQRC.Q_DEPTH_LOW, low_event=0, high_event=1, full_event=1)
SERVICE_HIGH = _event(MQRC.Q_SERVICE_INTERVAL_HIGH, service_event=OK)
SERVICE_OK = _event(MQRC.Q_SERVICE_INTERVAL_OK, service_event=HIGH)


class MonitoredQueue(NamedTuple):
    """A queue after a put or get: which events are enabled, its limits in percent of MAXDEPTH, and
    its service timer.

    `service_interval` is in milliseconds; `timer_started` and `now` are microseconds UTC. The timer
    starts at a put to an empty queue and restarts at a get that leaves messages; `timer_started` is
    None while it is not running.
    """

    depth: int
    max_depth: int
    depth_high: int
    depth_low: int
    high_event: int
    low_event: int
    full_event: int
    service_event: int
    service_interval: int
    timer_started: int | None
    now: int


def after_rise(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The event of any rise of the depth: a put, MOVE QLOCAL, the backout of gets (events P1)."""
    high = queue.high_event and queue.depth * 100 >= queue.depth_high * queue.max_depth
    return [DEPTH_HIGH] if high else []


def after_fall(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The event of any fall of the depth: a get, a discard, CLEAR, MOVE QLOCAL, the backout of
    puts.
    """
    low = queue.low_event and queue.depth * 100 <= queue.depth_low * queue.max_depth
    return [DEPTH_LOW] if low else []


def after_put(queue: MonitoredQueue) -> list[PerformanceEvent]:
    events = after_rise(queue)
    if queue.service_event == HIGH and _is_late(queue) is True:
        events.append(SERVICE_HIGH)
    return events


def after_get(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The events of a destructive get; `timer_started` is from before the get."""
    events = after_fall(queue)
    late = _is_late(queue)
    if queue.service_event == HIGH and late is True:
        events.append(SERVICE_HIGH)
    if queue.service_event == OK and late is False:
        events.append(SERVICE_OK)
    return events


def after_queue_full(queue: MonitoredQueue) -> list[PerformanceEvent]:
    """The events of a put that failed with Q_FULL."""
    return [QUEUE_FULL] if queue.full_event else []


def _is_late(queue: MonitoredQueue) -> bool | None:
    """Whether the service interval has passed; None while the timer is not running."""
    if queue.timer_started is None:
        return None
    return queue.now - queue.timer_started > queue.service_interval * _MICROSECONDS_PER_MILLISECOND


def all_switches(events: list[PerformanceEvent]) -> dict[str, int]:
    """The columns that the events change together."""
    return {name: value for event in events for name, value in event.switches.items()}
