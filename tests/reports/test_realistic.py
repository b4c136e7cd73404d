"""The generated histories keep the invariants of a store."""

from __future__ import annotations

from collections import Counter

import pytest

from store.published import KINDS
from tests.reports.realistic import GROUP, QM, balance_of, realistic

ENDINGS = {
    *("got", "backed out", "requeued", "forwarded", "dead-lettered", "discarded", "dropped", "expired", "moved"),
    *("cleared", "there", "held"),
}


def test_a_seed_gives_one_history() -> None:
    first, second, other = realistic(1), realistic(1), realistic(2)
    assert (first.events, first.pending) == (second.events, second.pending)
    assert first.events != other.events


@pytest.mark.parametrize("seed", range(1, 6))
def test_every_message_is_accounted_for(seed: int) -> None:
    history = realistic(seed)
    counts = balance_of(history)
    assert all(
        count["put"] + count.get("moved in", 0) == sum(count.get(each, 0) for each in ENDINGS)
        for count in counts.values()
        if "put" in count
    )
    assert sum(count["there"] + count["held"] for count in counts.values()) == len(history.pending)


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_events_are_those_of_a_store(seed: int) -> None:
    events = realistic(seed).events
    assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
    assert {each["qmgr"] for each in events} == {QM, GROUP}
    assert all(each.get("cause") in (None, *KINDS[each["kind"]].causes) for each in events)
    ends = Counter(each["unit"] for each in events if each["kind"] in ("COMMIT", "BACKOUT"))
    assert max(ends.values()) == 1
    times = [each["at"] for each in events]
    assert times != sorted(times)
