"""When a batch ends (L40, H46)."""

from __future__ import annotations

from mqsc.store.rules.channel import batch_end
from mqsc.store.rules.channel.batch_end import BatchLimits, BatchSoFar
from tests.store.tables import named_rows

BEGAN = 1_000_000
LIMITS = BatchLimits(50, 5000, 0)


@named_rows(
    ("no-messages", LIMITS, BatchSoFar(0, 0, 0), BEGAN, True, False),
    ("empty-queue", LIMITS, BatchSoFar(1, 100, BEGAN), BEGAN, True, True),
    ("more-messages", LIMITS, BatchSoFar(1, 100, BEGAN), BEGAN, False, False),
    ("H46-before", LIMITS, BatchSoFar(49, 100, BEGAN), BEGAN, False, False),
    ("H46", LIMITS, BatchSoFar(50, 100, BEGAN), BEGAN, False, True),
    ("L40-first", BatchLimits(50, 1, 0), BatchSoFar(1, 600, BEGAN), BEGAN, False, False),
    ("L40-second", BatchLimits(50, 1, 0), BatchSoFar(2, 1200, BEGAN), BEGAN, False, True),
    ("BATCHLIM-reached", BatchLimits(50, 1, 0), BatchSoFar(1, 1024, BEGAN), BEGAN, False, True),
    ("BATCHLIM-0", BatchLimits(50, 0, 0), BatchSoFar(2, 10**9, BEGAN), BEGAN, False, False),
    ("BATCHINT-open", BatchLimits(50, 0, 20), BatchSoFar(1, 1, BEGAN), BEGAN + 19_999, True, False),
    ("BATCHINT-over", BatchLimits(50, 0, 20), BatchSoFar(1, 1, BEGAN), BEGAN + 20_000, True, True),
    ("BATCHINT-busy", BatchLimits(50, 0, 20), BatchSoFar(1, 1, BEGAN), BEGAN + 9**9, False, False),
)
def test_ends(limits: BatchLimits, batch: BatchSoFar, at: int, empty: bool, over: bool) -> None:
    assert batch_end.ends(limits, batch, at, queue_is_empty=empty) is over


def test_a_batch_waits_since_its_first_message_and_is_full_at_its_limit() -> None:
    assert batch_end.waits_until(BatchLimits(50, 0, 20), BatchSoFar(3, 1, BEGAN)) == BEGAN + 20_000
    assert batch_end.is_full(BatchLimits(2, 0, 99), BatchSoFar(2, 0, BEGAN))
    assert not batch_end.is_full(BatchLimits(2, 0, 0), BatchSoFar(1, 0, BEGAN))
