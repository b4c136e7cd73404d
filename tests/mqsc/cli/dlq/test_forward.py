"""`mqsc dlq forward`."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.mqsc.cli.dlq.conftest import depth, objects
from tests.mqsc.conftest import Command


def test_forward(mqsc: Command, qmgr: QueueManager) -> None:
    assert mqsc("dlq", "forward", "--to", "REST", "--reason", "2085").code == 0
    assert (
        mqsc("dlq", "forward", "DLQ", "--to", "REST", "--to-q-mgr", "QM1", "--strip-header", "--limit", "1").code == 0
    )
    bodies = [row["body"] for row in objects(mqsc("browse", "REST", "--format", "json").out)]
    assert bodies[1] == {"text": "m1"}
    assert "base64" in bodies[0]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("forward",), 20, "Missing option '--to'"),
        (("forward", "--to", "DLQ"), 20, "leads back to DLQ"),
        (("forward", "--to", "NOSUCH", "--limit", "1"), 10, "cannot forward to NOSUCH: 2085 MQRC_UNKNOWN_OBJECT_NAME"),
        (("forward", "--to", "NOSUCH", "--dry-run"), 10, "no message was moved"),
        (("forward", "--to", "REST", "--to-q-mgr", "QM9"), 10, "cannot forward to REST on QM9: 208"),
    ],
)
def test_by_hand_that_fails(
    mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended = mqsc("dlq", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert depth(mqsc, "DLQ") == 5
