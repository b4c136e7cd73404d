"""Performance events of puts and gets."""

from __future__ import annotations

from mqsc.store.rules import performance_events
from mqsc.store.rules.performance_events import HIGH, NO_EVENTS, OK, MonitoredQueue
from tests.rows import rows
from tests.store.rules.test_event_message import NOW
from tests.store.tables import named_rows

SECOND = 1_000_000
# A queue with MAXDEPTH(10) QDEPTHHI(80) QDEPTHLO(20) QSVCINT(1000) and no events enabled.
QUIET = MonitoredQueue(0, 10, 80, 20, 0, 0, 0, NO_EVENTS, 1000, None, NOW)


@named_rows(
    ("below the limit", {"depth": 7, "high_event": 1}, []),
    ("at the limit", {"depth": 8, "high_event": 1}, [2224]),
    ("above the limit", {"depth": 9, "high_event": 1}, [2224]),
    ("disabled", {"depth": 9}, []),
    ("80 percent of 9 is 7.2", {"depth": 7, "max_depth": 9, "high_event": 1}, []),
    ("80 percent of 9 is 7.2", {"depth": 8, "max_depth": 9, "high_event": 1}, [2224]),
    ("a put makes no low event", {"depth": 1, "low_event": 1}, []),
    ("nor full", {"depth": 10, "full_event": 1}, []),
    ("in time", {"service_event": HIGH, "timer_started": NOW - SECOND}, []),
    ("late", {"service_event": HIGH, "timer_started": NOW - SECOND - 1}, [2226]),
    ("the timer is not running", {"service_event": HIGH}, []),
    ("only OK is enabled", {"service_event": OK, "timer_started": NOW - 9 * SECOND}, []),
    ("a put makes no OK", {"service_event": OK, "timer_started": NOW}, []),
    (
        "both",
        {"depth": 8, "high_event": 1, "service_event": HIGH, "timer_started": 0},
        [2224, 2226],
    ),
)
def test_events_of_a_put(facts: dict[str, int], reasons: list[int]) -> None:
    assert [
        event.reason for event in performance_events.after_put(QUIET._replace(**facts))
    ] == reasons


@named_rows(
    ("above the limit", {"depth": 3, "low_event": 1}, []),
    ("at the limit", {"depth": 2, "low_event": 1}, [2225]),
    ("empty", {"depth": 0, "low_event": 1}, [2225]),
    ("disabled", {"depth": 0}, []),
    ("a get makes no high event", {"depth": 9, "high_event": 1}, []),
    ("late", {"service_event": HIGH, "timer_started": NOW - SECOND - 1}, [2226]),
    ("in time, HIGH is enabled", {"service_event": HIGH, "timer_started": NOW - SECOND}, []),
    ("in time, OK is enabled", {"service_event": OK, "timer_started": NOW - SECOND}, [2227]),
    ("late, OK is enabled", {"service_event": OK, "timer_started": NOW - SECOND - 1}, []),
    ("the timer is not running", {"service_event": OK}, []),
    ("the clock ran backwards", {"service_event": OK, "timer_started": NOW + SECOND}, [2227]),
)
def test_events_of_a_get(facts: dict[str, int], reasons: list[int]) -> None:
    assert [
        event.reason for event in performance_events.after_get(QUIET._replace(**facts))
    ] == reasons


@rows((0, []), (1, [2053]))
def test_events_of_a_put_to_a_full_queue(full_event: int, reasons: list[int]) -> None:
    assert [
        event.reason
        for event in performance_events.after_queue_full(QUIET._replace(full_event=full_event))
    ] == reasons


BOTH = [performance_events.DEPTH_HIGH, performance_events.SERVICE_HIGH]


# mqi-semantics §11, the column "toggling".
@rows(
    ([performance_events.QUEUE_FULL], {"full_event": 0, "low_event": 1}),
    ([performance_events.DEPTH_HIGH], {"high_event": 0, "low_event": 1, "full_event": 1}),
    ([performance_events.DEPTH_LOW], {"low_event": 0, "high_event": 1, "full_event": 1}),
    ([performance_events.SERVICE_HIGH], {"service_event": OK}),
    ([performance_events.SERVICE_OK], {"service_event": HIGH}),
    (BOTH, {"high_event": 0, "low_event": 1, "full_event": 1, "service_event": OK}),
)
def test_events_disable_and_enable_each_other(
    events: list[performance_events.PerformanceEvent],
    switches: dict[str, int],
) -> None:
    assert performance_events.all_switches(events) == switches
