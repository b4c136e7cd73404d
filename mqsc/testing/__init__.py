"""For tests of programs that use queues: assertions that explain a failure from the history, and a manual clock.

The fixtures are in `pytest_mqsc`, the assertions work without pytest.
"""

from mqsc.testing.assertions import ManualClock as ManualClock
from mqsc.testing.assertions import assert_dead_lettered as assert_dead_lettered
from mqsc.testing.assertions import assert_depth_stayed_below as assert_depth_stayed_below
from mqsc.testing.assertions import assert_expired as assert_expired
from mqsc.testing.assertions import assert_may as assert_may
from mqsc.testing.assertions import assert_on_queue as assert_on_queue
from mqsc.testing.assertions import assert_quiet as assert_quiet
from mqsc.testing.assertions import assert_refused as assert_refused
from mqsc.testing.assertions import assert_triggered as assert_triggered
from mqsc.testing.assertions import made_queue_manager as made_queue_manager
