"""Consumers as processes, `mqsc consume` among them: killed, stopped by signals, and in
competition.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from signal import SIGINT, SIGTERM, pause

import pytest

import mqsc
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.message import GetMessageOptions, Message
from tests.mqsc.agents.scripts import TELL, WAIT, Scripts, wait_until
from tests.processes.conftest import Start
from tests.processes.consumer_driver import OBJECTS
from tests.processes.programs import Program, connected
from tests.rows import rows
from tests.scenarios.looking import curdepth, waiting_on
from tests.store.admin.looking import events, queue_row


def hold(url: str) -> None:
    message = connected(url).consumer("Q", wait=0).receive()
    print("nothing" if message is None else message.body.decode())
    pause()


def fail(url: str) -> None:

    def deliver(message: Message) -> None:
        raise ValueError

    connection = connected(url)
    print("ready")
    sys.stdin.readline()
    connection.consumer("Q", wait=500).listen(deliver, lambda message, error: None)


def put(qmgr: QueueManager, *names: str) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT).put([Message(name.encode()) for name in names])


def back_out(connection: Connection) -> None:
    queue = connection.open("Q", MQOO.INPUT_SHARED)
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    connection.back()
    queue.close()


def test_b35_killed_with_a_message(qmgr: QueueManager, start: Start) -> None:
    mqsc.run(qmgr, OBJECTS.format(1))
    put(qmgr, "m1")
    holding = start(hold)
    assert (holding.line(), waiting_on(qmgr, "Q")) == ("m1", [])
    holding.kill()
    assert qmgr.connect().consumer("Q", wait=0).receive() is None
    assert waiting_on(qmgr, "BOQ") == ["m1"]


def test_b36_killed_between_the_move_and_the_commit(qmgr: QueueManager, start: Start) -> None:
    mqsc.run(qmgr, OBJECTS.format(1))
    connection = qmgr.connect()
    put(qmgr, "m1")
    back_out(connection)
    put(qmgr, "m2")
    holding = start(hold)
    assert (holding.line(), curdepth(qmgr, "BOQ"), waiting_on(qmgr, "BOQ")) == ("m2", 1, [])
    holding.kill()
    qmgr.store.recover()
    assert (waiting_on(qmgr, "Q"), curdepth(qmgr, "BOQ")) == (["m1", "m2"], 0)
    assert events(qmgr.store, "REQUEUE") == []
    assert connection.consumer("Q", wait=0).receive() is None
    assert (waiting_on(qmgr, "Q"), waiting_on(qmgr, "BOQ")) == ([], ["m1", "m2"])


@rows(1, 2)
def test_b41_two_consumers_race(qmgr: QueueManager, start: Start, threshold: int) -> None:
    names = [f"m{number}" for number in range(30)]
    mqsc.run(qmgr, OBJECTS.format(threshold))
    put(qmgr, *names)
    racing = [start(fail) for _ in range(2)]
    assert [each.line() for each in racing] == ["ready"] * 2
    for each in racing:
        each.tell("go")
    assert [each.wait() for each in racing] == [0, 0]
    assert (sorted(waiting_on(qmgr, "BOQ")), waiting_on(qmgr, "Q")) == (sorted(names), [])
    moved, got = (
        Counter(each.msg_id for each in events(qmgr.store, kind)) for kind in ("REQUEUE", "GET")
    )
    assert set(moved.values()) == {1}
    assert {number - 1 for number in got.values()} <= {threshold, threshold + 1}


@pytest.fixture
def consuming(qmgr: QueueManager, command: Start, scripts: Scripts) -> Program:
    """`mqsc consume` whose program is processing the first of two messages; a third get would
    wait forever.
    """
    mqsc.run(qmgr, "DEFINE QLOCAL(Q) BOTHRESH(5)")
    put(qmgr, "m1", "m2")
    started = command(
        "consume",
        "Q",
        "--wait",
        "-1",
        "--",
        *scripts.make("wait.py", TELL + WAIT).split(),
    )
    wait_until(lambda: scripts.told)
    return started


def stop(consuming: Program, number: int) -> None:
    """Send a signal; return when it is no longer pending."""
    status = Path(f"/proc/{consuming.pid}/status")
    consuming.signal(number)
    wait_until(
        lambda: set(re.findall(r"(?m)^(?:SigPnd|ShdPnd):\s*0*(\w+)", status.read_text())) == {"0"},
    )


@rows(SIGTERM, SIGINT)
def test_one_signal_lets_the_program_end(
    qmgr: QueueManager,
    consuming: Program,
    scripts: Scripts,
    number: int,
) -> None:
    stop(consuming, number)
    scripts.let_through()
    code, _, said = consuming.rest()
    assert said.endswith("mqsc: Q: 1 processed\n")
    assert (code, waiting_on(qmgr, "Q")) == (0, ["m2"])


def test_the_second_signal_ends_the_program(qmgr: QueueManager, consuming: Program) -> None:
    stop(consuming, SIGTERM)
    stop(consuming, SIGINT)
    code, _, said = consuming.rest()
    assert said.endswith("mqsc: Q: 1 backed out\n")
    assert (code, waiting_on(qmgr, "Q")) == (0, ["m1", "m2"])


def test_a_signal_ends_a_wait(qmgr: QueueManager, consuming: Program, scripts: Scripts) -> None:
    scripts.let_through(2)
    wait_until(lambda: queue_row(qmgr, "Q").depth == 0 and len(scripts.told) == 2)
    consuming.signal(SIGTERM)
    assert consuming.wait() == 0


def test_a_killed_consumer_leaves_its_message(qmgr: QueueManager, consuming: Program) -> None:
    consuming.kill()
    qmgr.store.recover()
    with qmgr.connect() as connection:
        first = connection.open("Q", MQOO.BROWSE).get(GetMessageOptions(MQGMO.BROWSE_FIRST))
        assert (first.body, first.descriptor.backout_count) == (b"m1", 1)


def test_the_queue_manager_ends(qmgr: QueueManager, consuming: Program, scripts: Scripts) -> None:
    qmgr.end(immediate=True)
    scripts.let_through(2)
    code, _, said = consuming.rest()
    assert (code, said.splitlines()[0]) == (0, "mqsc: QM1 has ended")
    qmgr.start()


def test_the_queue_is_open_exclusively_elsewhere(qmgr: QueueManager, command: Start) -> None:
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
    qmgr.connect().open("Q", MQOO.INPUT_EXCLUSIVE)
    code, _, said = command("consume", "Q", "--", "cat").rest()
    assert code == 10
    assert said.startswith("mqsc: cannot consume Q: 2042 MQRC_OBJECT_IN_USE (Q)")
