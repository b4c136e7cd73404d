"""Whether a partner is another queue manager than before."""

from __future__ import annotations

from mqsc.store.rules.channel import partner
from mqsc.store.rules.channel.partner import PartnerIdentity
from tests.store.tables import verdicts

test_is_another = verdicts(
    partner.is_another,
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM2", 5), False),
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM2", 6), True),
    (PartnerIdentity("QM2", 5), PartnerIdentity("QM3", 5), True),
    # A record that an earlier version wrote.
    (PartnerIdentity("QM2"), PartnerIdentity("QM2", 6), False),
    (PartnerIdentity("QM2"), PartnerIdentity("QM3", 6), True),
    (PartnerIdentity(""), PartnerIdentity("QM3", 6), False),
)
