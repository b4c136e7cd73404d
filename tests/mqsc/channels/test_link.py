"""Faults stored for a channel: where it fails, how often and how long; the record of the last
batch.
"""

from __future__ import annotations

import pytest

from mqsc.channels.link import Step
from mqsc.channels.ping import ping
from mqsc.store.admin.channel.faults import NewFault, add_fault, clear_faults, faults
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.environment import MICROSECONDS, Environment, FrozenClock
from mqsc.store.message import GetMessageOptions
from tests.rows import rows
from tests.scenarios.channel_bench import Network

MINUTE = 60 * MICROSECONDS


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    return Network(store, environment)


def add(
    qmgr: QueueManager,
    step: str,
    action: str = "break",
    number: int = 0,
    **given: int,
) -> None:
    add_fault(qmgr, "C", NewFault(step, number, action, **given))


# The messages on Q and the units in doubt after a break at each step of a batch of three messages.
@rows(
    *((step, 0, 0) for step in (Step.S1, Step.S2, Step.R1, Step.S3, Step.S4_BEFORE)),
    *((Step.S4_AFTER, 0, 1), (Step.R2_BEFORE, 0, 1), (Step.R2_AFTER, 3, 1), (Step.S5_BEFORE, 3, 1)),
    (Step.S5_AFTER, 3, 0),
)
def test_the_link_breaks_at_a_step_once(
    net: Network,
    step: Step,
    arrived: int,
    in_doubt: int,
) -> None:
    add(net.qm1, step.value, times=1)
    net.put("a", "b", "c")
    ending = net.drain()
    assert (ending.failed, ending.message[:8]) == (True, "AMQ9208E")
    assert (len(net.texts()), len(net.qm1.in_doubt()), faults(net.qm1, "C")) == (
        arrived,
        in_doubt,
        [],
    )
    assert (net.drain().failed, net.texts()) == (False, ["a", "b", "c"])


def test_the_number_of_the_message_and_so_many_times(net: Network) -> None:
    add(net.qm1, "R1", number=2, times=1)
    net.put("a", "b", "c")
    assert (net.drain().failed, net.steps[-1]) == (True, (Step.R1, 2))
    add(net.qm1, "S2", times=2)
    assert [net.drain().failed for _ in range(3)] == [True, True, False]


def test_a_slow_step_takes_so_long_on_the_clock(net: Network) -> None:
    add(net.qm1, "S2", "slow", milliseconds=1500)
    net.put("a", "b")
    run = net.start().after(2.9)
    assert net.texts() == []
    run.after(0.1)
    assert net.texts() == ["a", "b"]


def test_a_forced_stop_does_not_wait_for_a_slow_step(net: Network) -> None:
    add(net.qm1, "S4-after", "slow", milliseconds=10_000_000)
    net.put("a")
    run = net.start()
    net.at1("STOP CHANNEL(C) MODE(FORCE)")
    run.resume()
    assert (net.status(), len(net.qm1.in_doubt())) == ("STOPPED", 1)


def test_a_partner_that_is_down_for_a_minute(net: Network) -> None:
    add(net.qm1, "", "down", lasting=MINUTE)
    net.put("a")
    for message in (net.drain().message, ping(net.qm1, "C")):
        assert message.startswith("AMQ9202E")
        assert "mqsc channel fault" in message
    net.clock.advance(60)
    assert (ping(net.qm1, "C"), net.drain().failed, net.texts()) == ("", False, ["a"])


def test_a_partner_goes_down_at_a_step(net: Network) -> None:
    """The link breaks at the step, and then two attempts to reach the partner fail."""
    add(net.qm1, "R2-after", "down", times=3)
    net.put("a")
    assert [net.drain().message[:8] for _ in range(3)] == ["AMQ9208E", "AMQ9202E", "AMQ9202E"]
    assert (len(net.qm1.in_doubt()), net.drain().failed, net.texts()) == (1, False, ["a"])


def test_a_channel_that_runs_notices_a_new_fault_at_its_next_batch(net: Network) -> None:
    run = net.start()
    add(net.qm1, "S1", times=1)
    net.put("a")
    run.resume()
    assert run.ending is not None
    assert run.ending.failed


def test_faults_are_cleared(net: Network) -> None:
    add(net.qm1, "S1")
    add(net.qm1, "", "down")
    assert (clear_faults(net.qm1, "C"), clear_faults(net.qm1)) == (2, 0)
    net.put("a")
    assert not net.drain().failed


def test_a_fault_whose_time_is_over_is_removed_with_the_next(net: Network) -> None:
    add(net.qm1, "S1", lasting=MINUTE)
    net.clock.advance(60)
    add(net.qm1, "S2")
    assert [each.step for each in faults(net.qm1, "C")] == ["S2"]


@rows(
    (
        "QM1",
        "AMQ9510E: Messages cannot be retrieved from queue 'SYSTEM.CHANNEL.SYNCQ': a unit of work",
    ),
    ("QM2", "AMQ9558E: The remote channel 'C' on host 'QM2' is not currently available."),
)
def test_a_record_in_a_unit_of_work(net: Network, at: str, message: str) -> None:
    """As after a kill, until the unit of work is backed out."""
    net.put("a", "b")
    assert not net.drain().failed
    net.put("c")
    qmgr: QueueManager = {"QM1": net.qm1, "QM2": net.qm2}[at]
    with qmgr.connect("app") as connection:
        connection.open("SYSTEM.CHANNEL.SYNCQ", MQOO.INPUT_SHARED).get(
            GetMessageOptions(MQGMO.SYNCPOINT),
        )
        ending = net.drain()
        assert ending.failed
        assert ending.message.startswith(message)
        assert (net.texts(), net.depth("X")) == (["a", "b"], 1)
        connection.back()
    assert not net.drain().failed
    assert (net.texts(), net.numbers()) == (["a", "b", "c"], (3, 3))
