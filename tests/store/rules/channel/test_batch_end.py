"""When a batch ends (L40, H46)."""

from __future__ import annotations

import pytest

from store.rules.channel.numbers import BatchLimits, BatchSoFar, ends, is_full, waits_until

START = 1_000_000
LIMITS = BatchLimits(50, 5000, 0)


@pytest.mark.parametrize(
    ("limits", "batch", "at", "empty", "over"),
    [
        pytest.param(LIMITS, BatchSoFar(0, 0, 0), START, True, False, id="no-messages"),
        pytest.param(LIMITS, BatchSoFar(1, 100, START), START, True, True, id="empty-queue"),
        pytest.param(LIMITS, BatchSoFar(1, 100, START), START, False, False, id="more-messages"),
        pytest.param(LIMITS, BatchSoFar(49, 100, START), START, False, False, id="H46-before"),
        pytest.param(LIMITS, BatchSoFar(50, 100, START), START, False, True, id="H46"),
        pytest.param(BatchLimits(50, 1, 0), BatchSoFar(1, 600, START), START, False, False, id="L40-first"),
        pytest.param(BatchLimits(50, 1, 0), BatchSoFar(2, 1200, START), START, False, True, id="L40-second"),
        pytest.param(BatchLimits(50, 1, 0), BatchSoFar(1, 1024, START), START, False, True, id="BATCHLIM-reached"),
        pytest.param(BatchLimits(50, 0, 0), BatchSoFar(2, 10**9, START), START, False, False, id="BATCHLIM-0"),
        pytest.param(BatchLimits(50, 0, 20), BatchSoFar(1, 1, START), START + 19_999, True, False, id="BATCHINT-open"),
        pytest.param(BatchLimits(50, 0, 20), BatchSoFar(1, 1, START), START + 20_000, True, True, id="BATCHINT-over"),
        pytest.param(BatchLimits(50, 0, 20), BatchSoFar(1, 1, START), START + 9**9, False, False, id="BATCHINT-busy"),
    ],
)
def test_ends(limits: BatchLimits, batch: BatchSoFar, at: int, empty: bool, over: bool) -> None:
    assert ends(limits, batch, at, queue_is_empty=empty) is over


def test_an_open_batch_waits_since_its_first_message() -> None:
    assert waits_until(BatchLimits(50, 0, 20), BatchSoFar(3, 1, START)) == START + 20_000


def test_full() -> None:
    assert is_full(BatchLimits(2, 0, 99), BatchSoFar(2, 0, START))
    assert not is_full(BatchLimits(2, 0, 0), BatchSoFar(1, 0, START))
