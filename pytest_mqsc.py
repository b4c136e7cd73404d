"""A pytest plugin: a store, a queue manager and its clock for each test that asks for them
(docs/testing.md).

pytest imports this module in every project where mqsc is installed, so it imports nothing but
pytest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mqsc import QueueManager, Store
    from mqsc.testing import ManualClock

_MARKER = (
    "mqsc(script=None, name='QM1', clock='manual'): the queue_manager of a test; script is MQSC "
    "text or a Path"
)

# With this message an error of MQSC begins the syntax of the command.
_SYNTAX = "\nAMQ8427I"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", _MARKER)


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
