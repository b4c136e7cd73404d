"""The two moving averages of monitored values (L37)."""

from __future__ import annotations

from store.rules.channel.numbers import averages, is_monitored
from tests.store.tables import verdicts

test_averages = verdicts(
    averages,
    ([], "0,0"),
    ([2_000_000], "2000000,2000000"),
    ([*range(1, 17)], "12,8"),
    ([1000, *[0] * 128], "0,0"),
    ([128, *[0] * 127], "0,1"),
)

test_monchl = verdicts(
    is_monitored,
    ("QMGR", "OFF", False),
    ("QMGR", "LOW", True),
    ("HIGH", "OFF", True),
    ("OFF", "HIGH", False),
    ("HIGH", "NONE", False),
)
