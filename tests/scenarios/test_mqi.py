"""MQI calls by the rows of the specification: successful, refused, and with a warning."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.pages import page
from tests.scenarios.play import Play


@pytest.mark.parametrize("scenario", page("mqi_open"))
def test_open_and_close(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("mqi_put"))
def test_put(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("mqi_get"))
def test_get(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", [*page("mqi_units"), *page("mqi_traps")])
def test_units_of_work_depths_and_traps(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("mqi_reports"))
def test_reports(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)
