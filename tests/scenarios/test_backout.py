"""Backout and skip backout: which messages return, and their backout counts."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.pages import page
from tests.scenarios.play import Play


@pytest.mark.parametrize("scenario", page("backout"))
def test_backout(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("skip_backout"))
def test_skip_backout(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)
