"""The two moving averages of monitored values (L37)."""

from __future__ import annotations

import pytest

from store.rules.channel.numbers import averages, is_monitored


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([], "0,0"),
        ([2_000_000], "2000000,2000000"),
        ([*range(1, 17)], "12,8"),
        ([1000, *[0] * 128], "0,0"),
        ([128, *[0] * 127], "0,1"),
    ],
)
def test_averages(values: list[int], shown: str) -> None:
    assert averages(values) == shown


@pytest.mark.parametrize(
    ("channel", "queue_manager", "monitored"),
    [
        ("QMGR", "OFF", False),
        ("QMGR", "LOW", True),
        ("HIGH", "OFF", True),
        ("OFF", "HIGH", False),
        ("HIGH", "NONE", False),
    ],
)
def test_monchl(channel: str, queue_manager: str, monitored: bool) -> None:
    assert is_monitored(channel, queue_manager) is monitored
