"""Fixtures of most tests: a store in a temporary file, a frozen clock, and isolation from the
user's settings.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.memory import folder_in_memory
from tests.quick import is_quick
from tests.shared import START as START
from tests.spark_users import SESSION, has_tests_with_spark, users_of_spark

# Imported inside the fixtures at run time: tests of the grammar need no database.
if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mqsc.store.client.queue_manager import QueueManager
    from mqsc.store.client.store import Store
    from mqsc.store.environment import Environment, FrozenClock
    from tests.mqsc.agents.scripts import Scripts

# The number of messages that a queue manager generates when it is created.
PREPARED_MESSAGES = 1
# The tests that parse the source files of the product, which takes longer than checking them.
SOURCES = (
    *("tests/test_architecture.py", "tests/test_house_style.py"),
    "tests/docs/test_specification_references.py",
)
# So many new objects, instead of 700, let Python look for garbage: tests make many and leave few.
YOUNG_OBJECTS = 20_000
# Of the files of this folder few tests take less than a second.
OF_THE_TREE = "tests/test_"
# How a file declares what its tests share, which often takes longer to make than to test.
SHARES = '@pytest.fixture(scope="module")'
# Seconds that a test may take if it is marked as long or waits for Spark. All allow for a machine
# that is slow or busy. Folders whose tests play long histories, or start many programs.
PLAYED = {"docs", "mqsc/cli/past", "mqsc/imports", "mqsc/interface", "mqsc/lsp", "store/past"}
LONG_TIMEOUT = 900
# Seconds for the tests of these folders: they start programs or Java, and wait up to a minute for
# each before they fail by themselves.
PROGRAMS_TIMEOUT = 300
OF_PROGRAMS = (
    *("tests/processes/", "tests/docs/", "tests/samples/", "tests/reports/"),
    *("tests/mqsc/agents/", "tests/mqsc/clients/", "tests/mqsc/shell/"),
)
OF_THE_USER = ("MQSC_STORE", "MQSC_QMGR", "MQSC_CONFIG", "NO_COLOR", "FORCE_COLOR")

# No deadlines: the time that an example takes depends on the load of the machine.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="run only the files of tests that are quick: tests/quick.py",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With --quick, do not even import the files that are left out."""
    is_slow = (
        config.option.quick and collection_path.suffix == ".py" and not is_quick(collection_path)
    )
    return True if is_slow else None


def pytest_configure() -> None:
    """Files of tests are in memory, unless the variable of pytest says where they are. Passwords
    are hashed quickly: some hundred would take a minute.

    Tests send SIGINT, to themselves too. A shell that starts them in the background has it
    ignored.
    """
    from mqsc.store.environment import QUICK_PASSWORDS

    if memory := folder_in_memory():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))
    os.environ.setdefault(QUICK_PASSWORDS, "1")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Collecting tests makes much that stays and nothing to collect.
    gc.disable()


