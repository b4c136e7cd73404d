"""The batch that a sending end has open, and what limits it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from store.rules.channel.batch_end import BatchSoFar
from store.rules.channel.negotiation import Agreement
from store.rules.channel.retry import RetriesLeft


class SenderSettings(NamedTuple):
    """What a run was asked for, and what the two ends agreed on.

    `ccsid` is that of the partner if CONVERT(YES), else 0. `monitored`: MONCHL is not OFF. `conversion_failed` reports
    a message that could not be converted, by the reason and its format.
    """

    agreement: Agreement
    until_empty: bool
    ccsid: int
    monitored: bool
    retries: RetriesLeft
    conversion_failed: Callable[[int, str], None]


class Batch:
    """What the batch holds: messages sent, of them with a number, and fast; bytes of data.

    `refused` counts the messages that this end could not send; they take part in the unit of work.
    """

    def __init__(self, began: int) -> None:
        self.began = began
        self.messages = self.numbered = self.fast = self.bytes = self.refused = 0

    @property
    def so_far(self) -> BatchSoFar:
        return BatchSoFar(self.messages + self.refused, self.bytes, self.began)
