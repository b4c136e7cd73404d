"""The link between both ends of a channel: what passes it, and the faults that were set."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from mqsc.channels.end import ChannelEnd, text
from mqsc.channels.run_failures import ChannelEndedError, LinkBrokenError
from mqsc.channels.steps import Steps, Wait
from mqsc.store.admin.channel import faults
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqxqh
from mqsc.store.rules.channel import injected_faults
from mqsc.store.sql.rows import ChannelFaultRow

# Bytes on the wire, as IBM MQ counts them (channel-commands §2).
BIND_BYTES = 268
FLOW_BYTES = 28
MESSAGE_BYTES = 28 + mqxqh.LENGTH
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
    """A message on its way: its place in the batch, whether it is outside the batch's unit of work,
    and its contents.

    `descriptor` has the remaining Expiry, 0 for a message that has expired on the way. `reason` is
    why it cannot be delivered, 0 as long as it can.
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


class Link:
    """The connection of two ends in one process.

    `sender` and `receiver` count what each has sent and received, as the figures of DISPLAY
    CHSTATUS. The link meets the faults that are stored for the channel at the sending end, as they
    are when a batch begins.
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
        down = injected_faults.unreachable(self._faults, end.qmgr.now())
        if down is not None:
            faults.met(end.qmgr, down.id)
            raise ChannelEndedError(unreachable(address))
        bound = {"BUFSSENT": 1, "BYTSSENT": BIND_BYTES, "BUFSRCVD": 1, "BYTSRCVD": BIND_BYTES}
        self.sender, self.receiver = bound.copy(), bound.copy()

    def load_faults(self) -> None:
        """Look for the faults of the channel."""
        self._faults: list[ChannelFaultRow] = faults.faults(self._end.qmgr, self._end.channel)

    def step(self, step: Step, number: int) -> None:
        """A step of a batch: LinkBrokenError when a fault breaks the link there."""
        self._hook(step, number)
        if self._faults:
            self._meet(step, number)

    def _meet(self, step: Step, number: int) -> None:
        qmgr = self._end.qmgr
        for fault in injected_faults.acting(self._faults, step.value, number, qmgr.now()):
            faults.met(qmgr, fault.id)
            if fault.action != injected_faults.SLOW:
                raise self._broken()
            self._delay += fault.milliseconds * MILLISECOND
        self.load_faults()

    def _broken(self) -> LinkBrokenError:
        return LinkBrokenError(self._address, self._end.qmgr.name)

    def delayed(self) -> Steps:
        """Wait as long as faults of the last steps have slowed the link down, unless the channel
        is asked to stop.
        """
        if self._delay:
            qmgr = self._end.qmgr
            until, self._delay = qmgr.waiting_time() + self._delay, 0
            while qmgr.waiting_time() < until and not self._end.requested():
                yield self.wait(qmgr, until)

    def wait(self, qmgr: QueueManager, until: int | None, *, both: bool = False) -> Wait:
        """A wait for a moment of the queue manager's `waiting_time`, or for a change at either end.

        Unless `both`, a change at the receiving end matters only if a command stops it, and may be
        noticed later.
        """
        return (
            Wait(qmgr, until, self._stores)
            if both
            else Wait(qmgr, until, self._stores[:1], self._stores[1:])
        )

    def forward(self, size: int) -> None:
        """The sender sends `size` bytes."""
        _count(self.sender, self.receiver, size)

    def reply(self, size: int) -> None:
        """The receiver answers with `size` bytes."""
        _count(self.receiver, self.sender, size)


def _count(sent: dict[str, int], received: dict[str, int], size: int) -> None:
    sent["BUFSSENT"] += 1
    sent["BYTSSENT"] += size
    received["BUFSRCVD"] += 1
    received["BYTSRCVD"] += size
