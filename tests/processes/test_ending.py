"""A queue manager ends and starts, and connections are broken, while programs in other processes
are working.
"""

from __future__ import annotations

import pytest

from mqsc.store.admin.connection_status import connections, stop_connections
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQRC
from mqsc.store.error import MQError
from mqsc.store.message import Message
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import StartPlayer as Start
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import queue_row

BROKEN = "MQError: 2009 MQRC_CONNECTION_BROKEN (QM1)"


def refusal(qmgr: QueueManager) -> int:
    """Return the reason why a program cannot connect, or 0."""
    try:
        qmgr.connect().disconnect()
    except MQError as refused:
        return int(refused.reason)
    return 0


def has_open(qmgr: QueueManager, queue: str, handles: int = 1) -> None:
    """Wait until the queue has that many input handles: the other programs have begun their
    gets.
    """
    wait_until(lambda: queue_row(qmgr, queue).input_handles == handles)


def conn(qmgr: QueueManager, application: str) -> str:
    """Return the identifier of a program's connection for STOP CONN."""
    (found,) = (row["CONN"] for row in connections(qmgr) if row["APPLTAG"] == application)
    return str(found)


# The calls of a program in another process after its connection was broken, for whatever reason.
AFTER = (
    "A: put m => 2/2009\nA: get => 2/2009\nA: commit => 2/2009\nA: back => 2/2009\nA: open R "
    "output => 2/2009"
)


def test_stop_conn_breaks_one_connection_of_another_process(
    qmgr: QueueManager,
    program: Start,
) -> None:
    other = program()
    other.run("A: put m1 syncpoint\nA: get from R => 2/2033\nB: put m2 syncpoint")
    stop_connections(qmgr, conn(qmgr, "A"))
    other.run(AFTER)
    other.run("B: commit\nB: on Q => m2\nA: disconnect => 2/2009")
    assert [row["APPLTAG"] for row in connections(qmgr)] == ["B"]
    assert (queue_row(qmgr, "Q").depth, queue_row(qmgr, "R").input_handles) == (1, 0)


def test_stop_conn_ends_a_wait_in_another_process(
    play: Play,
    qmgr: QueueManager,
    program: Start,
) -> None:
    other = program()
    other.tell("A: get wait wait_interval=-1 => 2/2009")
    has_open(qmgr, "Q")
    stop_connections(qmgr, conn(qmgr, "A"))
    assert other.line() == "done"
    play.run("put m\nget => m")


def test_a_dynamic_queue_that_went_with_its_broken_connection(
    qmgr: QueueManager,
    program: Start,
) -> None:
    """2009, not 2052: the queue was deleted only because the connection is broken."""
    other = program()
    dynamic = (
        "DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)\n{who}: open TEMP input-shared output dynamic=D as D"
    )
    other.run(dynamic.format(who="A"))
    stop_connections(qmgr, conn(qmgr, "A"))
    other.run("A: put m on D => 2/2009\nA: get from D => 2/2009")
    other.run("B: open TEMP input-shared output dynamic=D as D")
    qmgr.end(immediate=True)
    other.run("B: put m on D => 2/2009\nB: get from D => 2/2009")
    qmgr.start()
    other.run("B: put m on D => 2/2009")


def test_a_controlled_end_waits_for_every_process(
    play: Play,
    qmgr: QueueManager,
    program: Start,
) -> None:
    one, other = program(), program()
    one.run("A: put m1 persistence=1\nA: get syncpoint => m1")
    other.tell("B: get wait fail-if-quiescing wait_interval=-1 => 2/2161")
    has_open(qmgr, "Q", 2)
    assert (qmgr.end(), other.line(), refusal(qmgr)) == ("QUIESCING", "done", MQRC.Q_MGR_QUIESCING)
    other.run(
        "C: put m => 2/2161\nB: put m fail-if-quiescing => 2/2161\nB: put m2 persistence=1\nB: "
        "disconnect",
    )
    assert qmgr.row().state == "QUIESCING"
    one.run("A: put m3 syncpoint persistence=1\nA: back\nA: disconnect")
    assert (qmgr.row().state, refusal(qmgr)) == ("ENDED", MQRC.Q_MGR_NOT_AVAILABLE)
    other.run("C: put m => 2/2059")
    qmgr.start()
    play.run("get => m1 bc=1\nget => m2")


