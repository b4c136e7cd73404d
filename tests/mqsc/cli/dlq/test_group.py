"""What the `mqsc dlq` commands have in common."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from store.client.api import QueueManager
from tests.mqsc.cli.dlq.conftest import depth
from tests.mqsc.conftest import Command


def test_without_a_store(mqsc: Command, rules: str) -> None:
    """Only `check`, and `test` on a file of messages, work without a store."""
    for arguments in (("run", rules), ("test", rules), ("show",), ("retry",), ("discard", "--all")):
        assert mqsc("dlq", *arguments).code == 20
    assert mqsc("dlq", "check", rules).code == 0
    assert not Path("store.db").exists()


@pytest.mark.parametrize(("arguments", "code", "said"), [(("frobnicate",), 20, "No such command")])
def test_by_hand_that_fails(
    mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended = mqsc("dlq", *arguments)
    assert ended.code == code
    assert said in ended.err
    assert depth(mqsc, "DLQ") == 5


def test_the_real_tables(mqsc: Command, qmgr: QueueManager, corpus: Path) -> None:
    """Tables found on the web are checked and tried without a traceback, and the two commands agree on errors."""
    tables = sorted((corpus / "dlq").glob("*.rul"))
    assert len(tables) >= 10
    for path in tables:
        checked, tried = mqsc("dlq", "check", str(path)), mqsc("dlq", "test", str(path), "-m", "QM1", "--queue", " ")
        assert (checked.code, tried.code) in ((0, 0), (10, 20)), path
        assert ("AMQ8758" in checked.out or "AMQ8750" in checked.out) is (checked.code == 10)
        if tried.code == 0:
            counts = [int(line.split()[2]) for line in tried.lines if re.match(r"line \d|no rule|no MQDLH", line)]
            assert sum(counts) == 5
