"""Queues for the commands that put and get messages."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command


@pytest.fixture
def queues(mqsc: Command) -> None:
    """The queues A, R and FULL, which holds three messages."""
    mqsc("run", "-c", "DEFINE QLOCAL(A) MAXDEPTH(1500)\nDEFINE QLOCAL(R)\nDEFINE QLOCAL(FULL) MAXDEPTH(3)")


def bodies(mqsc: Command, queue: str = "A") -> list[str]:
    """Return the texts of the messages on a queue."""
    return [json.loads(line)["body"]["text"] for line in mqsc("browse", queue, "--format", "jsonl").out.splitlines()]
