"""How long a get waits; waits across threads and programs are in tests/scenarios/test_waiting.py."""

from __future__ import annotations

import pytest

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import ObjectHandle, QueueManager
from store.constants import MQGMO, MQOO, MQRC
from store.engine.state import NEVER
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import GetMessageOptions, Message
from store.mqi.message_choice import UNLIMITED, GetWait
from tests.store.tables import rows


@pytest.fixture
def handle(qmgr: QueueManager) -> ObjectHandle:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr.connect().open("Q", MQOO.INPUT_SHARED)


def waiting(interval: int) -> GetMessageOptions:
    return GetMessageOptions(MQGMO.WAIT, wait_interval=interval)


# (interval in milliseconds, seconds that pass between searches, whether the wait continues after each)
@rows(
    (0, [0.0], [False]),
    (1000, [0.999, 0.001], [True, False]),
    (1000, [0.5, 0.5, 9], [True, False, False]),
    (1000, [-60, 0.999, 0.001], [True, True, False]),
    (UNLIMITED, [1e6, 1e6], [True, True]),
)
def test_a_wait_lasts_for_its_interval_on_the_queue_managers_clock(
    handle: ObjectHandle, environment: Environment[FrozenClock], interval: int, passes: list[float], goes_on: list[bool]
) -> None:
    """Setting the clock back does not make a wait longer."""
    wait = GetWait(handle, waiting(interval))
    # The interval begins with the first search.
    assert not interval or wait.goes_on(NEVER)
    found = []
    for seconds in passes:
        environment.clock.set(environment.clock.now() + round(seconds * 1_000_000))
        found.append(wait.goes_on(NEVER))
    assert found == goes_on


def test_a_change_of_the_store_ends_a_look(qmgr: QueueManager, handle: ObjectHandle) -> None:
    wait, seen = GetWait(handle, waiting(UNLIMITED)), qmgr.store.database.data_version()
    with qmgr.connect() as program:
        program.put1("Q", Message(b"x"))
    assert wait.goes_on(seen)


def test_work_of_dead_programs_is_recovered_before_time_is_up(qmgr: QueueManager, handle: ObjectHandle) -> None:
    wait = GetWait(handle, waiting(0))
    qmgr.store.abandoned.append(qmgr.connect().number)
    assert wait.goes_on(NEVER)
    assert not wait.goes_on(NEVER)


def test_a_wait_ends_with_its_queue_manager(qmgr: QueueManager, handle: ObjectHandle) -> None:
    wait = GetWait(handle, waiting(UNLIMITED))
    qmgr.end(immediate=True)
    with pytest.raises(MQError) as broken:
        wait.goes_on(NEVER)
    assert broken.value.reason == MQRC.CONNECTION_BROKEN
