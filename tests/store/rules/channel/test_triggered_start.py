"""Channels that trigger messages start."""

from __future__ import annotations

from mqsc.store.constants import MQCHS
from mqsc.store.rules.channel import triggered_start
from tests.store.tables import verdicts

test_l46_the_channel_is_named_or_found = verdicts(
    triggered_start.channel_of,
    *(
        ("C", "U", ["A"], "C"),
        ("", "U", ["A"], "U"),
        ("", "", ["A", "B"], "A"),
        ("", "", [], ""),
        ("  ", " U ", [], "U"),
    ),
)


def test_l47_only_an_inactive_channel_is_started() -> None:
    assert [status for status in MQCHS if triggered_start.starts(status)] == [MQCHS.INACTIVE]
