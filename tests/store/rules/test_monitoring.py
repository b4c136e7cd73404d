"""Monitored values of queues."""

from __future__ import annotations

from mqsc.store.rules.monitoring import age, effective_level, queue_times
from tests.rows import rows
from tests.store.tables import giving, verdicts

test_the_queue_overrides_the_queue_manager_except_monq_none = verdicts(
    effective_level,
    *giving("OFF", ("QMGR", "OFF"), ("QMGR", "NONE"), ("MEDIUM", "NONE"), ("OFF", "HIGH")),
    ("QMGR", "LOW", "LOW"),
    ("QMGR", "HIGH", "HIGH"),
    ("MEDIUM", "OFF", "MEDIUM"),
)

test_times_on_the_queue = verdicts(
    queue_times,
    (None, None, " , "),
    (0, 0, "0,0"),
    (250, 1000, "250,1000"),
    (10**12, 999_999_998, "999999999,999999998"),
)


@rows(
    (None, 0),
    (5_000_000, 0),
    (4_000_001, 0),
    (4_000_000, 1),
    (6_000_000, 0),
    (-(10**18), 999_999_999),
)
def test_age_of_the_oldest_message_in_whole_seconds(oldest: int | None, seconds: int) -> None:
    assert age(oldest, 5_000_000) == seconds
