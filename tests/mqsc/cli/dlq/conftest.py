"""A queue manager with dead letters, and a rules table for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store import open_store
from store.admin.altering import change_queue_manager
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from tests.conftest import START
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter

RULES = "WAIT(NO)\nREASON(MQRC_Q_FULL) ACTION(RETRY)\nDESTQ(THROWN) ACTION(DISCARD)\n"
BAD = "WAIT(NO)\nACTION(RETRY) RETRY(0)\nACTIN(RETRY)\n"


@pytest.fixture
def qmgr(tmp_path: Path, mqsc: Command) -> Iterator[QueueManager]:
    """QM1 with a manual clock: four dead letters on its DEADQ, put a minute apart, and a message without a header."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        for name in ("DLQ", "Q1", "REST"):
            create(qmgr, KINDS["QLOCAL"], name, {})
        change_queue_manager(qmgr, {"DEADQ": "DLQ"})
        with qmgr.connect("billing", "alice") as connection:
            for number, (destination, reason) in enumerate(
                (("Q1", 2053), ("THROWN", 2085), ("NOWHERE", 2053), ("Q1", 2051)), 1
            ):
                connection.put1("DLQ", dead_letter(f"m{number}", number, dest_q_name=destination, reason=reason))
                qmgr.advance_clock(60_000_000)
            connection.put1("DLQ", dead_letter("odd", 5, whole=b"odd"))
        yield qmgr


@pytest.fixture
def rules(tmp_path: Path) -> str:
    """Write RULES to a file; return its name."""
    path = tmp_path / "letters.rul"
    path.write_text(RULES)
    return path.name


def depth(mqsc: Command, queue: str) -> int:
    """The number of messages on a queue."""
    return len(objects(mqsc("browse", queue, "--format", "json").out))


def objects(out: str) -> list[dict[str, Any]]:
    """Parse JSON output into rows."""
    found: list[dict[str, Any]] = json.loads(out)
    return found
