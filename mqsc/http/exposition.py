"""The metrics of all queue managers as text for Prometheus."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from mqsc.agents.metrics import QueueManagerMetrics
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store


class Exposition:
    """Metrics of the queue managers that the store has when they are asked for."""

    def __init__(self, store: Store, more: Sequence[Collector]) -> None:
        self._metrics = QueueManagerMetrics(lambda: _managers(store))
        self._registry = CollectorRegistry(auto_describe=False)
        for each in (self._metrics, *more):
            self._registry.register(each)
        self._one_at_a_time = Lock()

    def text(self, accept: str) -> tuple[str, bytes]:
        """The content type and the text, as the header Accept asks. Called in a thread."""
        encode, content_type = choose_encoder(accept)
        with self._one_at_a_time:
            return content_type, encode(self._registry)


def _managers(store: Store) -> list[QueueManager]:
    return [QueueManager(store, row.name) for row in store.queue_managers()]
