"""`mqsc dlq discard`."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from store.client.api import QueueManager
from tests.mqsc.cli.dlq.conftest import depth, objects
from tests.mqsc.conftest import Command


def test_discard(mqsc: Command, qmgr: QueueManager) -> None:
    rows = objects(mqsc("dlq", "discard", "--destination", "NOWHERE", "--format", "json").out)
    assert [(row["result"], row["target"], row["dead_letter"]["dest_q_name"]) for row in rows] == [
        ("moved", None, "NOWHERE")
    ]
    assert mqsc("dlq", "discard", "--all").code == 0
    assert depth(mqsc, "DLQ") == 0


def test_discarded_messages_are_saved_first(mqsc: Command, qmgr: QueueManager, tmp_path: Path) -> None:
    """Messages are appended to the file, which can be put back."""
    before = objects(mqsc("browse", "DLQ", "--format", "json").out)
    assert mqsc("dlq", "discard", "--reason", "2053", "--save", "gone.jsonl").code == 0
    assert mqsc("dlq", "discard", "--all", "--save", "gone.jsonl").code == 0
    saved = (tmp_path / "gone.jsonl").read_bytes()
    assert stat.S_IMODE((tmp_path / "gone.jsonl").stat().st_mode) == 0o600
    assert [json.loads(line) for line in saved.splitlines()] == [before[each] for each in (0, 2, 1, 3, 4)]
    assert mqsc("put", "DLQ", "-", "--json", stdin=saved).code == 0
    assert depth(mqsc, "DLQ") == 5


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_message_that_cannot_be_saved_is_not_discarded(mqsc: Command, qmgr: QueueManager) -> None:
    ended = mqsc("dlq", "discard", "--all", "--save", "/dev/full")
    assert (ended.code, ended.out) == (10, "")
    assert "/dev/full cannot be written: No space left on device; the message was not discarded" in ended.err
    assert depth(mqsc, "DLQ") == 5


def test_a_dry_run_saves_nothing(mqsc: Command, qmgr: QueueManager, tmp_path: Path) -> None:
    assert mqsc("dlq", "discard", "--all", "--save", "gone.jsonl", "--dry-run").code == 0
    assert not (tmp_path / "gone.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("discard", "--all", "--save", "no/such/folder"), 20, "no/such/folder cannot be written"),
        (("discard", "--all", "--save", "store.db"), 20, "store.db is the store itself"),
        (("discard",), 20, "select the messages to delete"),
    ],
)
def test_by_hand_that_fails(
    mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended = mqsc("dlq", *arguments)
    assert ended.code == code
    assert said in ended.err
    assert depth(mqsc, "DLQ") == 5
