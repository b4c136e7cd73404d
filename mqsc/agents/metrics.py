"""The state of queue managers as metrics in the text format of Prometheus, for `mqsc serve
--metrics`.

What IBM's exporter (mq_prometheus) has too is under its names; what only the history knows is under
names that begin with mqsc. Counters count from the start of the program; those of a queue that was
deleted are gone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from datetime import datetime
from threading import Lock

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from mqsc.agents.channel_metrics import PLATFORM, channel_metrics
from mqsc.store.admin.channel.initiators import initiators
from mqsc.store.admin.inquiring import inquire, inquire_queue_manager
from mqsc.store.admin.load import Load, ages, load
from mqsc.store.admin.statistics import queue_status
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql.managers import ENDED, QUIESCING, RUNNING
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sql.statistics import QueueLoad
from mqsc.store.table import cells

Loads = Sequence[tuple[QueueManager, Load]]
_COUNTED = ("qmgr", "queue")
_OF_QUEUE = ("queue", "qmgr", "platform", "usage", "description", "cluster")
_OF_MANAGER = ("qmgr", "platform", "description")
_NOTHING = "-"
# MQQMSTA, and 0 for a queue manager that has ended, as in IBM's exporter.
_STATES = {RUNNING: 2, QUIESCING: 3, ENDED: 0}
# MQSVC_STATUS.
_STOPPED, _STARTED = 0, 2

# What each metric of a queue is: gauges by name, and counters by the kind of event that they count.
_ROWS = cells(__file__, "metrics.csv", ("kind", "name", "about"))
_GAUGES = {name: about for kind, name, about in _ROWS if not kind}
_COUNTERS = {kind: (name, about) for kind, name, about in _ROWS if kind}
_OF_QUEUE_MANAGERS = {
    "status": "2: running, 3: quiescing, 0: ended",
    "connection_count": "Connections of programs",
    "uptime": "Seconds since the start",
    "command_server_status": "2: the command server runs, 0: it does not",
    "channel_initiator_status": "2: a program starts channels, 0: none does",
    "exporter_publications": "0: nothing is published to count",
}
# What IBM's exporter counts of a queue manager in each interval, by the kind of event.
_IN_INTERVALS = {
    "PUT": ("ibmmq_qmgr_interval_mqput_mqput1_total_count", "Messages that programs have put"),
    "GET": ("ibmmq_qmgr_interval_destructive_get_total_count", "Messages that programs have got"),
}


class QueueManagerMetrics:
    """The metrics of queue managers, read from the store whenever they are asked for."""

    def __init__(self, managers: Callable[[], Sequence[QueueManager]]) -> None:
        """`managers` are called whenever the metrics are asked for; events of a queue manager are
        counted from the first time on that it is among them.
        """
        self._managers = managers
        self._counted: Counter[tuple[str, str, str]] = Counter()
        self._in_all: Counter[tuple[str, str]] = Counter()
        self._last = {manager.name: load(manager).last for manager in managers()}
        # Two requests at once must not count an event twice.
        self._one_at_a_time = Lock()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics: prometheus_client calls this for each request."""
        with self._one_at_a_time:
            loads = [(manager, self._load(manager)) for manager in self._managers()]
            yield from self._of_managers(loads)
            yield from self._of_queues(loads)
            yield from channel_metrics(_running(loads))

    def _load(self, qmgr: QueueManager) -> Load:
        loaded = load(qmgr, self._last.get(qmgr.name))
        self._last[qmgr.name] = loaded.last
        for (kind, queue), number in loaded.kinds.items():
            if kind in _COUNTERS and queue:
                self._counted[kind, qmgr.name, queue] += number
            if kind in _IN_INTERVALS:
                self._in_all[kind, qmgr.name] += number
        self._forget_deleted(qmgr.name, {queue.name for queue in loaded.queues})
        return loaded

    def _forget_deleted(self, qmgr: str, queues: Set[str]) -> None:
        """Forget the counters of queues that do not exist: each dynamic queue has a new name."""
        for key in [*self._counted]:
            if key[1] == qmgr and key[2] not in queues:
                del self._counted[key]

    def _of_managers(self, loads: Loads) -> Iterator[Metric]:
        gauges = {
            name: GaugeMetricFamily(f"ibmmq_qmgr_{name}", about, labels=_OF_MANAGER)
            for name, about in _OF_QUEUE_MANAGERS.items()
        }
        totals = {
            kind: GaugeMetricFamily(name, about, labels=_OF_MANAGER)
            for kind, (name, about) in _IN_INTERVALS.items()
        }
        for qmgr, loaded in loads:
            row = qmgr.row()
            description = "" if loaded.state == ENDED else inquire_queue_manager(qmgr)["DESCR"]
            labels = (qmgr.name, PLATFORM, str(description) or _NOTHING)
            for name, number in _values_of_manager(qmgr, row, loaded).items():
                gauges[name].add_metric(labels, number)
            for kind, total in totals.items():
                total.add_metric(labels, self._in_all[kind, qmgr.name])
        yield from gauges.values()
        yield from totals.values()

    def _of_queues(self, loads: Loads) -> Iterator[Metric]:
        gauges = {
            name: GaugeMetricFamily(name, about, labels=_OF_QUEUE)
            for name, about in _GAUGES.items()
        }
        for qmgr, loaded in loads:
            oldest = ages(qmgr, [queue.id for queue in loaded.queues if queue.depth])
            definitions = _definitions(qmgr, loaded)
            monitored = _monitored(qmgr, loaded)
            for queue in loaded.queues:
                labels = _labels(qmgr.name, queue.name, definitions.get(queue.name, {}))
                values = _values(loaded, queue, oldest.get(queue.id))
                for name, number in (values | monitored.get(queue.name, {})).items():
                    gauges[name].add_metric(labels, number)
        yield from gauges.values()
        for kind, (name, about) in _COUNTERS.items():
            counter = CounterMetricFamily(name, about, labels=_COUNTED)
            for (counted, qmgr_name, queue_name), number in self._counted.items():
                if counted == kind:
                    counter.add_metric((qmgr_name, queue_name), number)
            yield counter


