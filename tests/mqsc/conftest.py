"""A queue manager whose time stands still, and the means to see what a run prints."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.output import TextWriter
from mqsc.script import Answered, Script
from store import Environment, open_store
from store.environment import FrozenClock
from store.queue_manager import QueueManager

# 2023-11-14T22:13:20Z
MOMENT = 1_700_000_000_000_000


def at_a_known_moment() -> Environment[FrozenClock]:
    """An environment whose clock stands at MOMENT."""
    return Environment.frozen(at=MOMENT)


@pytest.fixture
def qmgr(tmp_path: Path) -> Iterator[QueueManager]:
    """QM1 in a new store, at MOMENT."""
    with open_store(f"sqlite:///{tmp_path}/store.db", environment=at_a_known_moment()) as store:
        yield store.create_queue_manager("QM1")


def printed(script: Script, text: str, file: str | None = None) -> str:
    """What a run of `text` prints, without the banner, trailing blanks stripped."""
    out = io.StringIO()
    writer = TextWriter(out)
    for step in script.steps((text,), file):
        if isinstance(step, Answered):
            writer.answer(step)
        else:
            writer.echo(step)
    writer.end(script.tally)
    return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))