def pytest_collection_finish() -> None:
    """Collect only what tests leave: many collect garbage themselves, among a million objects
    otherwise.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Distribute tests one by one, but those of a scope together.

    A group of xdist would do, but pytest 9.2 does not let xdist 3.8 add the group to the identifier
    of a test.
    """
    from xdist.scheduler import LoadScopeScheduling

    class OneByOne(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(config.rootpath, nodeid)

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """Forget what is complete, or each test would take longer than the one before.

            When a worker ends, it would also be given out again, and the receiver would wait for
            ever.
            """
            super().mark_test_complete(node, item_index, duration)
            scope = self._split_scope(self.registered_collections[node][item_index])
            if all(self.assigned_work[node][scope].values()):
                del self.assigned_work[node][scope]

        def remove_node(self, node: Any) -> str | None:
            """Give the tests of a worker that has ended to others, but not the one that ended
            it.
            """
            units = self.assigned_work[node]
            running = (
                (scope, test) for scope, tests in units.items() for test in tests if not tests[test]
            )
            scope, test = next(running, (None, None))
            if scope is not None:
                del units[scope][test]
                if all(units[scope].values()):
                    del units[scope]
            super().remove_node(node)
            return test

    return OneByOne(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests with the Spark session first, then other long ones and those that stay
    together, so that workers end together.
    """

    def turn(item: pytest.Item) -> tuple[bool, ...]:
        is_long = item.get_closest_marker("long") is not None
        return (
            SESSION not in fixtures_of(item),
            not is_long,
            not shares_fixtures(item.path),
            not item.nodeid.startswith(OF_THE_TREE),
        )

    items.sort(key=turn)
    for item in items:
        check_scope(item)
        if item.get_closest_marker("timeout") is None and (seconds := timeout_of(item)):
            item.add_marker(pytest.mark.timeout(seconds))


@cache
def scope_of(root: Path, test: str) -> str:
    """The tests that one worker gets with this one: those that use the Spark session, those that
    read the sources, or those that share a fixture of their file. Each other test is alone.
    """
    name_of_file, _, rest = test.partition("::")
    if name_of_file.startswith(SOURCES):
        return "sources"
    file = root / name_of_file
    function = rest.partition("[")[0].rpartition("::")[2]
    shares = shares_fixtures(file)
    if function in users_of_spark(file) or (shares and has_tests_with_spark(file)):
        return SESSION
    return name_of_file if shares else test


def check_scope(item: pytest.Item) -> None:
    """Fail if the test would start another Spark session in the process of a worker that has none.

    It would take longer than the test, and be used by no other.
    """
    if SESSION in fixtures_of(item):
        assert scope_of(item.config.rootpath, item.nodeid) == SESSION, item.nodeid


@cache
def shares_fixtures(file: Path) -> bool:
    return SHARES in file.read_text("utf-8")


@cache
def is_played(file: Path) -> bool:
    return file.parent.relative_to(Path(__file__).parent).as_posix() in PLAYED


def timeout_of(item: pytest.Item) -> int:
    """The seconds that the test may take, if they are more than those of pyproject.toml; else 0."""
    if (
        SESSION in fixtures_of(item)
        or item.get_closest_marker("long") is not None
        or is_played(item.path)
    ):
        return LONG_TIMEOUT
    return PROGRAMS_TIMEOUT if item.nodeid.startswith(OF_PROGRAMS) else 0


def fixtures_of(item: pytest.Item) -> Sequence[str]:
    return getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The Spark session that all tests share, started as reports start it."""
    from mqsc.reports.session import session

    prepare_reports()
    with session("local[2]") as started:
        yield started
        # If Java has ended meanwhile, the session says how.
        assert started.range(1).count() == 1


def prepare_reports() -> None:
    """Make the archive of Java's classes if there is none, as `tests/run.sh` does.

    The session that tests share would make it at its end. Until then the programs that make
    reports, some twenty, would start without it.
    """
    from mqsc.reports.class_archives import class_archive, is_switched_off
    from mqsc.reports.java_runtime import java_home

    if not is_switched_off() and class_archive(java_home()) is None:
        command = [sys.executable, "-m", "mqsc.reports.prepare"]
        subprocess.run(command, cwd=Path(__file__).parents[1], check=False)


@pytest.fixture(autouse=True)
def _nothing_of_the_user(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Keep tests away from the settings and the store of the user who runs them."""
    for name in OF_THE_USER:
        monkeypatch.delenv(name, raising=False)
    home = tmp_path_factory.getbasetemp() / "user-data"
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home))


@pytest.fixture
def environment() -> Environment[FrozenClock]:
    """An environment with a frozen clock at START and the user `tester`."""
    from mqsc.store.environment import Environment

    return Environment.frozen(at=START)


@pytest.fixture(scope="session")
def prepared_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the queue manager QM1, created at START. Copying it takes a tenth of the time
    of creating one.
    """
    from mqsc.store.client.store import open_store
    from mqsc.store.environment import Environment

    path = tmp_path_factory.mktemp("prepared") / "prepared.db"
    environment = Environment.frozen(at=START)
    with open_store(f"sqlite:///{path}", environment=environment) as made:
        made.create_queue_manager("QM1")
    assert next(environment.message_numbers) == PREPARED_MESSAGES + 1
    return path


@pytest.fixture
def store(
    tmp_path: Path,
    environment: Environment[FrozenClock],
    request: pytest.FixtureRequest,
) -> Iterator[Store]:
    """A store in a file of its own, empty unless the test uses `qmgr`."""
    from mqsc.store.client.store import open_store

    path = tmp_path / "test.db"
    if "qmgr" in request.fixturenames and environment.clock.now() == START:
        shutil.copyfile(request.getfixturevalue("prepared_store"), path)
        for _ in range(PREPARED_MESSAGES):
            next(environment.message_numbers)
    with open_store(f"sqlite:///{path}", environment=environment) as opened:
        yield opened


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    """A running queue manager QM1 with its SYSTEM objects."""
    return (
        store.queue_manager("QM1") if store.queue_managers() else store.create_queue_manager("QM1")
    )


@pytest.fixture
def scripts(tmp_path: Path) -> Iterator[Scripts]:
    """A folder of programs for agents to start. At the end of the test, programs that wait are
    released.
    """
    from tests.mqsc.agents.scripts import Scripts

    folder = tmp_path / "scripts"
    folder.mkdir()
    made = Scripts(folder)
    yield made
    made.close()


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of scripts and rules tables found on the web; without one the test is skipped."""
    folder = os.environ.get("MQSC_CORPUS")
    if not folder:
        pytest.skip("MQSC_CORPUS names no folder of scripts")
    return Path(folder)
