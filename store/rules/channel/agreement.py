"""The agreement of the two ends of a channel when they are bound (channel-commands §3)."""

from collections.abc import Sequence
from typing import NamedTuple

# The type of the end that answers, by the type of the end that calls; a requester asks the partner
# to call or to send.
PAIRS = {"SDR": ("RCVR", "RQSTR"), "SVR": ("RCVR", "RQSTR"), "RQSTR": ("SVR", "SDR")}
WRAP_DIFFERS = "AMQ9505E"
NO_COMPRESSION = "NONE"


class Offer(NamedTuple):
    """The offer of one end: attributes of its channel, and MAXUMSGS of its queue manager."""

    batch_size: int
    uncommitted_limit: int
    heartbeat: int
    max_length: int
    sequence_wrap: int
    fast: bool
    compression: Sequence[str] = (NO_COMPRESSION,)


class Agreement(NamedTuple):
    """The values of a run: BATCHSZ, HBINT in seconds (0: none), MAXMSGL, SEQWRAP,
    NPMSPEED(FAST), COMPMSG.
    """

    batch_size: int
    heartbeat: int
    max_length: int
    sequence_wrap: int
    fast: bool
    compression: str


def may_call(caller: str, called: str) -> bool:
    """Whether an end of type `caller` can be bound to one of type `called`; AMQ9547E if not."""
    return called in PAIRS.get(caller, ())


def agree(sender: Offer, receiver: Offer) -> Agreement | str:
    """The agreement of both ends, or the id of the message about what they cannot agree on."""
    return (
        WRAP_DIFFERS
        if sender.sequence_wrap != receiver.sequence_wrap
        else in_common(sender, receiver)
    )


def in_common(sender: Offer, receiver: Offer) -> Agreement:
    """The agreement of two ends, with the sender's SEQWRAP."""
    offers = (sender, receiver)
    common = [each for each in sender.compression if each in receiver.compression]
    heartbeats = [each.heartbeat for each in offers]
    return Agreement(
        batch_size=min(min(each.batch_size, each.uncommitted_limit) for each in offers),
        # 0 of either end switches heartbeats off.
        heartbeat=max(heartbeats) if all(heartbeats) else 0,
        max_length=min(each.max_length for each in offers),
        sequence_wrap=sender.sequence_wrap,
        fast=sender.fast and receiver.fast,
        compression=common[0] if common else NO_COMPRESSION,
    )