def test_an_immediate_end_breaks_every_process(
    play: Play,
    qmgr: QueueManager,
    program: Start,
) -> None:
    one, other = program(), program()
    one.run("A: put m1 persistence=1\nA: get syncpoint => m1\nA: put m2 syncpoint persistence=1")
    other.tell("B: get wait wait_interval=-1 => 2/2009")
    has_open(qmgr, "Q", 2)
    assert (qmgr.end(immediate=True), other.line()) == ("ENDED", "done")
    one.run(AFTER)
    qmgr.start()
    one.run(AFTER)
    play.run("get => m1 bc=1\nget => 2/2033")
    one.run("C: put m4\nC: get => m4")


def test_an_immediate_end_hurries_a_controlled_one(qmgr: QueueManager, program: Start) -> None:
    other = program()
    other.run("A: put m1 syncpoint")
    assert (qmgr.end(), qmgr.end(), qmgr.end(immediate=True)) == ("QUIESCING", "QUIESCING", "ENDED")
    other.run("A: commit => 2/2009")


@rows("connects", "ends", "looks", "starts")
def test_a_program_that_is_killed_holds_up_no_end(
    play: Play,
    qmgr: QueueManager,
    program: Start,
    comes: str,
) -> None:
    """The next program to connect, end, list or start backs it out, which completes the end of
    the queue manager.
    """
    other = program()
    other.run("A: put m1 persistence=1\nA: get syncpoint => m1")
    assert qmgr.end() == "QUIESCING"
    other.kill()
    if comes == "connects":
        assert refusal(qmgr) == MQRC.Q_MGR_NOT_AVAILABLE
    elif comes == "ends":
        with pytest.raises(MQError) as ended:
            qmgr.end()
        assert ended.value.reason == MQRC.Q_MGR_NOT_AVAILABLE
    elif comes == "looks":
        assert [row.state for row in qmgr.store.queue_managers()] == ["ENDED"]
    assert qmgr.start()
    play.run("get => m1 bc=1")


SURVIVAL = """
    DEFINE QLOCAL(HIGH) NPMCLASS(HIGH)
    DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)
    DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)
    A: open PERM output dynamic=P as P
    A: open TEMP output dynamic=T as T
    A: put m1 on Q persistence=1
    A: put m2 on Q
    A: put m3 on HIGH
    A: put m4 on HIGH syncpoint
    A: put m5 on P persistence=1
    A: put m6 on P
    A: put m7 on T
    A: put m8 on Q persistence=1 syncpoint
    B: get from HIGH syncpoint => m3
"""


@rows(False, True)
def test_what_survives_an_end_and_a_start(
    play: Play,
    qmgr: QueueManager,
    program: Start,
    immediate: bool,
) -> None:
    """Persistent messages, all messages of NPMCLASS(HIGH) and permanent dynamic queues survive;
    open units do not.
    """
    other = program()
    other.run(SURVIVAL)
    qmgr.end(immediate=immediate)
    if not immediate:
        other.run("A: back\nA: disconnect\nB: back\nB: disconnect")
    assert qmgr.row().state == "ENDED"
    assert qmgr.start()
    play.run(
        "on Q => m1\non HIGH => m3\non P => m5\nget from HIGH => m3 bc=1\nopen T output => "
        "2/2085\ndepth Q => 1",
    )


def test_two_starts_at_once_are_one(qmgr: QueueManager, program: Start) -> None:
    """Messages put after the first start has completed are kept, and the second start breaks no
    connection.
    """
    both = [program(), program()]
    for run in range(2, 7):
        # So many that the start drops them in several transactions, between which the other start
        # can run.
        with qmgr.connect() as connection:
            connection.open("Q", MQOO.OUTPUT).put([Message(b"x")] * 2500)
        qmgr.end()
        for each in both:
            each.tell("start")
        assert ([each.line() for each in both], qmgr.row().run) == (["done", "done"], run)
