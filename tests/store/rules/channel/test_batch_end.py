"""When a batch ends (L40, H46)."""

from __future__ import annotations

from store.rules.channel.numbers import BatchLimits, BatchSoFar, ends, is_full, waits_until
from tests.store.tables import named_rows

START = 1_000_000
LIMITS = BatchLimits(50, 5000, 0)


@named_rows(
    ("no-messages", LIMITS, BatchSoFar(0, 0, 0), START, True, False),
    ("empty-queue", LIMITS, BatchSoFar(1, 100, START), START, True, True),
    ("more-messages", LIMITS, BatchSoFar(1, 100, START), START, False, False),
    ("H46-before", LIMITS, BatchSoFar(49, 100, START), START, False, False),
    ("H46", LIMITS, BatchSoFar(50, 100, START), START, False, True),
    ("L40-first", BatchLimits(50, 1, 0), BatchSoFar(1, 600, START), START, False, False),
    ("L40-second", BatchLimits(50, 1, 0), BatchSoFar(2, 1200, START), START, False, True),
    ("BATCHLIM-reached", BatchLimits(50, 1, 0), BatchSoFar(1, 1024, START), START, False, True),
    ("BATCHLIM-0", BatchLimits(50, 0, 0), BatchSoFar(2, 10**9, START), START, False, False),
    ("BATCHINT-open", BatchLimits(50, 0, 20), BatchSoFar(1, 1, START), START + 19_999, True, False),
    ("BATCHINT-over", BatchLimits(50, 0, 20), BatchSoFar(1, 1, START), START + 20_000, True, True),
    ("BATCHINT-busy", BatchLimits(50, 0, 20), BatchSoFar(1, 1, START), START + 9**9, False, False),
)
def test_ends(limits: BatchLimits, batch: BatchSoFar, at: int, empty: bool, over: bool) -> None:
    assert ends(limits, batch, at, queue_is_empty=empty) is over


def test_an_open_batch_waits_since_its_first_message() -> None:
    assert waits_until(BatchLimits(50, 0, 20), BatchSoFar(3, 1, START)) == START + 20_000


def test_full() -> None:
    assert is_full(BatchLimits(2, 0, 99), BatchSoFar(2, 0, START))
    assert not is_full(BatchLimits(2, 0, 0), BatchSoFar(1, 0, START))
