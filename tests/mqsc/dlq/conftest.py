"""A system with a dead-letter queue, and a clock on which waiting is no waiting."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager, Store
from store.environment import Environment
from tests.conftest import START
from tests.mqsc.dlq.handler_system import HandlerSystem, SteppingClock, stepping


@pytest.fixture
def environment() -> Environment[SteppingClock]:
    """A world in which a waiting program lets time pass by itself."""
    return stepping(START)


@pytest.fixture
def system(store: Store, qmgr: QueueManager, environment: Environment[SteppingClock]) -> HandlerSystem:
    """QM1 with DEAD.LETTERS as its DEADQ."""
    return HandlerSystem(store, qmgr, environment.clock)
