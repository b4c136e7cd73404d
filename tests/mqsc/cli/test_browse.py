"""`mqsc browse`."""

from __future__ import annotations

import json
from datetime import datetime

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


def test_json_has_the_time_of_the_put_in_the_format_of_all_times(mqsc: Command) -> None:
    mqsc("put", "A", "one", "two")
    (line, _) = mqsc("browse", "A", "--format", "jsonl").out.splitlines()
    message = json.loads(line)
    day, second = message["put_date"], message["put_time"][:6]
    at = datetime.fromisoformat(message["put_at"])
    assert (message["put_at"][-1], at.strftime("%Y%m%d"), at.strftime("%H%M%S")) == ("Z", day, second)
    assert json.loads(mqsc("get", "A", "--format", "jsonl").out)["put_at"] == message["put_at"]
    # It is ignored when the message is put again.
    assert mqsc("put", "A", "--json", "-", stdin=line.encode()).code == 0
    assert bodies(mqsc) == ["two", "one"]
