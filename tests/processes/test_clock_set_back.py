"""The clock is set back, by a correction or by mistake: order is kept, nothing expires early, no
wait gets longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.admin.statistics import queue_status
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.sqlite.database import Reading
from tests.conftest import START
from tests.mqsc.agents.scripts import wait_until
from tests.processes.programs import Player
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

HOUR = 3_600_000_000
_TIMES = "SELECT at FROM event ORDER BY seq"
OBJECTS = "DEFINE QLOCAL(Q) MONQ(HIGH)\nDEFINE QLOCAL(R)"


@pytest.fixture
def store(url: str, environment: Environment[FrozenClock]) -> Iterator[Store]:
    with open_store(url, environment=environment) as opened:
        yield opened


@pytest.fixture
def clock(environment: Environment[FrozenClock]) -> FrozenClock:
    return environment.clock


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    play = Play(qmgr)
    play.run(OBJECTS)
    return play


@rows(1, HOUR, 1000 * HOUR)
def test_messages_keep_their_order_and_time(
    play: Play,
    qmgr: QueueManager,
    clock: FrozenClock,
    back: int,
) -> None:
    play.run("put m1 expiry=100\nput m2 priority=9")
    clock.set(START - back)
    play.run("put m3 expiry=100\nput m4 persistence=1 syncpoint\ncommit")
    assert [(scan.queue, scan.discarded) for scan in refresh_expiry(qmgr, "Q")] == [("Q", 0)]
    play.run("on Q => m2 m1 m3 m4\nget browse-first => m2\nget browse-next => m1 expiry=100")
    clock.set(START - back + 10_000_000)
    play.run(
        "get => m2\nget => m1\nget => m4\nget => 2/2033\nhistory EXPIRE Q => get\ndepth Q => 0",
    )


def test_no_age_is_negative(play: Play, qmgr: QueueManager, clock: FrozenClock) -> None:
    play.run("put m1\nput m2 syncpoint\nget => m1\nput m3")
    clock.set(START - HOUR)
    (row,) = queue_status(qmgr, "Q")
    assert row["MSGAGE"] == 0
    play.run("get => m3")


def test_the_history_is_in_the_order_of_what_happened(
    play: Play,
    qmgr: QueueManager,
    clock: FrozenClock,
) -> None:
    play.run("put m1")
    clock.set(START - HOUR)
    play.run("get => m1\nput m2")
    with Reading(qmgr.store.database) as reading:
        told = [at for (at,) in reading.all(_TIMES)]
    assert told == sorted(told, reverse=True)
    assert {START, START - HOUR} == set(told)


def test_an_end_and_a_start(play: Play, qmgr: QueueManager, clock: FrozenClock) -> None:
    play.run("put m1 persistence=1\nput m2 persistence=1 expiry=100\nget syncpoint => m1")
    clock.set(START - HOUR)
    play.run("restart\non Q => m1 m2\nget => m1 bc=1")


def advanced(qmgr: QueueManager) -> bool:
    qmgr.advance_clock(1_000_000)
    return True


def test_a_wait_in_another_process_grows_no_longer(tmp_path: Path) -> None:
    """The wait ends after ten seconds of the queue manager's clock, although that was set back
    in between.
    """
    url = f"sqlite:///{tmp_path / 'manual.db'}"
    with open_store(url) as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        Play(qmgr).run(OBJECTS)
        with Player(url) as other:
            other.tell("get wait wait_interval=10000 => 2/2033")
            other.tell("disconnect")
            wait_until(lambda: queue_row(qmgr, "Q").input_handles == 1)
            qmgr.set_clock(START - HOUR)
            wait_until(lambda: advanced(qmgr) and queue_row(qmgr, "Q").input_handles == 0)
            assert (other.line(), other.line()) == ("done", "done")
