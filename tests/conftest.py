"""What most tests need: a store in a temporary file, a clock that stands still, and nothing of the user's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# Loaded inside the fixtures: a test of the grammar needs no database.
if TYPE_CHECKING:
    from store.client.api import QueueManager, Store
    from store.environment import Environment, FrozenClock
    from tests.mqsc.agents.scripts import Scripts

# 2023-11-14 22:13:20 UTC.
START = 1_700_000_000_000_000
OF_THE_USER = ("MQSC_STORE", "MQSC_QMGR", "NO_COLOR", "FORCE_COLOR")

# How long an example takes depends on what else the machine does.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def _nothing_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the settings, or touches the store, of whoever runs it."""
    for name in OF_THE_USER:
        monkeypatch.delenv(name, raising=False)
    home = tmp_path_factory.getbasetemp() / "user-data"
    monkeypatch.setenv("XDG_DATA_HOME", str(home))


@pytest.fixture
def environment() -> Environment[FrozenClock]:
    """A world whose clock stands at START until the test moves it, with the user `tester`."""
    from store.environment import Environment

    return Environment.frozen(at=START)


@pytest.fixture
def store(tmp_path: Path, environment: Environment[FrozenClock]) -> Iterator[Store]:
    """An empty store in a file of its own; closed afterwards."""
    from store.client.open_store import open_store

    with open_store(f"sqlite:///{tmp_path / 'test.db'}", environment=environment) as opened:
        yield opened


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    """A queue manager QM1, running, with its SYSTEM objects."""
    return store.create_queue_manager("QM1")


@pytest.fixture
def scripts(tmp_path: Path) -> Iterator[Scripts]:
    """A folder of programs for agents to start; none of them waits any longer afterwards."""
    from tests.mqsc.agents.scripts import Scripts

    folder = tmp_path / "scripts"
    folder.mkdir()
    made = Scripts(folder)
    yield made
    made.close()


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of scripts and rules tables by other people; the test is left out where there is none."""
    folder = os.environ.get("MQSC_CORPUS")
    if not folder:
        pytest.skip("MQSC_CORPUS names no folder of scripts")
    return Path(folder)
