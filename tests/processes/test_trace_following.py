"""`mqsc history --follow --otlp` in a process of its own: spans go out as events are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from signal import SIGINT

import pytest

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.message import Message
from tests.processes.conftest import Start
from tests.trace_collector import Collector, collecting


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as started:
        yield started


@pytest.fixture
def orders(qmgr: QueueManager) -> QueueManager:
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS)")
    put(qmgr)
    return qmgr


def put(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.put1("ORDERS", Message(b"data"))


def test_spans_go_out_as_events_are_recorded(
    orders: QueueManager, command: Start, collector: Collector
) -> None:
    program = command("history", "ORDERS", "--follow", "--otlp", collector.url)
    collector.next_request()
    for number in range(2, 5):
        put(orders)
        collector.next_request()
        assert len(collector.spans) == number
    # The answer to the last request is on its way.
    assert program.is_silent(0.5)
    program.signal(SIGINT)
    code, out, err = program.rest()
    assert (code, out) == (0, "")
    assert f"4 spans sent to {collector.url}" in err


def test_an_interrupt_during_a_retry_says_what_was_not_sent(
    orders: QueueManager, command: Start, collector: Collector
) -> None:
    # The exporter would wait longer than any test.
    collector.status, collector.headers = 503, {"Retry-After": "1000"}
    how = {"OTEL_EXPORTER_OTLP_TIMEOUT": "100000"}
    program = command("history", "ORDERS", "--follow", "--otlp", collector.url, **how)
    collector.next_request()
    program.signal(SIGINT)
    code, out, err = program.rest()
    assert (code, out) == (10, "")
    assert "1 span of event" in err
    assert "interrupted" in err
