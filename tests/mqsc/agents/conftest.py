"""Programs for monitors to start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.client.api import QueueManager
from tests.mqsc.agents.monitor import Monitor
from tests.mqsc.agents.scripts import Scripts


@pytest.fixture
def scripts(tmp_path: Path) -> Iterator[Scripts]:
    """A folder of programs of its own; none of them waits any longer afterwards."""
    folder = tmp_path / "scripts"
    folder.mkdir()
    made = Scripts(folder)
    yield made
    made.close()


@pytest.fixture
def monitor(qmgr: QueueManager) -> Monitor:
    """A monitor of INIT1, which APPQ (EVERY) triggers to, with a dead-letter queue."""
    return Monitor(qmgr)
