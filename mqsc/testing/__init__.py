"""For tests of programs that use queues: assertions that explain a failure from the history, and a
manual clock.

The fixtures are in `pytest_mqsc`, the assertions work without pytest.
"""

from mqsc.testing.assertions import (
    assert_dead_lettered as assert_dead_lettered,
    assert_depth_stayed_below as assert_depth_stayed_below,
    assert_expired as assert_expired,
    assert_may as assert_may,
    assert_on_queue as assert_on_queue,
    assert_quiet as assert_quiet,
    assert_refused as assert_refused,
    assert_triggered as assert_triggered,
)
from mqsc.testing.queue_managers import (
    ManualClock as ManualClock,
    made_queue_manager as made_queue_manager,
)
