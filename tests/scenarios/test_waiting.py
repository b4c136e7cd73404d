"""Waiting gets and which of them receives a message (M4.3), also with two stores on one file, as
in two processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment
from tests.scenarios.pages import page
from tests.scenarios.waiting import PauseCountingClock, Waiter, WaitingPlay, registered, waiting_in


@pytest.fixture
def play(
    qmgr: QueueManager,
    tmp_path: Path,
    environment: Environment[PauseCountingClock],
    clock: PauseCountingClock,
) -> Iterator[WaitingPlay]:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)", check=True)
    with open_store(f"sqlite:///{tmp_path / 'test.db'}", environment=environment) as opened:
        yield WaitingPlay(qmgr, opened.queue_manager("QM1"), clock)


@pytest.mark.parametrize("scenario", page("waiting"))
def test_waiting(play: WaitingPlay, scenario: str) -> None:
    play.run(scenario)


# (identifiers that a get waits for, put of the matching message)
SELECTIVE: list[tuple[dict[str, bytes], str]] = [
    ({"correl_id": b"C"}, "put m correl_id=C"),
    ({"msg_id": b"M"}, "put m msg_id=M"),
    ({"msg_id": b"M", "correl_id": b"C"}, "put m msg_id=M correl_id=C"),
    ({"group_id": b"G"}, "put m flags=LAST_MSG_IN_GROUP group_id=G"),
]


@pytest.mark.parametrize(("ids", "put"), SELECTIVE, ids=[put for _, put in SELECTIVE])
@pytest.mark.parametrize("selective_first", [True, False])
def test_m4_3_a_get_by_id_has_precedence_over_a_get_of_any_message(
    play: WaitingPlay,
    clock: PauseCountingClock,
    ids: dict[str, bytes],
    put: str,
    selective_first: bool,
) -> None:
    there = play.managers["THERE"]
    selective = [Waiter(play.qmgr, ids=ids)] if selective_first else []
    general = [Waiter(each) for each in (play.qmgr, there, play.qmgr)]
    clock.wait_for_a_search()
    selective = selective or [Waiter(there, ids=ids)]
    while not registered(play.qmgr) or waiting_in(play.qmgr) + waiting_in(there) < 4:
        clock.wait_for_a_search()

    play.run(f"THERE: {put}")
    assert selective[0].outcome() == b"m"
    assert all(waiter.is_waiting for waiter in general)
    play.run("put m1 m2 m3")
    assert sorted(str(waiter.outcome()) for waiter in general) == ["b'm1'", "b'm2'", "b'm3'"]


def test_m4_3_a_get_of_any_message_takes_messages_that_no_get_by_id_waits_for(
    play: WaitingPlay,
    clock: PauseCountingClock,
) -> None:
    selective, general = Waiter(play.qmgr, correl_id=b"C"), Waiter(play.qmgr)
    while not registered(play.qmgr) or waiting_in(play.qmgr) < 2:
        clock.wait_for_a_search()
    play.run("put m correl_id=D")

    assert general.outcome() == b"m"
    assert selective.is_waiting
    play.run("put n correl_id=C")
    assert selective.outcome() == b"n"


def test_m4_3_one_message_ends_one_wait(play: WaitingPlay, clock: PauseCountingClock) -> None:
    waiters = [Waiter(play.qmgr, wait_interval=10_000) for _ in range(3)]
    clock.wait_for_a_search()
    play.run("put m1 m2")
    while sum(waiter.is_waiting for waiter in waiters) > 1:
        clock.wait_for_a_search()
    clock.advance(10)

    assert sorted(str(waiter.outcome()) for waiter in waiters) == ["2033", "b'm1'", "b'm2'"]
