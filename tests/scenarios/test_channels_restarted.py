"""Channels that are restarted at once: a batch committed by one run is not mistaken for that of a later run."""

from __future__ import annotations

import pytest

from mqsc.channels.link import Step
from store.client.api import Store
from store.environment import Environment, FrozenClock
from tests.scenarios.channel_bench import Network, broken_at


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    return Network(store, environment)


@pytest.mark.parametrize("back", [0, 3600], ids=["within a second", "after the clock was set back"])
def test_h42_a_batch_in_doubt_is_not_taken_for_an_earlier_one(net: Network, back: int) -> None:
    """The first batches of both runs begin in the same second, or that of the second run even earlier."""
    net.put("1")
    net.drain()
    net.clock.set(net.clock.now() - back * 1_000_000)
    net.put("2")
    net.start(broken_at(Step.S4_AFTER))
    assert net.texts() == ["1"]
    net.drain()
    assert net.texts() == ["1", "2"]
