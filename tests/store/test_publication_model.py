"""Random histories of publishing programs and subscribers, compared call by call with a model
(publish-subscribe §1 to §5), and their past.

MQSC_TIMES and MQSC_FIRST_SEED make it a campaign of more or other histories.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.store import Environment, open_store
from mqsc.store.client.store import Store
from mqsc.store.past.as_of import Past, copy_as_of, moment_of_event
from tests.examples import seeds
from tests.store.publication_history import History

HISTORIES, STEPS = 40, 500


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(HISTORIES))
def test_publish_subscribe_does_what_the_model_says(seed: int) -> None:
    history = History(seed)
    history.live(STEPS)
    history.close_store()


def as_it_was(past: Past) -> Store:
    return open_store(f"sqlite:///{past.file}", Environment.frozen(at=past.clocks["QM1"]))


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(3))
def test_the_past_has_the_subscriptions_and_retained_publications_of_then(
    seed: int, tmp_path: Path
) -> None:
    history = History(seed, f"sqlite:///{tmp_path / 'lived.db'}")
    history.live(200)
    for event, seen in [*history.seen.items()][::2]:
        moment = moment_of_event(history.store, event)
        with copy_as_of(history.store, moment) as past, as_it_was(past) as then:
            assert History.known_of(then.queue_manager("QM1")) == seen
    history.close_store()
