"""What every call checks first: the connection, a quiescing queue manager, and the size of the unit of work."""

from __future__ import annotations

import pytest

from store.admin.altering import change_queue_manager
from store.admin.connection_status import connections
from store.admin.defining import create
from store.admin.stop import stop_connections
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO, MQRC
from store.error import MQError
from tests.scenarios.play import Play
from tests.store.mqi.calls import CALLS, FOR_ALL_CALLS, Call, reason_of


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_m1_8_a_connection_that_the_queue_manager_broke_is_2009(qmgr: QueueManager, call: Call) -> None:
    connection = qmgr.connect()
    handle = connection.open("Q", FOR_ALL_CALLS)
    qmgr.end(immediate=True)
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN

    qmgr.start()
    assert reason_of(lambda: call(connection, handle)) == MQRC.CONNECTION_BROKEN


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    return Play(qmgr)


def test_m1_8_a_connection_that_a_command_stopped_is_2009_and_others_go_on(qmgr: QueueManager, play: Play) -> None:
    play.run("put m1\nB: put m2")
    identifiers = {row["APPLTAG"]: row["CONN"] for row in connections(qmgr)}
    stop_connections(qmgr, identifiers["A"])
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


def test_a_unit_of_work_holds_maxumsgs_messages_put_or_got(play: Play) -> None:
    play.run("""
        ALTER QMGR MAXUMSGS(2)
        put m1 m2
        get syncpoint => m1
        put m3 syncpoint
        put m4 syncpoint => 2/2024
        get syncpoint => 2/2024
        put m5
        commit
        put m6 syncpoint
        back
        depth Q => 3
    """)


def test_messages_that_a_put_causes_count_too(qmgr: QueueManager, play: Play) -> None:
    """Whether the limit is exceeded is known only after these messages were made; the put then has no effect."""
    create(qmgr, KINDS["QLOCAL"], "R", {})
    change_queue_manager(qmgr, {"MAXUMSGS": 3})
    play.run("""
        put m1 syncpoint report=COA reply_to_q=R
        put m2 syncpoint report=COA reply_to_q=R => 2/2024
        depth Q => 1
        depth R => 1
        put m3 syncpoint
        commit
        depth Q => 2
    """)


def test_a_quiescing_queue_manager_is_named_in_the_error(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        qmgr.end()
        with pytest.raises(MQError) as refused:
            connection.open("Q", FOR_ALL_CALLS | MQOO.FAIL_IF_QUIESCING)
    assert (refused.value.reason, refused.value.object_name) == (MQRC.Q_MGR_QUIESCING, "QM1")
