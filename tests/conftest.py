"""What most tests need: a store in a temporary file, a clock that stands still, and nothing of the user's own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# Loaded inside the fixtures: a test of the grammar needs no database.
if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from store.client.api import QueueManager, Store
    from store.environment import Environment, FrozenClock
    from tests.mqsc.agents.scripts import Scripts

# 2023-11-14 22:13:20 UTC.
START = 1_700_000_000_000_000
# How many messages a queue manager generates when it is created.
PREPARED_MESSAGES = 1
OF_THE_USER = ("MQSC_STORE", "MQSC_QMGR", "NO_COLOR", "FORCE_COLOR")

# How long an example takes depends on what else the machine does.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a Spark session go to one worker, and long tests come first, so that workers end together."""
    places = {}
    for item in items:
        uses_spark = "spark" in getattr(item, "fixturenames", ())
        if uses_spark:
            item.add_marker(pytest.mark.xdist_group("spark"))
        places[item] = 0 if uses_spark else 1 if item.get_closest_marker("long") else 2
    items.sort(key=places.__getitem__)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The one Spark session of the tests, as reports start it."""
    from reports.session import session

    with session("local[2]") as started:
        yield started


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


@pytest.fixture(scope="session")
def prepared_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the queue manager QM1, made at START. To copy it takes a tenth of the time that making one takes."""
    from store.client.open_store import open_store
    from store.environment import Environment

    path = tmp_path_factory.mktemp("prepared") / "prepared.db"
    environment = Environment.frozen(at=START)
    with open_store(f"sqlite:///{path}", environment=environment) as made:
        made.create_queue_manager("QM1")
    assert next(environment.message_numbers) == PREPARED_MESSAGES + 1
    return path


@pytest.fixture
def store(tmp_path: Path, environment: Environment[FrozenClock], request: pytest.FixtureRequest) -> Iterator[Store]:
    """A store in a file of its own, empty unless the test has `qmgr`; closed afterwards."""
    from store.client.open_store import open_store

    path = tmp_path / "test.db"
    if "qmgr" in request.fixturenames and environment.clock.now() == START:
        shutil.copyfile(request.getfixturevalue("prepared_store"), path)
        for _ in range(PREPARED_MESSAGES):
            next(environment.message_numbers)
    with open_store(f"sqlite:///{path}", environment=environment) as opened:
        yield opened


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    """A queue manager QM1, running, with its SYSTEM objects."""
    return store.queue_manager("QM1") if store.queue_managers() else store.create_queue_manager("QM1")


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
