"""Channel initiators as processes, runmqchi and mqsc serve: signals, ends, and kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from mqsc import run
from store.admin.channel import status as channel_status
from store.admin.channel.commands import initiators
from store.client.api import QueueManager, Store, open_store
from store.constants import MQCHS, MQGMO, MQOO, MQPER
from store.descriptor import MessageDescriptor
from store.message import GetMessageOptions, Message
from tests.processes.programs import PATIENCE_SECONDS

# A channel whose program was killed is retried after a second; by default after a minute.
AT_QM1 = """DEFINE QLOCAL(X) USAGE(XMITQ)
DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2)') XMITQ(X) SHORTTMR(1)
"""
TRIGGERED = "ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)"
Started = subprocess.Popen[str]
StartProgram = Callable[..., Started]


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    """QM1 with a channel to QM2."""
    made = store.create_queue_manager("QM1")
    other = store.create_queue_manager("QM2")
    run(made, AT_QM1)
    run(other, "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)")
    return made


@pytest.fixture
def start(url: str) -> Iterator[StartProgram]:
    """Starts `mqsc`; kills the processes at the end of the test."""
    with ExitStack() as stack:

        def started(*arguments: str) -> Started:
            made = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "mqsc", *arguments],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    env={**os.environ, "MQSC_STORE": url, "MQSC_QMGR": ""},
                )
            )
            stack.callback(made.kill)
            return made

        yield started


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def status(qmgr: QueueManager) -> MQCHS:
    found = (each.status for each in channel_status.instances(qmgr, "C") if not each.partner)
    return next(found, MQCHS.INACTIVE)


def is_read(qmgr: QueueManager) -> bool:
    return bool(initiators(qmgr))


def put(qmgr: QueueManager, text: str) -> None:
    with qmgr.connect("app") as connection:
        connection.put1("RQ", Message(text.encode(), MessageDescriptor(persistence=MQPER.PERSISTENT)))


def received(qmgr: QueueManager) -> str:
    """Wait for the next message of Q at QM2; return its data."""
    options = GetMessageOptions(MQGMO.WAIT, wait_interval=int(PATIENCE_SECONDS * 1000))
    with qmgr.store.queue_manager("QM2").connect("app") as connection:
        return connection.open("Q", MQOO.INPUT_SHARED).get(options).body.decode()


def test_runmqchi_starts_a_triggered_channel_and_ends_with_a_signal(qmgr: QueueManager, start: StartProgram) -> None:
    run(qmgr, TRIGGERED)
    program = start("runmqchi", "-m", "QM1")
    until(lambda: is_read(qmgr))
    put(qmgr, "hello")
    assert received(qmgr) == "hello"
    until(lambda: status(qmgr) == MQCHS.RUNNING)
    program.send_signal(signal.SIGTERM)
    out, err = program.communicate(timeout=PATIENCE_SECONDS)
    assert (program.returncode, out) == (0, "")
    assert err.startswith("QM1: AMQ8024I: IBM MQ channel initiator started.\n")
    assert "QM1: AMQ9001I: Channel 'C' ended normally.\n" in err
    assert status(qmgr) == MQCHS.INACTIVE


def test_l49_runmqchi_ends_with_its_queue_manager(qmgr: QueueManager, start: StartProgram) -> None:
    program = start("runmqchi", "-m", "QM1")
    until(lambda: is_read(qmgr))
    run(qmgr, "START CHANNEL(C)")
    until(lambda: status(qmgr) == MQCHS.RUNNING)
    qmgr.end()
    assert program.wait(PATIENCE_SECONDS) == 0
    assert status(qmgr) == MQCHS.INACTIVE
    assert not qmgr.is_running


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("-q", "NOPE"), 10, "cannot read the initiation queue NOPE: there is no such queue"),
        (("-m", "QM9"), 10, "AMQ8118E"),
        (("-x",), 20, "unknown option -x"),
    ],
)
def test_l49_runmqchi_that_cannot_begin(
    qmgr: QueueManager, start: StartProgram, arguments: tuple[str, ...], code: int, told: str
) -> None:
    program = start("runmqchi", *arguments)
    _, err = program.communicate(timeout=PATIENCE_SECONDS)
    assert program.returncode == code
    assert told in err


def test_a_second_initiator_is_refused(qmgr: QueueManager, start: StartProgram) -> None:
    start("runmqchi")
    until(lambda: is_read(qmgr))
    second = start("runmqchi")
    _, err = second.communicate(timeout=PATIENCE_SECONDS)
    assert second.returncode == 10
    assert "another channel initiator, or another program, reads it" in err


def test_l50_a_killed_runner_is_retried_by_the_initiator(qmgr: QueueManager, start: StartProgram) -> None:
    start("runmqchi")
    until(lambda: is_read(qmgr))
    runner = start("runmqchl", "-c", "C", "-m", "QM1")
    until(lambda: status(qmgr) == MQCHS.RUNNING)
    runner.kill()
    runner.wait()
    assert status(qmgr) in (MQCHS.RETRYING, MQCHS.BINDING, MQCHS.RUNNING)
    until(lambda: status(qmgr) == MQCHS.RUNNING)
    put(qmgr, "hello")
    assert received(qmgr) == "hello"


def test_l50_nobody_retries_a_killed_runner_without_an_initiator(qmgr: QueueManager, start: StartProgram) -> None:
    runner = start("runmqchl", "-c", "C", "-m", "QM1")
    until(lambda: status(qmgr) == MQCHS.RUNNING)
    runner.kill()
    runner.wait()
    (reply,) = run(qmgr, "DISPLAY CHSTATUS(C)")
    assert reply.message_id == "AMQ8420I"


def test_serve_runs_channels_through_an_end_of_the_queue_manager(qmgr: QueueManager, start: StartProgram) -> None:
    run(qmgr, TRIGGERED)
    program = start("serve")
    until(lambda: is_read(qmgr))
    put(qmgr, "first")
    assert received(qmgr) == "first"
    qmgr.end()
    until(lambda: qmgr.row().state == "ENDED")
    qmgr.start()
    put(qmgr, "second")
    assert received(qmgr) == "second"
    program.send_signal(signal.SIGTERM)
    out, err = program.communicate(timeout=PATIENCE_SECONDS)
    assert (program.returncode, err) == (0, "")
    assert "QM1: X triggers channel C\n" in out
    assert "QM1: AMQ9002I: Channel 'C' is starting.\n" in out
    assert "QM2: AMQ9001I: Channel 'C' ended normally.\n" in out
    assert status(qmgr) == MQCHS.INACTIVE


def test_serve_goes_on_beside_another_initiator(qmgr: QueueManager, start: StartProgram) -> None:
    first = start("runmqchi", "-m", "QM1")
    until(lambda: is_read(qmgr))
    program = start("serve", "QM1")
    assert program.stdout is not None
    while "channels of SYSTEM.CHANNEL.INITQ are not started here: 2042" not in program.stdout.readline():
        assert program.poll() is None
    first.send_signal(signal.SIGTERM)
    assert first.wait(PATIENCE_SECONDS) == 0
    run(qmgr, "START CHANNEL(C)")
    until(lambda: status(qmgr) == MQCHS.RUNNING)


def test_a_killed_serve_loses_and_doubles_nothing(qmgr: QueueManager, start: StartProgram, url: str) -> None:
    """serve is killed five times while messages are put."""
    run(qmgr, TRIGGERED)
    sent = 0
    for _ in range(5):
        program = start("serve")
        until(lambda: is_read(qmgr))
        for _ in range(20):
            put(qmgr, f"{sent}")
            sent += 1
        program.kill()
        program.wait()
    start("serve")
    with open_store(url) as store:
        assert [received(store.queue_manager("QM1")) for _ in range(sent)] == [str(number) for number in range(sent)]


def test_a_batch_that_takes_long_does_not_keep_serve_from_ending(qmgr: QueueManager, start: StartProgram) -> None:
    """The receiver retries a message for an hour; the signal ends the channel within seconds."""
    other = qmgr.store.queue_manager("QM2")
    run(other, "ALTER QLOCAL(Q) PUT(DISABLED)\nALTER CHANNEL(C) CHLTYPE(RCVR) MRTMR(3600000)")
    run(qmgr, TRIGGERED)
    program = start("serve")
    until(lambda: is_read(qmgr))
    put(qmgr, "hello")
    until(lambda: any(each.status == MQCHS.PAUSED for each in channel_status.instances(other)))
    program.send_signal(signal.SIGTERM)
    _, err = program.communicate(timeout=PATIENCE_SECONDS)
    assert (program.returncode, err) == (0, "")
    assert status(qmgr) == MQCHS.INACTIVE
