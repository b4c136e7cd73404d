"""A clock with which tests can wait until a get is waiting, and copies of stores that are
prepared once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import QUICK_PASSWORD_COST, Environment
from tests.conftest import START
from tests.scenarios.waiting import PauseCountingClock


@pytest.fixture
def environment() -> Environment[PauseCountingClock]:
    """An environment whose clock is frozen at START and counts pauses, where passwords cost as
    little as in other frozen ones.
    """
    clock = PauseCountingClock(START)
    return Environment(clock, "tester", "mqsc", password_cost=QUICK_PASSWORD_COST)


@pytest.fixture
def clock(environment: Environment[PauseCountingClock]) -> PauseCountingClock:
    return environment.clock


@cache
def _made(make: Callable[[Store], object]) -> tuple[bytes, int]:
    """The file of a store for which the function was called, and how many messages it has
    numbered.
    """
    environment = Environment.frozen(at=START)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.db"
        with open_store(f"sqlite:///{path}", environment=environment) as store:
            make(store)
        return path.read_bytes(), next(environment.message_numbers) - 1


@pytest.fixture
def copy_of(
    tmp_path: Path,
    environment: Environment[PauseCountingClock],
) -> Iterator[Callable[[Callable[[Store], object]], Store]]:
    """Open a copy of the store that a function makes; to make it again would take ten times as
    long.
    """
    with ExitStack() as held:

        def opened(make: Callable[[Store], object]) -> Store:
            file, numbers = _made(make)
            path = tmp_path / "copy.db"
            path.write_bytes(file)
            for _ in range(numbers):
                next(environment.message_numbers)
            return held.enter_context(open_store(f"sqlite:///{path}", environment=environment))

        yield opened
