"""Why a run ends before its time: exceptions of both ends, which a run, a PING or a forecast
catches.
"""

from __future__ import annotations

from mqsc.channels.end import text
from mqsc.store.constants import MQRC

# The queue manager ends, or the connection to it was broken: no message is to blame.
QUEUE_MANAGER_ENDS = frozenset(
    {
        MQRC.CONNECTION_BROKEN,
        MQRC.Q_MGR_NOT_AVAILABLE,
        MQRC.Q_MGR_QUIESCING,
        MQRC.Q_MGR_STOPPING,
        MQRC.Q_MGR_NAME_ERROR,
    },
)


class ChannelEndedError(Exception):
    """An end of the channel cannot continue: the messages of the two ends about it; blank for an
    end without one.

    `reason` is the MQRC of the failed call, or 0.
    """

    def __init__(self, sender: str = "", receiver: str = "", reason: int = 0) -> None:
        super().__init__(sender or receiver)
        self.sender = sender
        self.receiver = receiver
        self.reason = reason


class LinkBrokenError(ChannelEndedError):
    """The connection between the two ends was lost."""

    def __init__(self, address: str, caller: str) -> None:
        super().__init__(text("AMQ9208E", partner=address), text("AMQ9208E", partner=caller))


class StoppedError(Exception):
    """A command asked the sending end to stop at once, or the program ends while a put is
    retried.
    """


class PartnerStoppedError(ChannelEndedError):
    """A command asked the receiving end to stop."""


class OwnManagerEndsError(ChannelEndedError):
    """The queue manager of the sending end is ending."""
