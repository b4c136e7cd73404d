"""Averages of the measurements of a channel (L37)."""

from __future__ import annotations

from mqsc.store.rules.channel import averages
from tests.store.tables import giving, verdicts

test_averages = verdicts(
    averages.averages,
    *(([], "0,0"), ([2_000_000], "2000000,2000000"), ([*range(1, 17)], "12,8")),
    *(([1000, *[0] * 128], "0,0"), ([128, *[0] * 127], "0,1")),
)

test_monchl = verdicts(
    averages.is_monitored,
    *giving(False, ("QMGR", "OFF"), ("OFF", "HIGH"), ("HIGH", "NONE")),
    *giving(True, ("QMGR", "LOW"), ("HIGH", "OFF")),
)
