"""Fixtures for tests with several processes: a store on the real clock, and programs on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment
from tests.processes import programs
from tests.processes.channel_world import OWN, PARTNER, Bench
from tests.processes.programs import Player, Program
from tests.scenarios.play import Play

Start = Callable[..., Program]
StartPlayer = Callable[..., Player]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A store on the real clock, shared with other processes."""
    with open_store(url, environment=Environment.system()) as opened:
        yield opened


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    """Programs in this process, and the queues Q and R."""
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)")
    return play


@pytest.fixture
def launch() -> Iterator[Start]:
    """Starts programs in other processes, and kills them at the end of the test."""
    with ExitStack() as started:
        yield lambda *what, **how: started.enter_context(Program(*what, **how))


@pytest.fixture
def start(launch: Start, url: str) -> Start:
    """Starts programs whose first argument is the store."""
    return lambda work, *arguments, **how: launch(work, url, *arguments, **how)


@pytest.fixture
def command(launch: Start, url: str) -> Start:
    """Starts `mqsc` with arguments on the store."""
    return lambda *words, **how: launch(
        programs.command,
        *words,
        errors=True,
        **{"MQSC_STORE": url, **how},
    )


@pytest.fixture
def program(url: str, play: Play) -> Iterator[StartPlayer]:
    """Starts programs that run scenario lines on the queues of `play`, and kills them at the end
    of the test.
    """
    with ExitStack() as started:
        yield lambda patience=None: started.enter_context(Player(url, patience))


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Two queue managers with a channel, in ordinary folders."""
    make = tmp_path_factory.mktemp
    return Bench(make("templates"), make(OWN), make(PARTNER))
