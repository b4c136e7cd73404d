"""Which events a put or a get makes: queue depth and service interval (mqi-semantics §11). Pure: facts in, events out.

An event switches itself off and others on. What is switched on is what may come next, whatever the definition says:
with QDPHIEV(ENABLED) alone, a Queue Depth High event makes Queue Depth Low events possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

# QSVCIEV as a number (MQQSIE).
NONE, HIGH, OK = 0, 1, 2
_MILLISECOND = 1000


@dataclass(frozen=True, slots=True)
class QueueEvent:
    """An event: its reason, and what is switched off and on by it, as columns of the queue."""

    reason: int
    switches: Mapping[str, int]


def _event(reason: int, **switches: int) -> QueueEvent:
    return QueueEvent(reason, MappingProxyType(switches))


QUEUE_FULL = _event(2053, full_event=0, low_event=1)
DEPTH_HIGH = _event(2224, high_event=0, low_event=1, full_event=1)
DEPTH_LOW = _event(2225, low_event=0, high_event=1, full_event=1)
SERVICE_HIGH = _event(2226, service_event=OK)
SERVICE_OK = _event(2227, service_event=HIGH)


class Watched(NamedTuple):
    """A queue after a put or get: what is switched on, its limits in percent of MAXDEPTH, its service timer.

    `service_interval` is in milliseconds; `timer_started` and `now` are microseconds UTC. The timer starts with a put
    to an empty queue and again with a get that leaves messages; None while it does not run.
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


def after_rise(queue: Watched) -> list[QueueEvent]:
    """The event raised when the depth rose by anything: a put, MOVE QLOCAL, gets that are backed out (events §4 P1)."""
    high = queue.high_event and queue.depth * 100 >= queue.depth_high * queue.max_depth
    return [DEPTH_HIGH] if high else []


def after_fall(queue: Watched) -> list[QueueEvent]:
    """The event raised when the depth fell by anything: a get, a discard, CLEAR, MOVE, puts that are backed out."""
    low = queue.low_event and queue.depth * 100 <= queue.depth_low * queue.max_depth
    return [DEPTH_LOW] if low else []


def after_put(queue: Watched) -> list[QueueEvent]:
    """The events that a put makes."""
    made = after_rise(queue)
    if queue.service_event == HIGH and _is_late(queue) is True:
        made.append(SERVICE_HIGH)
    return made


def after_get(queue: Watched) -> list[QueueEvent]:
    """The events that a destructive get makes; the timer is as it was before."""
    made = after_fall(queue)
    late = _is_late(queue)
    if queue.service_event == HIGH and late is True:
        made.append(SERVICE_HIGH)
    if queue.service_event == OK and late is False:
        made.append(SERVICE_OK)
    return made


def after_refusal(queue: Watched) -> list[QueueEvent]:
    """The events that a put makes which the full queue refused (2053)."""
    return [QUEUE_FULL] if queue.full_event else []


def _is_late(queue: Watched) -> bool | None:
    """Whether the service interval has gone by; None while the timer does not run."""
    if queue.timer_started is None:
        return None
    return queue.now - queue.timer_started > queue.service_interval * _MILLISECOND


def all_switches(events: list[QueueEvent]) -> dict[str, int]:
    """What the events switch together."""
    return {name: value for event in events for name, value in event.switches.items()}
