"""A clock that tells when a get waits on it."""

from __future__ import annotations

import pytest

from store.environment import Environment
from tests.conftest import START
from tests.scenarios.waiting import NoticedClock


@pytest.fixture
def environment() -> Environment[NoticedClock]:
    """A world whose clock stands at START and tells when somebody waits."""
    return Environment(NoticedClock(START), "tester", "mqsc")


@pytest.fixture
def clock(environment: Environment[NoticedClock]) -> NoticedClock:
    """The clock of that world."""
    return environment.clock
