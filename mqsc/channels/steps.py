"""A run as steps: it yields what it waits for, and returns how it ended."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCHS


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
