"""The channel that a trigger message starts (channel-commands §5)."""

from __future__ import annotations

import pytest

from store.constants import MQCHS
from store.rules.channel.decisions import channel_of, starts


@pytest.mark.parametrize(
    ("trigger_data", "user_data", "of_queue", "channel"),
    [
        ("C", "U", ["A"], "C"),
        ("", "U", ["A"], "U"),
        ("", "", ["A", "B"], "A"),
        ("", "", [], ""),
        ("  ", " U ", [], "U"),
    ],
)
def test_l46_the_channel_is_named_or_found(
    trigger_data: str, user_data: str, of_queue: list[str], channel: str
) -> None:
    assert channel_of(trigger_data, user_data, of_queue) == channel


def test_l47_only_an_inactive_channel_is_started() -> None:
    assert [status for status in MQCHS if starts(status)] == [MQCHS.INACTIVE]
