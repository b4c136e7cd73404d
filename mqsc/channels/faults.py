"""Why a channel ends other than by itself. Only the two ends raise these, and only `runner` catches them."""

from __future__ import annotations

from mqsc.channels.texts import text


class ChannelEndedError(Exception):
    """An end of the channel cannot go on: the messages of the two ends about it; blank for an end that says nothing.

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
    """A command asked the sending end to stop at once."""


class PartnerStoppedError(ChannelEndedError):
    """A command asked the receiving end to stop."""


class OwnManagerEndsError(ChannelEndedError):
    """The queue manager of the sending end is ending."""
