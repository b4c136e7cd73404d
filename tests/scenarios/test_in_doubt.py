"""Units of work in doubt: calls that do not affect them, and how they are resolved."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.pages import page
from tests.scenarios.play import Play


@pytest.mark.parametrize("scenario", page("in_doubt"))
def test_in_doubt(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)
