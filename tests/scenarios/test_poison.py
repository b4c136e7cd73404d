"""Poison messages: how a consumer handles messages that were backed out too often."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.pages import page
from tests.scenarios.poison_play import PoisonPlay


@pytest.mark.parametrize("scenario", page("poison"))
def test_poison(qmgr: QueueManager, scenario: str) -> None:
    PoisonPlay(qmgr).run(scenario)
