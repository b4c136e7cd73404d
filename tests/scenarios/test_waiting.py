"""Waiting gets (M4.3), also with two stores open on one file, as in two processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.client.api import QueueManager, open_store
from store.constants import MQGMO, MQRC
from store.environment import Environment
from tests.scenarios.play import Play
from tests.scenarios.waiting import PauseCountingClock, Waiter, registered, waiting_in

OBJECTS = "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)\nDEFINE QALIAS(AL) TARGET(Q)\n"


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    """Programs that use the first store."""
    play = Play(qmgr)
    play.run(OBJECTS)
    return play


@pytest.fixture
def second_store(play: Play, tmp_path: Path, environment: Environment[PauseCountingClock]) -> Iterator[Play]:
    """Programs that use a second store on the same file."""
    with open_store(f"sqlite:///{tmp_path / 'test.db'}", environment=environment) as opened:
        yield Play(opened.queue_manager("QM1"))


def test_m4_3_a_get_without_wait_returns_immediately(play: Play) -> None:
    play.run("get => 2/2033\nget wait_interval=-1 => 2/2033\nget wait wait_interval=0 => 2/2033")


# (what happens while a get waits for any message on Q, the outcome of the get)
ENDS = [
    ("M4.3 put", "put m", b"m"),
    ("M4.3 put under syncpoint and committed", "put m syncpoint\ncommit", b"m"),
    ("M4.3 disconnected", "put m syncpoint\ndisconnect", b"m"),
    ("M4.3 GET(DISABLED)", "ALTER QLOCAL(Q) GET(DISABLED)", MQRC.GET_INHIBITED),
    ("M4.3 GET(DISABLED) by MQSET", "set Q INHIBIT_GET=1", MQRC.GET_INHIBITED),
    (
        "M4.3 GET(DISABLED) though there is a message",
        "put m syncpoint\nset Q INHIBIT_GET=1\ncommit",
        MQRC.GET_INHIBITED,
    ),
    ("M4.3 the queue manager ends", "broken", MQRC.CONNECTION_BROKEN),
    ("M4.5 changed with FORCE", "ALTER QLOCAL(Q) USAGE(XMITQ) FORCE", MQRC.OBJECT_CHANGED),
]


@pytest.mark.parametrize(("row", "happening", "ended"), ENDS, ids=[row for row, *_ in ENDS])
def test_what_ends_a_wait(
    play: Play, second_store: Play, clock: PauseCountingClock, row: str, happening: str, ended: bytes | int
) -> None:
    waiter = Waiter(play.qmgr)
    clock.wait_for_a_search()

    second_store.run(happening)
    assert waiter.outcome() == ended


# What happens while a get waits, without ending the wait.
KEEPS_WAITING = [
    ("M4.3 an uncommitted put", "put m syncpoint"),
    ("M4.3 a put that is backed out", "put m syncpoint\nback"),
    ("M4.3 a message for another queue", "put m on R"),
    ("M4.3 a message that expires before its commit", "put m syncpoint expiry=1\nadvance 1\ncommit"),
    ("M4.3 quiescing, without FAIL_IF_QUIESCING", "put before on R\nend"),
    ("M4.3 years", "advance 315576000"),
    ("M4.3 the clock goes back", "advance 5\nback_to_the_start"),
]


@pytest.mark.parametrize(("row", "happening"), KEEPS_WAITING, ids=[row for row, _ in KEEPS_WAITING])
def test_what_does_not_end_a_wait(
    play: Play, second_store: Play, clock: PauseCountingClock, row: str, happening: str
) -> None:
    start = clock.now()
    waiter = Waiter(play.qmgr)
    clock.wait_for_a_search()

    second_store.run(happening.removesuffix("back_to_the_start"))
    if happening.endswith("back_to_the_start"):
        clock.set(start)
    clock.wait_for_a_search()
    assert waiter.is_waiting
    second_store.run("put last priority=0")
    assert waiter.outcome() == b"last"


@pytest.mark.parametrize("elapsed", [(10.0,), (3.0, 7.0), (9.999999, 0.000001)])
def test_m4_3_a_wait_ends_after_its_interval(play: Play, clock: PauseCountingClock, elapsed: tuple[float, ...]) -> None:
    waiter = Waiter(play.qmgr, wait_interval=10_000)
    for seconds in elapsed:
        clock.wait_for_a_search()
        assert waiter.is_waiting
        clock.advance(seconds)

    assert waiter.outcome() == MQRC.NO_MSG_AVAILABLE


def test_m4_3_quiescing_ends_a_wait_with_fail_if_quiescing(play: Play, clock: PauseCountingClock) -> None:
    waiter = Waiter(play.qmgr, options=MQGMO.FAIL_IF_QUIESCING)
    clock.wait_for_a_search()
    play.qmgr.end()

    assert waiter.outcome() == MQRC.Q_MGR_QUIESCING


@pytest.mark.parametrize(
    ("row", "before", "happening"),
    [
        ("a get is backed out", "put m\nget syncpoint => m", "back"),
        ("its program dies", "put m\nget syncpoint => m", "abend"),
        ("a lock is released", "put m\nget browse-first lock => m", "get unlock"),
        ("the holder of the lock disconnects", "put m\nget browse-first lock => m", "disconnect"),
    ],
)
def test_m4_3_a_message_that_becomes_available_again_ends_a_wait(
    play: Play, second_store: Play, clock: PauseCountingClock, row: str, before: str, happening: str
) -> None:
    second_store.run(before)
    waiter = Waiter(play.qmgr)
    clock.wait_for_a_search()

    second_store.run(happening)
    assert waiter.outcome() == b"m"


def test_m4_3_a_wait_for_one_message_ignores_others(play: Play, clock: PauseCountingClock) -> None:
    waiter = Waiter(play.qmgr, correl_id=b"wanted")
    clock.wait_for_a_search()
    play.run("put other\nput another correl_id=unwanted")
    clock.wait_for_a_search()
    assert waiter.is_waiting

    play.run("put m correl_id=wanted")
    assert waiter.outcome() == b"m"
    play.run("on Q => other another")


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
    play: Play, second_store: Play, clock: PauseCountingClock, ids: dict[str, bytes], put: str, selective_first: bool
) -> None:
    selective = [Waiter(play.qmgr, ids=ids)] if selective_first else []
    general = [Waiter(each.qmgr) for each in (play, second_store, play)]
    clock.wait_for_a_search()
    selective = selective or [Waiter(second_store.qmgr, ids=ids)]
    while not registered(play.qmgr) or waiting_in(play.qmgr) + waiting_in(second_store.qmgr) < 4:
        clock.wait_for_a_search()

    second_store.run(put)
    assert selective[0].outcome() == b"m"
    assert all(waiter.is_waiting for waiter in general)
    play.run("put m1 m2 m3")
    assert sorted(str(waiter.outcome()) for waiter in general) == ["b'm1'", "b'm2'", "b'm3'"]


def test_m4_3_a_get_of_any_message_takes_messages_that_no_get_by_id_waits_for(
    play: Play, clock: PauseCountingClock
) -> None:
    selective, general = Waiter(play.qmgr, correl_id=b"C"), Waiter(play.qmgr)
    while not registered(play.qmgr) or waiting_in(play.qmgr) < 2:
        clock.wait_for_a_search()
    play.run("put m correl_id=D")

    assert general.outcome() == b"m"
    assert selective.is_waiting
    play.run("put n correl_id=C")
    assert selective.outcome() == b"n"


def test_m4_3_waiting_while_browsing(play: Play, clock: PauseCountingClock) -> None:
    waiters = [Waiter(play.qmgr, options=MQGMO.BROWSE_FIRST) for _ in range(2)]
    clock.wait_for_a_search()
    play.run("put m")

    assert [waiter.outcome() for waiter in waiters] == [b"m", b"m"]
    play.run("on Q => m")


def test_m4_3_the_expiry_of_a_browse_mark_ends_a_wait(play: Play, clock: PauseCountingClock) -> None:
    play.run("put m\nget browse-first mark-browse-co-op => m")
    waiter = Waiter(play.qmgr, options=MQGMO.BROWSE_FIRST | MQGMO.UNMARKED_BROWSE_MSG, wait_interval=20_000)
    clock.wait_for_a_search()
    clock.advance(4.9)
    clock.wait_for_a_search()
    assert waiter.is_waiting
    clock.advance(0.1)

    assert waiter.outcome() == b"m"


def test_m4_3_one_message_ends_one_wait(play: Play, clock: PauseCountingClock) -> None:
    waiters = [Waiter(play.qmgr, wait_interval=10_000) for _ in range(3)]
    clock.wait_for_a_search()
    play.run("put m1 m2")
    while sum(waiter.is_waiting for waiter in waiters) > 1:
        clock.wait_for_a_search()
    clock.advance(10)

    assert sorted(str(waiter.outcome()) for waiter in waiters) == ["2033", "b'm1'", "b'm2'"]


def test_m4_5_a_wait_for_the_next_message_of_a_group(play: Play, clock: PauseCountingClock) -> None:
    play.run("put a1 flags=MSG_IN_GROUP logical-order")
    waiter = Waiter(play.qmgr, options=MQGMO.LOGICAL_ORDER, gets=2)
    clock.wait_for_a_search()
    play.run("B: put single\nput a2 flags=LAST_MSG_IN_GROUP logical-order")

    assert waiter.outcome() == b"a2"
    play.run("on Q => single")


TWO_STORES = [
    ("exclusive input applies across stores", "open Q input-exclusive", "open Q input-shared => 2/2042", ""),
    (
        "an uncommitted message is invisible to others",
        "put m syncpoint",
        "get => 2/2033\ndepth Q => 1",
        "back\ndepth Q => 0",
    ),
    ("a lock holds", "put m\nget browse-first lock => m", "get => 2/2033", "get unlock"),
    ("changed attributes apply immediately", "put m", "ALTER QLOCAL(Q) PUT(DISABLED)", "put n => 2/2051"),
    (
        "a message got under syncpoint is invisible to others",
        "put m\nget syncpoint => m",
        "get => 2/2033\ndepth Q => 0",
        "back\nget => m bc=1",
    ),
    ("depth is one number", "ALTER QLOCAL(Q) MAXDEPTH(2)\nput m", "put n\nput o => 2/2053", "put p => 2/2053"),
    ("the queue manager ends for both", "put m", "broken", "put n => 2/2009"),
]


@pytest.mark.parametrize(("name", "here", "there", "again"), TWO_STORES, ids=[name for name, *_ in TWO_STORES])
def test_two_stores_on_one_file(play: Play, second_store: Play, name: str, here: str, there: str, again: str) -> None:
    play.run(here)
    second_store.run(there)
    play.run(again)
