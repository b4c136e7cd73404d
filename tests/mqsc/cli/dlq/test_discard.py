"""`mqsc dlq discard`."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
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
