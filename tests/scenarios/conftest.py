"""A clock with which tests can wait until a get is waiting."""

from __future__ import annotations

import pytest

from store.environment import Environment
from tests.conftest import START
from tests.scenarios.waiting import PauseCountingClock


@pytest.fixture
def environment() -> Environment[PauseCountingClock]:
    """An environment whose clock is frozen at START and counts pauses."""
    return Environment(PauseCountingClock(START), "tester", "mqsc")


@pytest.fixture
def clock(environment: Environment[PauseCountingClock]) -> PauseCountingClock:
    return environment.clock
