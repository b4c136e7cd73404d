"""The record of the last batch: a channel that cannot read it must not begin with number 1 again."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager, Store
from store.constants import MQGMO, MQOO
from store.environment import Environment, FrozenClock
from store.message import GetMessageOptions
from tests.scenarios.channel_bench import Network


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    return Network(store, environment)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("QM1", "AMQ9510E: Messages cannot be retrieved from queue 'SYSTEM.CHANNEL.SYNCQ': a unit of work"),
        ("QM2", "AMQ9558E: The remote channel 'C' on host 'QM2' is not currently available."),
    ],
)
def test_a_record_in_a_unit_of_work(net: Network, at: str, message: str) -> None:
    """As after a kill, until the unit of work is backed out."""
    net.put("a", "b")
    assert not net.drain().failed
    net.put("c")
    qmgr: QueueManager = {"QM1": net.qm1, "QM2": net.qm2}[at]
    with qmgr.connect("app") as connection:
        connection.open("SYSTEM.CHANNEL.SYNCQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
        ending = net.drain()
        assert ending.failed
        assert ending.message.startswith(message)
        assert (net.texts(), net.depth("X")) == (["a", "b"], 1)
        connection.back()
    assert not net.drain().failed
    assert net.texts() == ["a", "b", "c"]
    assert net.numbers() == (3, 3)
