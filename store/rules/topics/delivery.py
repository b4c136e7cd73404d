"""What follows when a copy of a publication cannot be delivered (publish-subscribe §5)."""

ALL = "ALL"
ALL_DURABLE = "ALLDUR"
ALL_AVAILABLE = "ALLAVAIL"


def fails_publication(delivery: str, *, is_durable: bool) -> bool:
    """Whether the publication fails (2502) because the copy of a subscription can be put neither on
    its queue nor on the dead-letter queue; `delivery` is PMSGDLV or NPMSGDLV of the topic.
    """
    return delivery == ALL or (delivery == ALL_DURABLE and is_durable)
