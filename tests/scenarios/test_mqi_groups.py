"""Message groups and segments through the calls: logical order, and segments made by the queue manager."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.pages import page
from tests.scenarios.play import Play


@pytest.mark.parametrize("scenario", page("mqi_groups"))
def test_groups(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)
