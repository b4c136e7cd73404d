"""The metrics of channels, with the names and labels of IBM's exporter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prometheus_client.core import GaugeMetricFamily, Metric

from mqsc.store.admin.channel.display import current_status
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS
from mqsc.store.table import cells

PLATFORM = "UNIX"
_NOTHING = "-"
_LABELS = tuple(
    "channel qmgr platform description type rqmname connname jobname sslciph".split(),
)
_STATUS, _SQUASHED = "ibmmq_channel_status", "ibmmq_channel_status_squash"
_OF_CLIENTS = "CLNTCONN"
# IBM's names of the types.
_TYPES = {
    "SDR": "SENDER",
    "SVR": "SERVER",
    "RCVR": "RECEIVER",
    "RQSTR": "REQUESTER",
    "SVRCONN": "SVRCONN",
    "CLUSSDR": "CLUSSDR",
    "CLUSRCVR": "CLUSRCVR",
}
# Stopped, in transition, running.
_STOPPED = frozenset({int(MQCHS.INACTIVE), int(MQCHS.STOPPED)})
_RUNNING = int(MQCHS.RUNNING)
# What each metric is: its name, the keyword of DISPLAY, which number of that, and its meaning.
_ROWS = cells(__file__, "channel_metrics.csv", ("name", "keyword", "place", "about"))


def channel_metrics(managers: Iterable[QueueManager]) -> Iterator[Metric]:
    """The metrics of all channels of running queue managers: one that is not in use is INACTIVE."""
    gauges = {name: GaugeMetricFamily(name, about, labels=_LABELS) for name, _, _, about in _ROWS}
    for qmgr in managers:
        definitions = {
            str(row["CHANNEL"]): row
            for row in inquire(qmgr, (KINDS["CHANNEL"],), "*")
            if row["CHLTYPE"] != _OF_CLIENTS
        }
        instances = current_status(qmgr, "*")
        in_use = {str(row["CHANNEL"]) for row in instances}
        idle = [
            {"CHANNEL": name, "STATUS": MQCHS.INACTIVE.name}
            for name in definitions
            if name not in in_use
        ]
        for instance in (*instances, *idle):
            definition = definitions.get(str(instance["CHANNEL"]), {})
            labels = _labels(qmgr.name, instance, definition)
            for name, value in _values(instance).items():
                gauges[name].add_metric(labels, value)
    yield from gauges.values()


def _labels(
    qmgr: str,
    instance: Mapping[str, Any],
    definition: Mapping[str, Any],
) -> tuple[str, ...]:
    type_ = str(definition.get("CHLTYPE", ""))
    return (
        str(instance["CHANNEL"]),
        qmgr,
        PLATFORM,
        str(definition.get("DESCR", "")) or _NOTHING,
        _TYPES.get(type_, type_),
        str(instance.get("RQMNAME", "")) or _NOTHING,
        str(instance.get("CONNAME") or definition.get("CONNAME", "")) or _NOTHING,
        str(instance.get("JOBNAME", "")) or _NOTHING,
        str(instance.get("SSLCIPH") or definition.get("SSLCIPH", "")) or _NOTHING,
    )


def _values(instance: Mapping[str, Any]) -> dict[str, float]:
    """The metrics of an instance; what is not monitored is left out."""
    status = int(MQCHS[str(instance["STATUS"])])
    squashed = 0 if status in _STOPPED else 1
    values: dict[str, float] = {
        _STATUS: status,
        _SQUASHED: 2 if status == _RUNNING else squashed,
    }
    for name, keyword, place, _ in _ROWS:
        if keyword:
            numbers = str(instance.get(keyword, "")).split(",")
            text = numbers[int(place)].strip() if int(place) < len(numbers) else ""
            if text.isdigit():
                values[name] = int(text)
    return values
