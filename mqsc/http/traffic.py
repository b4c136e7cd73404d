"""The requests, counted for the metrics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Traffic:
    """The number of requests by route and status, and how long they took, as a histogram. Only
    the event loop adds.
    """

    def __init__(self) -> None:
        self._requests: dict[tuple[str, int], int] = defaultdict(int)
        self._within = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0

    def add(self, route: str, status: int, seconds: float) -> None:
        """Count a request; status 0 is one that got no answer."""
        self._requests[route, status] += 1
        self._seconds += seconds
        place = next(
            (place for place, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS)
        )
        self._within[place] += 1

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics: prometheus_client calls this."""
        requests = CounterMetricFamily(
            "mqsc_http_requests",
            "Requests of HTTP",
            labels=("route", "status"),
        )
        for (route, status), number in [*self._requests.items()]:
            requests.add_metric((route, str(status)), number)
        yield requests
        total = 0
        buckets = []
        for bound, number in zip((*map(str, _BOUNDS), "+Inf"), self._within, strict=True):
            total += number
            buckets.append((bound, total))
        seconds = HistogramMetricFamily(
            "mqsc_http_request_seconds", "How long requests of HTTP took"
        )
        seconds.add_metric((), buckets, self._seconds)
        yield seconds
