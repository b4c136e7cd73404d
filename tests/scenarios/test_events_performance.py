"""Performance events (events.md §7, N24 to N29): Q has MAXDEPTH(10) and QDPHIEV(ENABLED)."""

from __future__ import annotations

import pytest

from mqsc.scripts.export import definitions
from store.admin.expiry import refresh_expiry
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQIA, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.message import Message, PutMessageOptions
from tests.scenarios.event_bench import PERFM, EventBench


@pytest.fixture
def bench(qmgr: QueueManager) -> EventBench:
    return EventBench(qmgr, "ALTER QMGR PERFMEV(ENABLED)", "DEFINE QLOCAL(Q) MAXDEPTH(10) QDPHIEV(ENABLED)")


def put(bench: EventBench, count: int, *, options: int = 0, expiry: int = -1, persistence: int = 0) -> None:
    for _ in range(count):
        message = Message(b"x", MessageDescriptor(expiry=expiry, persistence=persistence))
        bench.connection.put1("Q", message, PutMessageOptions(options))


def test_n24_a_scan_of_expired_messages_is_a_fall(bench: EventBench, environment: Environment[FrozenClock]) -> None:
    put(bench, 8, expiry=10)
    environment.clock.advance(2)
    refresh_expiry(bench.qmgr)
    put(bench, 8)
    assert bench.reasons(PERFM) == [2224, 2225, 2224]


def test_n25_clear_and_backout_are_falls(bench: EventBench) -> None:
    put(bench, 8)
    bench.run("CLEAR QLOCAL(Q)")
    assert bench.reasons(PERFM) == [2224, 2225]
    put(bench, 8, options=MQPMO.SYNCPOINT)
    bench.connection.back()
    assert bench.reasons(PERFM) == [2224, 2225]


def test_n26_display_shows_the_values_in_force_and_export_the_definition(bench: EventBench) -> None:
    put(bench, 8)
    (row,) = bench.run("DISPLAY QLOCAL(Q) QDPHIEV QDPLOEV")
    assert (row["QDPHIEV"], row["QDPLOEV"]) == ("DISABLED", "ENABLED")
    handle = bench.connection.open("Q", MQOO.INQUIRE)
    assert list(handle.inquire(MQIA.Q_DEPTH_HIGH_EVENT, MQIA.Q_DEPTH_LOW_EVENT).values()) == [0, 1]
    (definition,) = definitions(bench.qmgr, KINDS["QLOCAL"], "Q")
    assert (definition.values["QDPHIEV"], definition.values["QDPLOEV"]) == ("ENABLED", "DISABLED")


def test_n27_reset_qstats_starts_the_statistics_again(bench: EventBench, environment: Environment[FrozenClock]) -> None:
    put(bench, 3)
    bench.run("RESET QSTATS(Q)")
    environment.clock.advance(2)
    put(bench, 5)
    assert bench.told(PERFM) == [[2224, "QM1", "Q", 2, 8, 5, 0]]


def test_n28_a_start_starts_the_statistics_again(bench: EventBench, environment: Environment[FrozenClock]) -> None:
    put(bench, 3, persistence=1)
    bench.restart()
    environment.clock.advance(5)
    put(bench, 5)
    assert bench.told(PERFM) == [[2224, "QM1", "Q", 5, 8, 5, 0]]


def test_n29_an_event_that_is_lost_switches_and_resets_all_the_same(bench: EventBench) -> None:
    bench.run(f"DELETE QLOCAL({PERFM})")
    put(bench, 8)
    bench.run(f"DEFINE QLOCAL({PERFM})")
    put(bench, 2)
    assert bench.reasons(PERFM) == []
    (row,) = bench.run("RESET QSTATS(Q)")
    assert row["MSGSIN"] == 2
