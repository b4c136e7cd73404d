"""The link between both ends: the partner's store, the waits, and the faults that were set."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from typing import NamedTuple

from mqsc.channels.end import ChannelEnd, text
from mqsc.store.admin.channel import faults, hosts
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.client.store_url import path_of
from mqsc.store.constants import MQCHS, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, StoreError
from mqsc.store.headers import mqxqh
from mqsc.store.rules.channel import injected_faults
from mqsc.store.rules.channel.connection_name import Address, address, addresses, map_key
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
        """The sender sends so many bytes."""
        _count(self.sender, self.receiver, size)

    def reply(self, size: int) -> None:
        """The receiver answers with so many bytes."""
        _count(self.receiver, self.sender, size)


def _count(sent: dict[str, int], received: dict[str, int], size: int) -> None:
    sent["BUFSSENT"] += 1
    sent["BYTSSENT"] += size
    received["BUFSRCVD"] += 1
    received["BYTSRCVD"] += size


# Why a run ends before its time: raised by both ends, caught where a run, a PING or a forecast
# begins.

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


# The queue manager at the other end, as CONNAME names it: in this store, in another, or behind a
# mapped host.


class Partner(NamedTuple):
    """The partner, and the address that led to it."""

    qmgr: QueueManager
    address: str


@contextmanager
def found_partner(own: QueueManager, connection_name: str) -> Iterator[Partner]:
    """The partner that the first usable address of a CONNAME leads to; its store is open in the
    block.

    ChannelEndedError with the reasons why none can be used: they count as a host that is down.
    """
    refused: list[str] = []
    tried = addresses(connection_name)
    for partner_address in tried:
        try:
            store, name, is_own = _opened(own, partner_address)
        except (MQError, StoreError) as error:
            refused.append(str(error).rstrip("."))
            continue
        try:
            try:
                qmgr = store.queue_manager(name)
            except MQError as error:
                refused.append(str(error).rstrip("."))
                continue
            if not qmgr.is_running and partner_address is not tried[-1]:
                refused.append(f"queue manager {qmgr.name} is not running")
                continue
            yield Partner(qmgr, partner_address.text)
            return
        finally:
            if not is_own:
                # On a full disk even that may fail. It is closed all the same, and says nothing
                # about the channel.
                with suppress(StoreError):
                    store.close()
    detail = "; ".join(refused) or "CONNAME is blank"
    raise ChannelEndedError(text("AMQ9202E", partner=connection_name, detail=detail))


def _opened(own: QueueManager, tried: Address) -> tuple[Store, str, bool]:
    """The store that an address leads to, the queue manager's name in it, and whether it is the
    store of `own`.
    """
    where = tried
    if tried.is_host:
        target = hosts.mapped(own.store, map_key(tried.text))
        if target:
            where = address(target)
        elif not tried.queue_manager or tried.queue_manager not in (
            row.name for row in own.store.queue_managers()
        ):
            raise StoreError(f"the host {tried.text} is not mapped to a store")
    if not where.store:
        return own.store, where.queue_manager, True
    path = path_of(where.store)
    if path is None:
        raise StoreError(f"{where.store} does not name a file")
    if path == own.store.path:
        return own.store, where.queue_manager, True
    store = open_store(where.store, own.store.environment, create=False)
    store.is_administrators = own.store.is_administrators
    return store, where.queue_manager, False


class Wait(NamedTuple):
    """The run can do nothing more until a store changes, or until a moment of a queue manager's
    `waiting_time`.

    `until` is that moment in microseconds, None for no deadline. A change of one of the stores
    `rarely`, which is that of the partner, may be noticed a second later.
    """

    qmgr: QueueManager
    until: int | None
    stores: tuple[Store, ...]
    rarely: tuple[Store, ...] = ()


class Ending(NamedTuple):
    """How a run ended: the status of the channel, the message about the cause, and whether the
    channel had failed.
    """

    status: MQCHS
    message: str
    failed: bool
    retry_at: int | None = None


Run = Generator[Wait, None, Ending]
Steps = Generator[Wait, None, None]
