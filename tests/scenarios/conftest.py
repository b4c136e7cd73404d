"""A clock on which tests can wait for a waiting get."""

from __future__ import annotations

import pytest

from store.environment import Environment
from tests.conftest import START
from tests.scenarios.waiting import PauseCountingClock


@pytest.fixture
def environment() -> Environment[PauseCountingClock]:
    """Frozen at START, with a clock that counts pauses."""
    return Environment(PauseCountingClock(START), "tester", "mqsc")


@pytest.fixture
def clock(environment: Environment[PauseCountingClock]) -> PauseCountingClock:
    return environment.clock
