"""The link between the two ends: what passes it, and the steps at which it can fail (poison-and-channels §3.3)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from mqsc.channels.waits import Wait
from store.descriptor import MessageDescriptor
from store.headers import mqxqh

if TYPE_CHECKING:
    from store.client.api import QueueManager, Store

# Bytes on the wire, as IBM MQ counts them (channel-commands §2).
BIND_BYTES, FLOW_BYTES, MESSAGE_BYTES = 268, 28, 28 + mqxqh.LENGTH


class Step(Enum):
    """The steps of a batch, by the names of the specification."""

    S1 = "S1"
    S2 = "S2"
    R1 = "R1"
    S3 = "S3"
    S4_BEFORE = "S4-before"
    S4_AFTER = "S4-after"
    R2_BEFORE = "R2-before"
    R2_AFTER = "R2-after"
    S5_BEFORE = "S5-before"
    S5_AFTER = "S5-after"
    RETRY_WAIT = "retry-wait"
    DEAD_LETTER = "dead-letter"


# Called at every step with the number of the message in the batch, from 1; 0 where there is none.
StepHook = Callable[[Step, int], None]


def no_hook(step: Step, number: int) -> None:
    """Let every step pass."""


class Transfer(NamedTuple):
    """A message on its way: its place in the batch, whether it is outside the batch's unit of work, and its contents.

    `descriptor` has the remaining Expiry, 0 for a message that has expired on the way.
    """

    number: int
    fast: bool
    queue: str
    queue_manager: str
    descriptor: MessageDescriptor
    body: bytes


class LinkCounters:
    """What one end has sent and received."""

    def __init__(self) -> None:
        self.buffers_sent = self.bytes_sent = self.buffers_received = self.bytes_received = 0

    def sent(self, size: int) -> None:
        self.buffers_sent += 1
        self.bytes_sent += size

    def received(self, size: int) -> None:
        self.buffers_received += 1
        self.bytes_received += size

    @property
    def figures(self) -> dict[str, int | str]:
        """The values of DISPLAY CHSTATUS."""
        return {
            "BUFSSENT": self.buffers_sent,
            "BYTSSENT": self.bytes_sent,
            "BUFSRCVD": self.buffers_received,
            "BYTSRCVD": self.bytes_received,
        }


class Link:
    """The connection of two ends in one process; `sender` and `receiver` count what each has sent and received."""

    def __init__(self, hook: StepHook, own: Store, partner: Store) -> None:
        self.step = hook
        self._stores = (own,) if own is partner else (own, partner)
        self.sender, self.receiver = LinkCounters(), LinkCounters()
        for end in (self.sender, self.receiver):
            end.sent(BIND_BYTES)
            end.received(BIND_BYTES)

    def wait(self, qmgr: QueueManager, until: int | None, *, both: bool = False) -> Wait:
        """A wait for a moment of the queue manager's clock, or for a change at the sending end, or at either end."""
        return Wait(qmgr, until, self._stores if both else self._stores[:1])

    def forward(self, size: int) -> None:
        """The sender sends so many bytes."""
        self.sender.sent(size)
        self.receiver.received(size)

    def reply(self, size: int) -> None:
        """The receiver answers with so many bytes."""
        self.receiver.sent(size)
        self.sender.received(size)
