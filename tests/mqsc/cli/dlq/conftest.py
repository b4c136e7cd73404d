"""A queue manager with dead letters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.store import open_store
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from tests.conftest import START
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter


@pytest.fixture
def qmgr(tmp_path: Path, mqsc: Command) -> Iterator[QueueManager]:
    """QM1 with a manual clock: four dead letters on its DEADQ, put a minute apart, and a message
    without a header.
    """
    letters = (("Q1", 2053), ("THROWN", 2085), ("NOWHERE", 2053), ("Q1", 2051))
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        for name in ("DLQ", "Q1", "REST"):
            create(qmgr, KINDS["QLOCAL"], name, {})
        change_queue_manager(qmgr, {"DEADQ": "DLQ"})
        with qmgr.connect("billing", "alice") as connection:
            for number, (destination, reason) in enumerate(letters, 1):
                connection.put1(
                    "DLQ",
                    dead_letter(f"m{number}", number, dest_q_name=destination, reason=reason),
                )
                qmgr.advance_clock(60_000_000)
            connection.put1("DLQ", dead_letter("odd", 5, whole=b"odd"))
        yield qmgr


def bodies(mqsc: Command, queue: str) -> list[dict[str, str]]:
    """The bodies of the messages on a queue."""
    return [row["body"] for row in mqsc("browse", queue, "--format", "json").rows]
