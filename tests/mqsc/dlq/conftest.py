"""A desk with a dead-letter queue, and a clock on which waiting is no waiting."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager, Store
from store.environment import Environment
from tests.conftest import START
from tests.mqsc.dlq.desk import Desk, SteppingClock, stepping


@pytest.fixture
def environment() -> Environment[SteppingClock]:
    """A world in which a waiting program lets time pass by itself."""
    return stepping(START)


@pytest.fixture
def desk(store: Store, qmgr: QueueManager, environment: Environment[SteppingClock]) -> Desk:
    """QM1 with DEAD.LETTERS as its DEADQ."""
    return Desk(store, qmgr, environment.clock)
