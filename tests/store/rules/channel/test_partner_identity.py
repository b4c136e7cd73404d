"""Which queue manager a batch was sent to."""

from __future__ import annotations

from store.rules.channel.numbers import PartnerIdentity, is_another
from tests.store.tables import verdicts

test_is_another = verdicts(
    is_another,
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM2", 5), False),
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM2", 6), True),
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM3", 5), True),
    # A record that an earlier version wrote.
    (PartnerIdentity("QM2"), PartnerIdentity("QM2", 6), False),
    (PartnerIdentity("QM2"), PartnerIdentity("QM3", 6), True),
    (PartnerIdentity(""), PartnerIdentity("QM3", 6), False),
)
