"""Random histories of publishing programs and subscribers, compared call by call with a model
(publish-subscribe §1 to §5).

MQSC_TIMES and MQSC_FIRST_SEED make it a campaign of more or other histories.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.examples import seeds
from tests.store.publication_history import History

HISTORIES, STEPS = 40, 500
Step = Callable[[History], None]
WEIGHTS: dict[Step, float] = {
    History.publish: 30,
    History.get: 20,
    History.subscribe: 12,
    History.close: 5,
    History.close_queue: 2,
    History.request: 3,
    History.commit: 6,
    History.back: 4,
    History.advance: 5,
    History.change_topic: 5,
    History.change_queue: 3,
    History.change_manager: 2,
    History.define_subscription: 4,
    History.clear: 1,
    History.scan: 1,
    History.leave: 1,
    History.restart: 0.4,
}
BETWEEN_COMPARISONS = 25


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(HISTORIES))
def test_publish_subscribe_does_what_the_model_says(seed: int) -> None:
    history = History(seed)
    chosen = history.chance.choices([*WEIGHTS], [*WEIGHTS.values()], k=STEPS)
    try:
        for number, step in enumerate(chosen, 1):
            step(history)
            if number % BETWEEN_COMPARISONS == 0:
                history.compare()
        history.end()
    except AssertionError as wrong:
        steps = "\n".join(history.log[-40:])
        raise AssertionError(f"step {len(history.log)} of seed {seed}: {wrong}\n{steps}") from wrong
