"""A queue manager with a dead-letter queue, and a clock with which waits end immediately."""

from __future__ import annotations

import pytest

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.environment import Environment
from tests.conftest import START
from tests.mqsc.dlq.handler_system import HandlerSystem, SteppingClock, stepping


@pytest.fixture
def environment() -> Environment[SteppingClock]:
    return stepping(START)


@pytest.fixture
def system(
    store: Store,
    qmgr: QueueManager,
    environment: Environment[SteppingClock],
) -> HandlerSystem:
    return HandlerSystem(store, qmgr, environment.clock)
