"""Consumers as processes: killed, and competing for the same messages."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

import mqsc
from store.client.api import Connection, QueueManager
from store.constants import MQGMO, MQOO
from store.message import GetMessageOptions, Message
from tests.processes.programs import PATIENCE_SECONDS
from tests.scenarios.looking import curdepth, waiting_on
from tests.source import ROOT
from tests.store.admin.looking import Happened, events

KILLS = int(os.environ.get("MQSC_CONSUMER_KILLS", "150"))
OBJECTS = """
DEFINE QLOCAL(Q) BOTHRESH({}) BOQNAME(BOQ) MAXDEPTH(1000000)
DEFINE QLOCAL(BOQ) MAXDEPTH(1000000)
DEFINE QLOCAL(OUT) MAXDEPTH(1000000)
"""
HOLD = """
import signal, sys, mqsc
connection = mqsc.open_store(sys.argv[1]).queue_manager("QM1").connect("held")
message = connection.consumer("Q", wait=0).receive()
print("nothing" if message is None else message.body.decode(), flush=True)
while True:
    signal.pause()
"""
FAIL = """
import sys, mqsc
connection = mqsc.open_store(sys.argv[1]).queue_manager("QM1").connect("racing")
def deliver(message):
    raise ValueError
print("ready", flush=True)
sys.stdin.readline()
connection.consumer("Q", wait=500).listen(deliver, lambda message, error: None)
"""


@contextmanager
def process(text: str, url: str) -> Iterator[subprocess.Popen[str]]:
    """Run a Python program given as text; leaving the block kills it."""
    command = [sys.executable, "-c", text, url]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as started:
        try:
            yield started
        finally:
            started.kill()


def said(started: subprocess.Popen[str]) -> str:
    assert started.stdout is not None
    return started.stdout.readline().strip()


def put(qmgr: QueueManager, *names: str) -> None:
    with qmgr.connect() as connection:
        connection.open("Q", MQOO.OUTPUT).put([Message(name.encode()) for name in names])


def back_out(connection: Connection) -> None:
    """Back out the first message once."""
    queue = connection.open("Q", MQOO.INPUT_SHARED)
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    connection.back()
    queue.close()


def test_b35_killed_with_a_message(qmgr: QueueManager, url: str) -> None:
    mqsc.run(qmgr, OBJECTS.format(1))
    put(qmgr, "m1")
    with process(HOLD, url) as holding:
        assert said(holding) == "m1"
        assert waiting_on(qmgr, "Q") == []
    consumer = qmgr.connect().consumer("Q", wait=0)
    assert consumer.receive() is None
    assert waiting_on(qmgr, "BOQ") == ["m1"]


def test_b36_killed_between_the_move_and_the_commit(qmgr: QueueManager, url: str) -> None:
    mqsc.run(qmgr, OBJECTS.format(1))
    connection = qmgr.connect()
    put(qmgr, "m1")
    back_out(connection)
    put(qmgr, "m2")
    with process(HOLD, url) as holding:
        assert said(holding) == "m2"
        assert (curdepth(qmgr, "BOQ"), waiting_on(qmgr, "BOQ")) == (1, [])
    qmgr.store.recover()
    assert (waiting_on(qmgr, "Q"), curdepth(qmgr, "BOQ")) == (["m1", "m2"], 0)
    assert events(qmgr.store, "REQUEUE") == []
    assert connection.consumer("Q", wait=0).receive() is None
    assert (waiting_on(qmgr, "Q"), waiting_on(qmgr, "BOQ")) == ([], ["m1", "m2"])


@pytest.mark.parametrize("threshold", [1, 2])
def test_b41_two_consumers_race(qmgr: QueueManager, url: str, threshold: int) -> None:
    names = [f"m{number}" for number in range(30)]
    mqsc.run(qmgr, OBJECTS.format(threshold))
    put(qmgr, *names)
    with ExitStack() as started:
        racing = [started.enter_context(process(FAIL, url)) for _ in range(2)]
        assert [said(each) for each in racing] == ["ready"] * 2
        for each in racing:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        assert [each.wait(PATIENCE_SECONDS) for each in racing] == [0, 0]

    assert sorted(waiting_on(qmgr, "BOQ")) == sorted(names)
    assert waiting_on(qmgr, "Q") == []
    moved = Counter(each.msg_id for each in events(qmgr.store, "REQUEUE"))
    assert set(moved.values()) == {1}
    got = Counter(each.msg_id for each in events(qmgr.store, "GET"))
    deliveries = {number - 1 for number in got.values()}
    assert deliveries <= {threshold, threshold + 1}


@pytest.mark.long
def test_consumers_are_killed(qmgr: QueueManager, url: str, record_property: Callable[[str, object], None]) -> None:
    """Kills MQSC_CONSUMER_KILLS consumers."""
    mqsc.run(qmgr, OBJECTS.format(3))
    names = [f"{'bad' if number % 7 == 0 else 'good'}{number}" for number in range(20 * KILLS)]
    put(qmgr, *names)
    seed = int(os.environ.get("MQSC_CONSUMER_SEED", "14"))
    print(f"MQSC_CONSUMER_SEED={seed}")
    command = [sys.executable, "-m", "tests.processes.consumer_driver", url, str(KILLS), str(seed)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=PATIENCE_SECONDS + 2 * KILLS)
    qmgr.store.recover()

    done, moved = waiting_on(qmgr, "OUT"), waiting_on(qmgr, "BOQ")
    assert sorted(done + moved) == sorted(names)
    assert {name for name in names if name.startswith("bad")} <= set(moved)
    assert [curdepth(qmgr, queue) for queue in ("Q", "OUT", "BOQ")] == [0, len(done), len(moved)]
    # Each move is recorded once, with the number of times the message was got and backed out before.
    requeued = events(qmgr.store, "REQUEUE")
    gets = Counter(each.msg_id for each in events(qmgr.store, "GET"))
    assert len(requeued) == len(moved)
    assert [_backouts(each) for each in requeued] == [gets[each.msg_id] - 1 for each in requeued]
    record_property("moved", len(moved))


def _backouts(moved: Happened) -> int:
    return int(moved.detail["backout_count"])
