"""What the tests with several processes need: a store with real time, and programs to tell what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from store.client.api import QueueManager, Store
from store.client.open_store import open_store
from store.environment import Environment
from tests.processes.channel_cells import Killer
from tests.processes.channel_world import OWN, PARTNER, Bench
from tests.processes.programs import Program
from tests.scenarios.play import Play

Start = Callable[..., Program]


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of the store under test."""
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store with real time, as other programs have it."""
    with open_store(url, environment=Environment.system()) as opened:
        yield opened


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    """Programs in this process, on the queues Q and R."""
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)")
    return play


@pytest.fixture
def program(url: str, play: Play) -> Iterator[Callable[..., Program]]:
    """Starts programs in processes of their own; they are killed afterwards."""
    with ExitStack() as started:

        def start(patience: float | None = None) -> Program:
            return started.enter_context(Program(url, patience))

        yield start


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Channels between two queue managers, in ordinary folders."""
    make = tmp_path_factory.mktemp
    return Bench(make("templates"), make(OWN), make(PARTNER))


@pytest.fixture(scope="session")
def killer() -> Iterator[Killer]:
    """A program that forks others, which run channels and kill themselves."""
    killer = Killer()
    yield killer
    killer.close()
