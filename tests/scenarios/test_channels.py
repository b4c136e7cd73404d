"""Channels on a frozen clock and without threads: batches, partners, commands and faults, from pages."""

from __future__ import annotations

import pytest

from store.client.api import Store
from store.environment import Environment, FrozenClock
from tests.scenarios.channel_bench import Network
from tests.scenarios.channel_play import ChannelPlay
from tests.scenarios.pages import page


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    return Network(store, environment)


@pytest.mark.parametrize("scenario", page("channels"))
def test_batches(net: Network, scenario: str) -> None:
    ChannelPlay(net).run(scenario)
