"""Programs for monitors to start."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.mqsc.agents.monitor import Monitor


@pytest.fixture
def monitor(qmgr: QueueManager) -> Monitor:
    """A monitor of INIT1, with a dead-letter queue. Every put to APPQ triggers."""
    return Monitor(qmgr)
