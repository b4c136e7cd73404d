from __future__ import annotations

import pytest

from store.rules.health import age, effective_level, queue_times


@pytest.mark.parametrize(
    ("queue", "queue_manager", "level"),
    [
        ("QMGR", "OFF", "OFF"),
        ("QMGR", "LOW", "LOW"),
        ("QMGR", "HIGH", "HIGH"),
        ("QMGR", "NONE", "OFF"),
        ("MEDIUM", "OFF", "MEDIUM"),
        ("MEDIUM", "NONE", "OFF"),
        ("OFF", "HIGH", "OFF"),
    ],
)
def test_the_queue_overrides_the_queue_manager_except_monq_none(queue: str, queue_manager: str, level: str) -> None:
    assert effective_level(queue, queue_manager) == level


@pytest.mark.parametrize(
    ("short", "long", "shown"),
    [(None, None, " , "), (0, 0, "0,0"), (250, 1000, "250,1000"), (10**12, 999_999_998, "999999999,999999998")],
)
def test_times_on_the_queue(short: int | None, long: int | None, shown: str) -> None:
    assert queue_times(short, long) == shown


@pytest.mark.parametrize(
    ("oldest", "seconds"),
    [(None, 0), (5_000_000, 0), (4_000_001, 0), (4_000_000, 1), (6_000_000, 0), (-(10**18), 999_999_999)],
)
def test_age_of_the_oldest_message_in_whole_seconds(oldest: int | None, seconds: int) -> None:
    assert age(oldest, 5_000_000) == seconds
