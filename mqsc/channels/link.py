"""The link between the two ends: what passes it, and the steps at which it can fail (poison-and-channels §3.3)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from mqsc.channels.end import ChannelEnd
from mqsc.channels.faults import ChannelEndedError, LinkBrokenError
from mqsc.channels.texts import text
from mqsc.channels.waits import Steps, Wait
from store.admin import channel_faults
from store.client.api import QueueManager, Store
from store.descriptor import MessageDescriptor
from store.headers import mqxqh
from store.rules.channel import fault as rules
from store.sql.rows import ChannelFaultRow

# Bytes on the wire, as IBM MQ counts them (channel-commands §2).
BIND_BYTES, FLOW_BYTES, MESSAGE_BYTES = 268, 28, 28 + mqxqh.LENGTH
MILLISECOND = 1000


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


class Transfer(NamedTuple):
    """A message on its way: its place in the batch, whether it is outside the batch's unit of work, and its contents.

    `descriptor` has the remaining Expiry, 0 for a message that has expired on the way. `reason` is why it cannot be
    delivered, 0 as long as it can.
    """

    number: int
    fast: bool
    queue: str
    queue_manager: str
    descriptor: MessageDescriptor
    body: bytes
    reason: int = 0


def unreachable(address: str) -> str:
    """The message about a partner that a fault keeps down."""
    return text("AMQ9202E", partner=address, detail="`mqsc channel fault` keeps the partner down")


class LinkCounters:
    """What one end has sent and received, as the figures of DISPLAY CHSTATUS."""

    def __init__(self) -> None:
        self.figures = {"BUFSSENT": 0, "BYTSSENT": 0, "BUFSRCVD": 0, "BYTSRCVD": 0}

    def sent(self, size: int) -> None:
        self.figures["BUFSSENT"] += 1
        self.figures["BYTSSENT"] += size

    def received(self, size: int) -> None:
        self.figures["BUFSRCVD"] += 1
        self.figures["BYTSRCVD"] += size


class Link:
    """The connection of two ends in one process; `sender` and `receiver` count what each has sent and received.

    It meets the faults that are stored for the channel at the sending end, as they are when a batch begins.
    """

    def __init__(self, end: ChannelEnd, address: str, partner: Store, hook: StepHook) -> None:
        """ChannelEndedError when a fault keeps the partner from being reached."""
        self._end = end
        self._address = address
        self._hook = hook
        self._delay = 0
        own = end.qmgr.store
        self._stores = (own,) if own is partner else (own, partner)
        self.load_faults()
        down = rules.unreachable(self._faults, end.qmgr.now())
        if down is not None:
            channel_faults.met(end.qmgr, down.id)
            raise ChannelEndedError(unreachable(address))
        self.sender, self.receiver = LinkCounters(), LinkCounters()
        for each in (self.sender, self.receiver):
            each.sent(BIND_BYTES)
            each.received(BIND_BYTES)

    def load_faults(self) -> None:
        """Look for the faults of the channel."""
        self._faults: list[ChannelFaultRow] = channel_faults.faults(self._end.qmgr, self._end.channel)

    def step(self, step: Step, number: int) -> None:
        """A step of a batch: LinkBrokenError when a fault breaks the link there."""
        self._hook(step, number)
        if self._faults:
            self._meet(step, number)

    def _meet(self, step: Step, number: int) -> None:
        qmgr = self._end.qmgr
        for fault in rules.acting(self._faults, step.value, number, qmgr.now()):
            channel_faults.met(qmgr, fault.id)
            if fault.action != rules.SLOW:
                raise self._broken()
            self._delay += fault.milliseconds * MILLISECOND
        self.load_faults()

    def _broken(self) -> LinkBrokenError:
        return LinkBrokenError(self._address, self._end.qmgr.name)

    def delayed(self) -> Steps:
        """Wait as long as faults of the last steps have slowed the link down, unless the channel is asked to stop."""
        if self._delay:
            qmgr = self._end.qmgr
            until, self._delay = qmgr.now() + self._delay, 0
            while qmgr.now() < until and not self._end.requested():
                yield self.wait(qmgr, until)

    def wait(self, qmgr: QueueManager, until: int | None, *, both: bool = False) -> Wait:
        """A wait for a moment of the queue manager's clock, or for a change at either end.

        Unless `both`, a change at the receiving end matters only if a command stops it, and may be noticed later.
        """
        return Wait(qmgr, until, self._stores) if both else Wait(qmgr, until, self._stores[:1], self._stores[1:])

    def forward(self, size: int) -> None:
        """The sender sends so many bytes."""
        self.sender.sent(size)
        self.receiver.received(size)

    def reply(self, size: int) -> None:
        """The receiver answers with so many bytes."""
        self.receiver.sent(size)
        self.sender.received(size)
