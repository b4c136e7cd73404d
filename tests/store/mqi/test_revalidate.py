"""A call finds its connection as it is now, and an open handle notices what has changed since its last call."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.admin.defining import create
from store.admin.status import connections, stop_connections
from store.catalog import KINDS
from store.client.api import QueueManager, open_store
from store.constants import MQOO, MQRC
from store.error import MQError
from tests.conftest import START
from tests.scenarios.play import Play
from tests.store.mqi.calls import CALLS, FOR_ALL_CALLS, Call, reason_of

OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(R)
    DEFINE QALIAS(AL) TARGET(Q)
    DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)
    put m0
    put a0 on AL
"""
SCENARIOS = {
    "attributes": """
        ALTER QLOCAL(Q) DEFPRTY(7)
        put m1
        get => m1 priority=7
        ALTER QLOCAL(Q) PUT(DISABLED)
        put m2 => 2/2051
        put a2 on AL => 2/2051
        ALTER QLOCAL(Q) PUT(ENABLED)
        ALTER QALIAS(AL) PUT(DISABLED)
        put m2
        put a2 on AL => 2/2051
    """,
    "depth and room": """
        ALTER QLOCAL(Q) MAXDEPTH(3)
        B: put m1
        put m2 => 2/2053
        get => m0
        put m2
    """,
    "a change with FORCE": """
        ALTER QALIAS(AL) TARGET(R) FORCE
        put a1 on AL => 2/2041
        put m1
        ALTER QLOCAL(Q) USAGE(XMITQ) FORCE
        put m1 => 2/2041
    """,
    "a deleted queue": """
        open PERM output dynamic=D as D
        B: open D output as D
        B: close D delete
        put m on D => 2/2052
    """,
    "a queue manager that ended": """
        broken
        put m => 2/2009
    """,
    "MAXUMSGS of the queue manager": """
        ALTER QMGR MAXUMSGS(1)
        put m1 syncpoint
        put m2 syncpoint => 2/2024
    """,
    "a quiescing queue manager": """
        end
        put m1
        put m2 fail-if-quiescing => 2/2161
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_what_a_handle_notices(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run(OBJECTS + text)


def test_a_manual_clock_that_another_program_moved_counts_at_once(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'manual.db'}") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        play = Play(qmgr)
        play.run(OBJECTS + "put e expiry=10 on R\nput f expiry=20 on R")
        with open_store(f"sqlite:///{store.path}") as program:
            program.queue_manager("QM1").advance_clock(1_000_000)
        play.run("get from R => f expiry=10")


@pytest.fixture
def with_queue(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.fixture
def play(with_queue: QueueManager) -> Play:
    return Play(with_queue)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_m1_8_a_connection_that_the_queue_manager_broke_is_2009(with_queue: QueueManager, call: Call) -> None:
    connection = with_queue.connect()
    handle = connection.open("Q", FOR_ALL_CALLS)
    with_queue.end(immediate=True)
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN

    with_queue.start()
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN


def test_m1_8_a_connection_that_a_command_stopped_is_2009_and_others_go_on(
    with_queue: QueueManager, play: Play
) -> None:
    play.run("put m1\nB: put m2")
    identifiers = {row["APPLTAG"]: row["CONN"] for row in connections(with_queue)}
    stop_connections(with_queue, identifiers["A"])
    play.run("put m3 => 2/2009\nget => 2/2009\nB: put m4")


def test_calls_fail_while_quiescing_only_if_they_ask_to(play: Play) -> None:
    play.run("""
        put m1
        B: put m2
        end
        put m3
        put m4 fail-if-quiescing => 2/2161
        put1 m4 fail-if-quiescing => 2/2161
        get fail-if-quiescing => 2/2161
        open Q output fail-if-quiescing => 2/2161
        get => m1
    """)


def test_a_quiescing_queue_manager_is_named_in_the_error(with_queue: QueueManager) -> None:
    with with_queue.connect() as connection:
        with_queue.end()
        with pytest.raises(MQError) as refused:
            connection.open("Q", FOR_ALL_CALLS | MQOO.FAIL_IF_QUIESCING)
    assert (refused.value.reason, refused.value.object_name) == (MQRC.Q_MGR_QUIESCING, "QM1")
