"""Faults stored for a channel: a link that breaks, is slow, or is down (poison-and-channels §3.7)."""

from __future__ import annotations

import pytest

from store.client.api import Store
from store.environment import Environment, FrozenClock
from store.sqlite.database import Transaction
from tests.scenarios.channel_bench import SECOND, Network

FIVE = ("1", "2", "3", "4", "5")


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    net = Network(store, environment)
    net.initiator()
    net.put(*FIVE)
    return net


def fault(net: Network, step: str, action: str, **limits: int | None) -> None:
    row = {"number": 0, "milliseconds": 0, "times": None, "until": None, **limits}
    with Transaction(net.qm1.store.database, durable=False) as tx:
        tx.connection.execute(
            "INSERT INTO channel_fault (qmgr, channel, step, number, action, milliseconds, times, until)"
            " VALUES ('QM1', 'C', ?, ?, ?, ?, ?, ?)",
            (step, row["number"], action, row["milliseconds"], row["times"], row["until"]),
        )


def test_a_break_in_the_confirm_window(net: Network) -> None:
    fault(net, "R2-after", "break", times=1)
    run = net.keep()
    assert (net.status(), len(net.qm1.in_doubt())) == ("RETRYING", 1)
    run.after(60)
    assert (net.status(), net.texts(), len(net.qm1.in_doubt())) == ("RUNNING", [*FIVE], 0)


def test_a_break_at_one_message(net: Network) -> None:
    fault(net, "S2", "break", number=3, times=2)
    run = net.keep().after(60)
    assert (net.status(), net.texts()) == ("RETRYING", [])
    run.after(60)
    assert (net.status(), net.texts()) == ("RUNNING", [*FIVE])


def test_a_slow_step(net: Network) -> None:
    fault(net, "S4-after", "slow", milliseconds=2000, times=1)
    run = net.start()
    assert (net.texts(), len(net.qm1.in_doubt())) == ([], 1)
    run.after(1.9)
    assert net.texts() == []
    run.after(0.1)
    assert (net.texts(), len(net.qm1.in_doubt())) == ([*FIVE], 0)


def test_a_slow_message(net: Network) -> None:
    fault(net, "S2", "slow", number=2, milliseconds=500)
    run = net.start()
    assert net.status() == "RUNNING"
    assert net.texts() == []
    run.after(0.5)
    assert net.texts() == [*FIVE]


def test_a_partner_that_is_down_for_a_time(net: Network) -> None:
    fault(net, "", "down", until=net.clock.now() + 30 * SECOND)
    run = net.keep()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9202E")
    run.after(60)
    assert net.texts() == [*FIVE]


def test_faults_of_other_channels_and_steps_do_not_matter(net: Network) -> None:
    fault(net, "retry-wait", "break")
    with Transaction(net.qm1.store.database, durable=False) as tx:
        tx.connection.execute(
            "INSERT INTO channel_fault (qmgr, channel, step, number, action, milliseconds)"
            " VALUES ('QM2', 'C', 'S1', 0, 'break', 0), ('QM1', 'D', 'S1', 0, 'break', 0)"
        )
    net.drain()
    assert net.texts() == [*FIVE]
