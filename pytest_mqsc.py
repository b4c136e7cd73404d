"""A pytest plugin: a store, a queue manager and its clock for each test that asks for them, and
with --mqsc a store for a whole test suite of a program for IBM's clients (docs/testing.md).

pytest imports this module in every project where mqsc is installed, so it imports nothing but
pytest.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mqsc import QueueManager, Store
    from mqsc.testing import ManualClock
    from mqsc.testing.program_suites import ProgramSuite

_MARKER = (
    "mqsc(script=None, name='QM1', clock='manual'): the queue_manager of a test; script is MQSC "
    "text or a Path"
)

# With this message an error of MQSC begins the syntax of the command.
_SYNTAX = "\nAMQ8427I"


# Where the stores of a run that failed are kept, in the folder of pytest's cache.
_KEPT = "mqsc"
_suite: pytest.StashKey[ProgramSuite] = pytest.StashKey()
_failed: pytest.StashKey[bool] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare --mqsc and its settings."""
    group = parser.getgroup("mqsc", "programs for IBM MQ, without IBM MQ")
    group.addoption(
        "--mqsc",
        action="store_true",
        help="Let ibmmq and pymqi use a new store, in the tests and in programs that they start.",
    )
    parser.addini(
        "mqsc_qmgrs",
        "Queue managers of --mqsc, one a line: QM1 channel=NAME host=NAME(PORT) script=FILE.",
        type="linelist",
    )
    parser.addini(
        "mqsc_users",
        "Users whose passwords are checked, one a line: NAME PASSWORD [administrator].",
        type="linelist",
    )
    parser.addini(
        "mqsc_tls", "refuse (2393) clients that ask for TLS, or ignore it.", default="refuse"
    )
    parser.addini("mqsc_scope", "A new store for each session or test.", default="session")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Create the store of --mqsc, before the first conftest.py can import ibmmq or pymqi."""
    if not early_config.known_args_namespace.mqsc:
        return
    from mqsc.clients.connection_settings import SettingError
    from mqsc.testing.program_suites import ProgramSuite, suite_settings

    file = early_config.inipath
    try:
        settings = suite_settings(
            early_config.getini("mqsc_qmgrs"),
            early_config.getini("mqsc_users"),
            early_config.getini("mqsc_tls"),
            early_config.getini("mqsc_scope"),
            early_config.rootpath if file is None else file.parent,
        )
        early_config.stash[_suite] = ProgramSuite(settings)
    except SettingError as error:
        raise pytest.UsageError(f"--mqsc: {error}") from None
    # Also after a conftest.py that cannot be imported.
    early_config.add_cleanup(lambda: _end(early_config))


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", _MARKER)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say what ibmmq and pymqi use."""
    if _suite not in config.stash:
        return None
    settings = config.stash[_suite].settings
    names = ", ".join(each.known.name for each in settings.queue_managers)
    return f"mqsc: ibmmq and pymqi use {names} of a store for each {settings.scope}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """With mqsc_scope = test, a store for this test."""
    suite = item.config.stash.get(_suite, None)
    if suite is None or suite.settings.scope != "test":
        return (yield)
    before = item.session.testsfailed
    path = suite.begin_test(item.name)
    try:
        return (yield)
    finally:
        suite.end_test(path, keep=item.session.testsfailed > before)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep the stores if a test has failed."""
    session.config.stash[_failed] = bool(session.testsfailed)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter,
    config: pytest.Config,
) -> None:
    """Say where the stores of a run that failed are."""
    folder = _kept(config)
    if folder is not None:
        terminalreporter.write_line(f"mqsc: the stores of this run are in {folder}")


def _end(config: pytest.Config) -> None:
    """Remove the store of --mqsc, and let ibmmq and pymqi use what they would without."""
    folder = _kept(config)
    worker = getattr(config, "workerinput", {}).get("workerid", "")
    # The process that distributes the tests has run none.
    has_tests = bool(worker) or config.getoption("dist", "no") == "no"
    config.stash[_suite].end(folder / (worker or "main") if folder and has_tests else None)
    del config.stash[_suite]


def _kept(config: pytest.Config) -> Path | None:
    """The folder for the stores of a run that failed; None for one that passed, or without a
    cache.
    """
    cache = getattr(config, "cache", None)
    if cache is None or _suite not in config.stash or not config.stash.get(_failed, False):
        return None
    return Path(cache.mkdir(_KEPT))


@pytest.fixture
def mqsc_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A new store in a file of the test's temporary folder; MQSC_STORE names it for programs
    that the test starts.
    """
    from mqsc import open_store

    url = f"sqlite:///{tmp_path / 'mqsc.db'}"
    monkeypatch.setenv("MQSC_STORE", url)
    monkeypatch.delenv("MQSC_QMGR", raising=False)
    with open_store(url) as store:
        yield store


@pytest.fixture
def queue_manager(mqsc_store: Store, request: pytest.FixtureRequest) -> QueueManager:
    """A running queue manager of `mqsc_store`, QM1, with a clock that only `mqsc_clock` moves.

    The marker `mqsc` says what else: `@pytest.mark.mqsc(script="DEFINE QLOCAL(ORDERS)")`.
    """
    from mqsc import CommandError, MQError
    from mqsc.testing import made_queue_manager

    marker = request.node.get_closest_marker("mqsc")
    given = {} if marker is None else marker.kwargs
    unknown = sorted(given.keys() - {"script", "name", "clock"})
    try:
        if marker is not None and marker.args:
            raise TypeError("its arguments need names, such as script=")
        if unknown:
            raise TypeError(f"it takes script, name and clock, not {', '.join(unknown)}")
        return made_queue_manager(mqsc_store, **given)
    except OSError as error:
        why = f"{error.filename}: {error.strerror}"
    except (TypeError, ValueError, CommandError, MQError) as error:
        # The syntax of the command would hide what is wrong with it.
        why = str(error).partition(_SYNTAX)[0].rstrip()
    # Outside the `except`, so that pytest shows one error and not two.
    pytest.fail(f"@pytest.mark.mqsc: {why}", pytrace=False)


@pytest.fixture
def mqsc_clock(queue_manager: QueueManager) -> ManualClock:
    """The clock of `queue_manager`, which stands still until the test moves it."""
    from mqsc.testing import ManualClock

    return ManualClock(queue_manager)


@pytest.fixture
def mqsc_client(queue_manager: QueueManager, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lets ibmmq and pymqi use the store, in the test and in programs that it starts; import
    them inside the test.
    """
    from mqsc.testing.client_programs import FOLDER, client_variables, end_connections

    try:
        variables = client_variables(queue_manager)
    except RuntimeError as error:
        pytest.fail(str(error), pytrace=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(FOLDER)
    yield
    end_connections()
