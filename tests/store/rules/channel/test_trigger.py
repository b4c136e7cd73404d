"""The channel that a trigger message starts (channel-commands §5)."""

from __future__ import annotations

from store.constants import MQCHS
from store.rules.channel.decisions import channel_of, starts
from tests.store.tables import verdicts

test_l46_the_channel_is_named_or_found = verdicts(
    channel_of,
    ("C", "U", ["A"], "C"),
    ("", "U", ["A"], "U"),
    ("", "", ["A", "B"], "A"),
    ("", "", [], ""),
    ("  ", " U ", [], "U"),
)


def test_l47_only_an_inactive_channel_is_started() -> None:
    assert [status for status in MQCHS if starts(status)] == [MQCHS.INACTIVE]
