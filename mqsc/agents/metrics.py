"""The state of queue managers as metrics in the text format of Prometheus, for `mqsc serve
--metrics`.

What IBM's exporter (mq_prometheus) has too is under its names; what only the history knows is under
names that begin with mqsc. Counters count from the start of the program; those of a queue that was
deleted are gone.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from threading import Lock

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from mqsc.store.admin.load import Load, ages, load
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql.managers import ENDED, QUIESCING, RUNNING
from mqsc.store.sql.statistics import QueueLoad
from mqsc.store.table import cells

Loads = Sequence[tuple[QueueManager, Load]]
_OF_QUEUE = ("qmgr", "queue")
# MQQMSTA, and 0 for a queue manager that has ended, as in IBM's exporter.
_STATES = {RUNNING: 2, QUIESCING: 3, ENDED: 0}

# What each metric of a queue is: gauges by name, and counters by the kind of event that they count.
_ROWS = cells(__file__, "metrics.csv", ("kind", "name", "about"))
_GAUGES = {name: about for kind, name, about in _ROWS if not kind}
_COUNTERS = {kind: (name, about) for kind, name, about in _ROWS if kind}


class QueueManagerMetrics:
    """The metrics of queue managers, read from the store whenever they are asked for."""

    def __init__(self, managers: Callable[[], Sequence[QueueManager]]) -> None:
        """`managers` are called whenever the metrics are asked for; events of a queue manager are
        counted from the first time on that it is among them.
        """
        self._managers = managers
        self._counted: Counter[tuple[str, str, str]] = Counter()
        self._last = {manager.name: load(manager).last for manager in managers()}
        # Two requests at once must not count an event twice.
        self._one_at_a_time = Lock()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics: prometheus_client calls this for each request."""
        with self._one_at_a_time:
            loads = [(manager, self._load(manager)) for manager in self._managers()]
            yield from _of_managers(loads)
            yield from self._of_queues(loads)

    def _load(self, qmgr: QueueManager) -> Load:
        loaded = load(qmgr, self._last.get(qmgr.name))
        self._last[qmgr.name] = loaded.last
        for (kind, queue), number in loaded.kinds.items():
            if kind in _COUNTERS and queue:
                self._counted[kind, qmgr.name, queue] += number
        self._forget_deleted(qmgr.name, {queue.name for queue in loaded.queues})
        return loaded

    def _forget_deleted(self, qmgr: str, queues: Set[str]) -> None:
        """Forget the counters of queues that do not exist: each dynamic queue has a new name."""
        for key in [*self._counted]:
            if key[1] == qmgr and key[2] not in queues:
                del self._counted[key]

    def _of_queues(self, loads: Loads) -> Iterator[Metric]:
        gauges = {
            name: GaugeMetricFamily(name, about, labels=_OF_QUEUE)
            for name, about in _GAUGES.items()
        }
        for qmgr, loaded in loads:
            oldest = ages(qmgr, [queue.id for queue in loaded.queues if queue.depth])
            for queue in loaded.queues:
                for name, number in _values(loaded, queue, oldest.get(queue.id)).items():
                    gauges[name].add_metric((qmgr.name, queue.name), number)
        yield from gauges.values()
        for kind, (name, about) in _COUNTERS.items():
            counter = CounterMetricFamily(name, about, labels=_OF_QUEUE)
            for (counted, qmgr_name, queue_name), number in self._counted.items():
                if counted == kind:
                    counter.add_metric((qmgr_name, queue_name), number)
            yield counter


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
        **age,
    }


def _of_managers(loads: Loads) -> Iterator[Metric]:
    status = GaugeMetricFamily(
        "ibmmq_qmgr_status",
        "2: running, 3: quiescing, 0: ended",
        labels=("qmgr",),
    )
    connections = GaugeMetricFamily(
        "ibmmq_qmgr_connection_count",
        "Connections of programs",
        labels=("qmgr",),
    )
    for qmgr, loaded in loads:
        status.add_metric((qmgr.name,), _STATES[loaded.state])
        connections.add_metric((qmgr.name,), loaded.connections)
    yield status
    yield connections


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
