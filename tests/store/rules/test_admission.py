"""Whether a queue accepts a message: 2048, 2030, 2031, 2051, 2053, in MQ's order."""

from __future__ import annotations

from store.rules import admission
from store.rules.admission import Limits
from tests.store.tables import verdicts

LOCAL = Limits(temporary=False, longest=100, longest_of_all=200, header=0)
TEMPORARY = LOCAL._replace(temporary=True)
REMOTE = LOCAL._replace(header=40)
WIDE = LOCAL._replace(longest=1000)

test_what_a_message_may_be_like = verdicts(
    admission.message_fault,
    (LOCAL, 1, 100, 0, 0),
    (LOCAL, 1, 101, 0, 2030),
    (TEMPORARY, 0, 100, 0, 0),
    (TEMPORARY, 1, 100, 0, 2048),
    # The persistence is checked before the length.
    (TEMPORARY, 1, 101, 0, 2048),
    (WIDE, 0, 200, 0, 0),
    (WIDE, 0, 201, 0, 2031),
    # The header and an extension count only on the way to another queue manager.
    (REMOTE, 0, 60, 0, 0),
    (REMOTE, 0, 61, 0, 2030),
    (REMOTE, 0, 50, 10, 0),
    (REMOTE, 0, 51, 10, 2030),
    (LOCAL, 0, 100, 10, 0),
)

test_what_a_queue_takes_now = verdicts(
    admission.queue_fault,
    (True, 1, 1, 0),
    (True, 0, 1, 2053),
    (True, 2, 3, 2053),
    (True, -1, 1, 2053),
    (False, 5, 1, 2051),
    # Inhibited is checked before full.
    (False, 0, 1, 2051),
)

test_the_order_of_the_reasons = verdicts(
    admission.fault,
    (TEMPORARY, False, 0, 1, 101, 2048),
    (LOCAL, False, 0, 1, 101, 2030),
    (LOCAL, False, 0, 1, 100, 2051),
    (LOCAL, True, 0, 1, 100, 2053),
    (LOCAL, True, 1, 1, 100, 0),
)
