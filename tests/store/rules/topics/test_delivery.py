"""What follows when a copy cannot be delivered."""

from __future__ import annotations

from mqsc.store.rules.topics.delivery import fails_publication
from tests.store.tables import verdicts

test_b73_b74_which_copies_must_be_delivered = verdicts(
    lambda delivery, durable: fails_publication(delivery, is_durable=durable),
    ("ALL", True, True),
    ("ALL", False, True),
    ("ALLDUR", True, True),
    ("ALLDUR", False, False),
    ("ALLAVAIL", True, False),
    ("ALLAVAIL", False, False),
)
