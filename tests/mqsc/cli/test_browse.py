"""`mqsc browse`."""

from __future__ import annotations

import pytest

from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command

pytestmark = pytest.mark.usefixtures("queues")


def test_browse_shows_descriptor_and_body_and_takes_nothing(mqsc: Command) -> None:
    mqsc("put", "A", "one\x1b[2J", "two", "--msg-id", "4142")
    lines = mqsc("browse", "A", "--count", "1").lines
    assert lines[0] == "message 1 on A"
    assert "   msg_id              4142" + "00" * 22 in lines
    assert lines[-3:] == ["   body, 7 bytes:", "one\\x1b[2J", ""]
    assert bodies(mqsc) == ["one\x1b[2J", "two"]