def _values_of_manager(qmgr: QueueManager, row: ManagerRow, loaded: Load) -> dict[str, float]:
    """The gauges of a queue manager."""
    is_running = loaded.state != ENDED
    commands = is_running and not row.commands_stopped
    starts_channels = is_running and bool(initiators(qmgr))
    return {
        "status": _STATES[loaded.state],
        "connection_count": loaded.connections,
        "uptime": max(0.0, (loaded.now - row.started_at) / MICROSECONDS) if is_running else 0.0,
        "command_server_status": _STARTED if commands else _STOPPED,
        "channel_initiator_status": _STARTED if starts_channels else _STOPPED,
        "exporter_publications": 0,
    }


def _values(manager_load: Load, queue: QueueLoad, oldest: int | None) -> dict[str, float]:
    """The gauges of a queue whose oldest message was put at that time."""
    age = (
        {}
        if oldest is None
        else {
            "ibmmq_queue_oldest_message_age": max(0.0, (manager_load.now - oldest) / MICROSECONDS)
        }
    )
    return {
        "ibmmq_queue_depth": queue.depth,
        "ibmmq_queue_attribute_max_depth": queue.max_depth,
        "ibmmq_queue_input_handles": queue.input_handles,
        "ibmmq_queue_output_handles": queue.output_handles,
        "ibmmq_queue_uncommitted_messages": manager_load.uncommitted.get(queue.id, 0),
        "ibmmq_queue_mqput_mqput1_count": queue.puts,
        "ibmmq_queue_mqget_count": queue.gets,
        **age,
    }


def _running(loads: Loads) -> list[QueueManager]:
    return [qmgr for qmgr, loaded in loads if loaded.state != ENDED]


def _definitions(qmgr: QueueManager, loaded: Load) -> dict[str, DisplayedValues]:
    """The local queues as DISPLAY shows them; none of a queue manager that has ended."""
    if loaded.state == ENDED:
        return {}
    return {str(row["QUEUE"]): row for row in inquire(qmgr, (KINDS["QLOCAL"],), "*")}


def _labels(qmgr: str, name: str, definition: DisplayedValues) -> tuple[str, ...]:
    usage = "XMITQ" if definition.get("USAGE") == "XMITQ" else "NORMAL"
    description = str(definition.get("DESCR", "")) or _NOTHING
    cluster = str(definition.get("CLUSTER", "")) or _NOTHING
    return name, qmgr, PLATFORM, usage, description, cluster


def _monitored(qmgr: QueueManager, loaded: Load) -> dict[str, dict[str, float]]:
    """The gauges that monitoring (MONQ) keeps, by queue."""
    if loaded.state == ENDED:
        return {}
    found = {}
    for row in queue_status(qmgr, "*"):
        gauges = dict(_of_monitoring(row, loaded.now))
        if gauges:
            found[str(row["QUEUE"])] = gauges
    return found


def _of_monitoring(row: DisplayedValues, now: int) -> Iterator[tuple[str, float]]:
    for name, date, time in (("put", "LPUTDATE", "LPUTTIME"), ("get", "LGETDATE", "LGETTIME")):
        if row[date]:
            at = displayed_moment(str(row[date]), str(row[time]))
            yield f"ibmmq_queue_time_since_{name}", max(0.0, now / MICROSECONDS - at)
    times = zip(("short", "long"), str(row["QTIME"]).split(","), strict=True)
    for period, microseconds in times:
        if microseconds.strip():
            yield f"ibmmq_queue_qtime_{period}", float(microseconds)


def displayed_moment(date: str, time: str) -> float:
    """Seconds since 1970 of a date and a time that DISPLAY shows, in UTC."""
    return datetime.strptime(f"{date} {time} +0000", "%Y-%m-%d %H.%M.%S %z").timestamp()


@contextmanager
def served(managers: Sequence[QueueManager], address: str, port: int) -> Iterator[int]:
    """Answer requests for metrics during the block; yields the port, which is chosen if 0 is given.

    OSError if the port cannot be used.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(QueueManagerMetrics(lambda: managers))
    server, thread = start_http_server(port, address, registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
