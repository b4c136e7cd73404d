"""For tests of programs that use queues: assertions that explain a failure from the history, and a manual clock.

The fixtures are in `pytest_mqsc`, the assertions work without pytest.
"""

from mqsc.testing.assertions import (
    ManualClock,
    assert_dead_lettered,
    assert_depth_stayed_below,
    assert_expired,
    assert_may,
    assert_on_queue,
    assert_quiet,
    assert_refused,
    assert_triggered,
    made_queue_manager,
)

__all__ = [
    "ManualClock", "assert_dead_lettered", "assert_depth_stayed_below", "assert_expired", "assert_may",
    "assert_on_queue", "assert_quiet", "assert_refused", "assert_triggered", "made_queue_manager",
]  # fmt: skip
