"""`mqsc dlq test`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.client.api import QueueManager
from tests.mqsc.cli.dlq.conftest import BAD, depth, objects
from tests.mqsc.conftest import Command


def test_test(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    """Prints counts, optionally with every message and an explanation. Nothing is moved."""
    ended = mqsc("dlq", "test", rules)
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines[:5] == [
        "RULE      MESSAGES  WHAT",
        "line 2           2  REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "line 3           1  DESTQ(THROWN) ACTION(DISCARD)",
        "no rule          1  stays on the queue",
        "no MQDLH         1  reported as AMQ8721, stays on the queue",
    ]
    explained = mqsc("dlq", "test", rules, "--explain")
    assert explained.out.endswith(ended.out)
    assert (
        "   line 2: no match: REASON(MQRC_Q_FULL), but MQDLH.Reason is 2085 MQRC_UNKNOWN_OBJECT_NAME" in explained.lines
    )
    assert depth(mqsc, "DLQ") == 5


def test_test_as_json(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    rows = objects(mqsc("dlq", "test", rules, "--format", "json").out)
    assert [row["messages"] for row in rows if row["of"] == "rule"] == [2, 1]
    explained = [json.loads(line) for line in mqsc("dlq", "test", rules, "--explain", "--format", "jsonl").lines]
    assert [row["rule"] for row in explained[:5]] == [2, 3, 2, None, None]
    assert explained[5:] == rows


def test_test_on_messages_from_a_file(mqsc: Command, qmgr: QueueManager, rules: str, tmp_path: Path) -> None:
    """The file is output of `mqsc browse`, in either format. Without a store, the result of a put is unknown."""
    here = mqsc("dlq", "test", rules).out
    for form in ("json", "jsonl"):
        (tmp_path / "messages").write_text(mqsc("browse", "DLQ", "--format", form).out)
        assert mqsc("dlq", "test", rules, "--messages", "messages").out == here
        shown = mqsc("dlq", "show", "--format", form).out.encode()
        assert mqsc("dlq", "test", rules, "--messages", "-", stdin=shown).out == here
    elsewhere = mqsc("dlq", "test", rules, "--messages", "messages", "--store", "none.db")
    assert elsewhere.code == 0
    assert "unknown without a queue manager" in elsewhere.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("bad.rul",), "bad.rul:3:1: error MQSC0030"),
        (("letters.rul", "--messages", "none"), "none does not exist"),
        (("letters.rul", "--messages", "bad.rul"), "bad.rul, line 1: column 1: not JSON"),
        (("letters.rul", "--messages", "x", "--queue", "DLQ"), "cannot be used together"),
        (("letters.rul", "--messages", "-"), "standard input, line 1: column 1: not JSON"),
        (("-", "--messages", "-"), "the rules or the messages, not both"),
    ],
)
def test_test_that_cannot_be_run(
    mqsc: Command, qmgr: QueueManager, rules: str, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "bad.rul").write_text(BAD)
    ended = mqsc("dlq", "test", *arguments, stdin=b"nonsense\n")
    assert ended.code == 20
    assert said in ended.err


def test_test_on_a_queue_manager_that_does_not_exist(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    ended = mqsc("dlq", "test", rules, "-m", "QM9")
    assert (ended.code, ended.err[:14]) == (10, "mqsc: AMQ8118E")


def test_test_on_a_queue_that_does_not_exist(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    ended = mqsc("dlq", "test", rules, "--queue", "NOPE")
    assert (ended.code, ended.err) == (10, "mqsc: AMQ8147E: IBM MQ object NOPE not found.\n")
