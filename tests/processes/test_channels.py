"""Programs that run channels: `mqsc channel run`, runmqchi and `mqsc serve`, with signals, ends
and kills.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM

import pytest

from mqsc import run
from mqsc.store.admin.channel import status as channel_status
from mqsc.store.admin.channel.initiators import initiators
from mqsc.store.admin.channel.status import claim
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQCHS, MQGMO, MQOO, MQPER
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import Start
from tests.processes.programs import PATIENCE_SECONDS, Program
from tests.rows import rows
from tests.scenarios.looking import waiting_on

# A channel whose program was killed is retried after a second; by default after a minute.
AT_QM1 = """DEFINE QLOCAL(X) USAGE(XMITQ)
DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('{}(QM2)') XMITQ(X) BATCHSZ(7) SHORTTMR(1)
"""
AT_QM2 = "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)"
TRIGGERED = "ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)"
RUN_CHANNEL = ("channel", "run", "C")
MESSAGES, KILLS = 300, 6


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    """QM1, whose channel leads to QM2 of the same store."""
    run(made := store.create_queue_manager("QM1"), AT_QM1.format("local"))
    run(store.create_queue_manager("QM2"), AT_QM2)
    return made


@pytest.fixture
def network(store: Store, tmp_path: Path) -> Iterator[tuple[QueueManager, QueueManager]]:
    """QM1, whose channel leads to QM2 of another store, and that."""
    url = f"sqlite:///{tmp_path / 'two'}.db"
    with open_store(url) as other:
        run(qm1 := store.create_queue_manager("QM1"), AT_QM1.format(url))
        run(qm2 := other.create_queue_manager("QM2"), AT_QM2)
        yield qm1, qm2


def statuses(qmgr: QueueManager) -> list[str]:
    """The status of each end of the channel at a queue manager."""
    return [each.status.name for each in channel_status.instances(qmgr, "C")]


def status(qmgr: QueueManager) -> MQCHS:
    found = (each.status for each in channel_status.instances(qmgr, "C") if not each.partner)
    return next(found, MQCHS.INACTIVE)


def until_running(qmgr: QueueManager) -> None:
    wait_until(lambda: status(qmgr) == MQCHS.RUNNING)


def until_read(qmgr: QueueManager) -> None:
    wait_until(lambda: initiators(qmgr))


def put(qmgr: QueueManager, *texts: str) -> None:
    with qmgr.connect("app") as connection:
        messages = [
            Message(text.encode(), MessageDescriptor(persistence=MQPER.PERSISTENT))
            for text in texts
        ]
        connection.open("RQ", MQOO.OUTPUT).put(messages)


def received(qm2: QueueManager) -> str:
    """Wait for the next message of Q; return its data."""
    options = GetMessageOptions(MQGMO.WAIT, wait_interval=int(PATIENCE_SECONDS * 1000))
    with qm2.connect("app") as connection:
        return connection.open("Q", MQOO.INPUT_SHARED).get(options).body.decode()


Network = tuple[QueueManager, QueueManager]


@pytest.fixture
def runner(network: Network, command: Start) -> Program:
    """`mqsc channel run` at work."""
    program = command(*RUN_CHANNEL)
    until_running(network[0])
    return program


@rows(SIGTERM, SIGINT)
def test_a_signal_ends_the_channel_normally(network: Network, runner: Program, number: int) -> None:
    runner.signal(number)
    code, _, said = runner.rest()
    assert code == 0
    assert "QM1: AMQ9001I" in said
    assert [statuses(each) for each in network] == [[], []]


def test_a_stop_from_another_program(network: Network, runner: Program) -> None:
    run(network[0], "STOP CHANNEL(C)")
    assert (runner.rest()[0], statuses(network[0])) == (0, ["STOPPED"])


def test_l48_h52_a_second_runner_names_the_first(runner: Program, command: Start) -> None:
    code, _, said = command(*RUN_CHANNEL).rest()
    assert code == 20
    assert f"AMQ9514E: Channel 'C' is in use. Process {runner.pid} runs it." in said


@pytest.mark.usefixtures("runner")
def test_a_message_crosses_an_idle_channel(network: Network) -> None:
    put(network[0], "hello")
    assert received(network[1]) == "hello"


def test_l50_a_runner_that_was_killed(network: Network, runner: Program) -> None:
    runner.kill()
    assert [statuses(each) for each in network] == [[], []]


def test_kills_at_any_moment_lose_and_duplicate_nothing(network: Network, command: Start) -> None:
    qm1, qm2 = network
    texts = [str(number) for number in range(MESSAGES)]
    put(qm1, *texts)
    chance = random.Random(1)
    for _ in range(KILLS):
        program = command(*RUN_CHANNEL, "--until-empty")
        wait_until(lambda program=program: program.has_ended or "RUNNING" in statuses(qm1))  # type: ignore[misc]
        time.sleep(chance.random() / 3)
        program.kill()
    assert command(*RUN_CHANNEL, "--until-empty").rest()[0] == 0
    assert (waiting_on(qm2, "Q"), qm1.in_doubt()) == (texts, [])


def test_runmqchi_starts_a_triggered_channel_and_ends_with_a_signal(
    qmgr: QueueManager,
    command: Start,
) -> None:
    run(qmgr, TRIGGERED)
    program = command("runmqchi", "-m", "QM1")
    until_read(qmgr)
    put(qmgr, "hello")
    assert received(qmgr.store.queue_manager("QM2")) == "hello"
    until_running(qmgr)
    program.signal(SIGTERM)
    code, out, err = program.rest()
    assert (code, out) == (0, "")
    assert err.startswith("QM1: AMQ8024I: IBM MQ channel initiator started.\n")
    assert "QM1: AMQ9001I: Channel 'C' ended normally.\n" in err
    assert status(qmgr) == MQCHS.INACTIVE


def test_l49_runmqchi_ends_with_its_queue_manager(qmgr: QueueManager, command: Start) -> None:
    program = command("runmqchi", "-m", "QM1")
    until_read(qmgr)
    run(qmgr, "START CHANNEL(C)")
    until_running(qmgr)
    qmgr.end()
    assert (program.wait(), status(qmgr), qmgr.is_running) == (0, MQCHS.INACTIVE, False)


@rows(
    (("-q", "NOPE"), 20, "cannot read the initiation queue NOPE: there is no such queue"),
    (("-m", "QM9"), 20, "AMQ8118E"),
    (("-x",), 20, "unknown option -x"),
)
@pytest.mark.usefixtures("qmgr")
def test_l49_runmqchi_that_cannot_begin(
    command: Start,
    arguments: tuple[str, ...],
    code: int,
    told: str,
) -> None:
    ended, _, err = command("runmqchi", *arguments).rest()
    assert ended == code
    assert told in err


def test_a_second_initiator_is_refused(qmgr: QueueManager, command: Start) -> None:
    command("runmqchi")
    until_read(qmgr)
    code, _, err = command("runmqchi").rest()
    assert code == 20
    assert "another channel initiator, or another program, reads it" in err


def test_l50_a_killed_runner_is_retried_by_the_initiator(
    qmgr: QueueManager,
    command: Start,
) -> None:
    command("runmqchi")
    until_read(qmgr)
    runner = command("runmqchl", "-c", "C", "-m", "QM1")
    until_running(qmgr)
    runner.kill()
    assert status(qmgr) in (MQCHS.RETRYING, MQCHS.BINDING, MQCHS.RUNNING)
    until_running(qmgr)
    put(qmgr, "hello")
    assert received(qmgr.store.queue_manager("QM2")) == "hello"


def test_l50_nobody_retries_a_killed_runner_without_an_initiator(
    qmgr: QueueManager,
    command: Start,
) -> None:
    runner = command("runmqchl", "-c", "C", "-m", "QM1")
    until_running(qmgr)
    runner.kill()
    assert [reply.message_id for reply in run(qmgr, "DISPLAY CHSTATUS(C)")] == ["AMQ8420I"]


def test_serve_runs_channels_through_an_end_of_the_queue_manager(
    qmgr: QueueManager,
    command: Start,
) -> None:
    run(qmgr, TRIGGERED)
    program, other = command("serve"), qmgr.store.queue_manager("QM2")
    until_read(qmgr)
    put(qmgr, "first")
    assert received(other) == "first"
    qmgr.end()
    wait_until(lambda: qmgr.row().state == "ENDED")
    qmgr.start()
    put(qmgr, "second")
    assert received(other) == "second"
    program.signal(SIGTERM)
    code, out, err = program.rest()
    assert (code, err) == (0, "")
    assert "QM1: X triggers channel C\n" in out
    assert "QM1: AMQ9002I: Channel 'C' is starting.\n" in out
    assert "QM2: AMQ9001I: Channel 'C' ended normally.\n" in out
    assert status(qmgr) == MQCHS.INACTIVE


def test_serve_goes_on_beside_another_initiator(qmgr: QueueManager, command: Start) -> None:
    first = command("runmqchi", "-m", "QM1")
    until_read(qmgr)
    program = command("serve", "QM1")
    program.until("channels of SYSTEM.CHANNEL.INITQ are not started here: 2042")
    first.signal(SIGTERM)
    assert first.wait() == 0
    run(qmgr, "START CHANNEL(C)")
    until_running(qmgr)


def test_a_killed_serve_loses_and_doubles_nothing(qmgr: QueueManager, command: Start) -> None:
    run(qmgr, TRIGGERED)
    texts = [str(number) for number in range(100)]
    for first in range(0, 100, 20):
        program = command("serve")
        until_read(qmgr)
        for text in texts[first : first + 20]:
            put(qmgr, text)
        program.kill()
    command("serve")
    assert [received(qmgr.store.queue_manager("QM2")) for _ in texts] == texts


def test_a_batch_that_takes_long_does_not_keep_serve_from_ending(
    qmgr: QueueManager,
    command: Start,
) -> None:
    """The receiver retries a message for an hour; the signal ends the channel within seconds."""
    other = qmgr.store.queue_manager("QM2")
    run(other, "ALTER QLOCAL(Q) PUT(DISABLED)\nALTER CHANNEL(C) CHLTYPE(RCVR) MRTMR(3600000)")
    run(qmgr, TRIGGERED)
    program = command("serve")
    until_read(qmgr)
    put(qmgr, "hello")
    wait_until(lambda: any(each.status == MQCHS.PAUSED for each in channel_status.instances(other)))
    program.signal(SIGTERM)
    code, _, err = program.rest()
    assert (code, err, status(qmgr)) == (0, "", MQCHS.INACTIVE)


def claim_channel(url: str, *applications: str) -> None:
    """Claim to run the channel, but ignore requests to stop (channel-commands §1)."""
    qmgr = open_store(url).queue_manager("QM1")
    _connections = [qmgr.connect(name) for name in applications]
    claim(qmgr, "C", "", MQCHS.RUNNING, {})
    print("runs")
    sys.stdin.read()


def claiming(start: Start, *applications: str) -> Program:
    runner = start(claim_channel, *applications)
    assert runner.line() == "runs"
    return runner


def test_mode_terminate_kills_a_program_that_does_not_end(qmgr: QueueManager, start: Start) -> None:
    runner = claiming(start, "runmqchl")
    (started,) = run(qmgr, "START CHANNEL(C)")
    assert started.text.splitlines()[1] == f"Process {runner.pid} runs it."
    (stopped,) = run(qmgr, "STOP CHANNEL(C) MODE(TERMINATE)")
    assert (
        stopped.text.splitlines()[1]
        == "The program that ran the channel did not end and was killed."
    )
    assert (runner.wait(), statuses(qmgr)) == (-SIGKILL, ["STOPPED"])


def test_mode_terminate_kills_no_program_that_does_other_work(
    qmgr: QueueManager,
    start: Start,
) -> None:
    """Such as `mqsc serve`, whose other channels would end with it."""
    runner = claiming(start, "runmqchl", "runmqchi")
    (stopped,) = run(qmgr, "STOP CHANNEL(C) MODE(TERMINATE)")
    assert (stopped.message_id, stopped.completion) == ("AMQ8019I", 0)
    said = f"The channel has not ended yet. Process {runner.pid}, which runs it, was not killed"
    assert stopped.text.splitlines()[1].startswith(said)
    assert not runner.has_ended
