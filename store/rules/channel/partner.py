"""Which queue manager a batch was sent to: two in different stores may have the same name."""

from typing import NamedTuple


class PartnerIdentity(NamedTuple):
    """A queue manager: its name, and the moment of its creation (microseconds UTC), None if no
    record has it.
    """

    name: str
    created_at: int | None = None


def is_another(known: PartnerIdentity, partner: PartnerIdentity) -> bool:
    """Whether `partner` is certainly not the queue manager that a record names; the name is blank
    if it names none.
    """
    if not known.name:
        return False
    created = {known.created_at, partner.created_at} - {None}
    return known.name != partner.name or len(created) > 1
