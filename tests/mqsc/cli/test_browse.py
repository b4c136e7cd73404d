"""`mqsc browse`."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command

pytestmark = pytest.mark.usefixtures("queues")


def test_a_line_for_each_message(mqsc: Command) -> None:
    mqsc("put", "A", "one\x1b[2J", "two\nlines", "--priority", "7", "--property", "color=red")
    mqsc("put", "A", "x" * 100, "--expiry", "3h30s", "--property", "size:int32=5")
    mqsc("put", "A", "--json", "-", stdin=json.dumps({"body": {"base64": "AAH/"}}).encode())
    heading, *lines = mqsc("browse", "A", "--property", "color", "--property", "size").lines
    assert heading.split() == "# PUT PROGRAM PRI SIZE EXPIRES color size DATA".split()
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4"]
    ends = [line.split(maxsplit=4)[-1].split() for line in lines]
    assert ends == [
        ["7", "7", "red", "one\\x1b[2J"],
        ["7", "9", "red", "two", "lines"],
        ["0", "100", "3h", "5", "x" * 59 + "…"],
        ["0", "3", "0001", "ff"],
    ]
    assert len(mqsc("browse", "A").lines) == 5


def test_messages_in_full(mqsc: Command) -> None:
    mqsc("put", "A", "one\x1b[2J", "two", "--msg-id", "4142")
    mqsc("put", "A", '{"b": [1]}')
    lines = mqsc("browse", "A", "1").lines
    assert lines[0] == "message 1 on A"
    assert "   msg_id              4142" + "00" * 22 in lines
    assert lines[-3:] == ["   body, 7 bytes:", "one\\x1b[2J", ""]
    assert [line for line in mqsc("browse", "A", "-v").lines if line.startswith("message")] == [
        f"message {number} on A" for number in (1, 2, 3)
    ]
    assert mqsc("browse", "A", "3", "--body", "json").lines[-6:] == ["{", '  "b": [', "    1", "  ]", "}", ""]
    assert mqsc("browse", "A", "2", "1", "--body", "hex").lines[-2] == f"00000000: {'7477 6F':<40} 'two'"
    assert json.loads(mqsc("browse", "A", "2", "--format", "jsonl").out)["body"] == {"text": "two"}
    ended = mqsc("browse", "A", "2", "4", "9")
    assert (ended.code, ended.err) == (10, "mqsc: there is no message 4, 9 on A\n")
    assert ended.lines[0] == "message 2 on A"


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


def test_an_ended_queue_manager_is_no_mistaken_name(mqsc: Command) -> None:
    mqsc("qmgr", "end", "QM1", "--immediate")
    ended = mqsc("browse", "a")
    assert (ended.code, "Did you mean" in ended.err) == (20, False)
