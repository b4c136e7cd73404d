"""Tests that are scenarios or tables of steps, played against a queue manager."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from mqsc.store.client.queue_manager import QueueManager
from tests.scenarios.play import Play


def plays(
    objects: str,
    scenarios: Mapping[str, str],
    kind: type[Play] = Play,
) -> Callable[..., None]:
    """Return a test that plays each scenario, by its name, after the steps in `objects`."""

    @pytest.mark.parametrize("text", scenarios.values(), ids=scenarios)
    def played(qmgr: QueueManager, text: str) -> None:
        kind(qmgr).run(f"{objects}\n{text}")

    return played


def failures(play: Play, *steps: str) -> list[str]:
    """Play every step, whatever the ones before it returned; say which returned something else
    than expected.
    """
    failed = []
    for step in steps:
        try:
            play.run(step)
        except AssertionError as came:
            failed.append(str(came))
    return failed
