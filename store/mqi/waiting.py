"""A get that waits: its deadline is on the queue manager's clock, new messages are noticed across processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from store.database import Reading
from store.mqi.calling import caller_of

if TYPE_CHECKING:
    from store.handle import ObjectHandle

# A look at the file's change counter costs microseconds; ten milliseconds apart it wakes a get well within 50 ms.
LOOK_SECONDS = 0.01
LOOKS_PER_LIVENESS_CHECK = 100
UNLIMITED = -1


class Deadline(NamedTuple):
    """When a wait ends, microseconds on the queue manager's clock; None for never."""

    at: int | None


def deadline(handle: ObjectHandle, wait_interval: int) -> Deadline:
    """The end of a wait of that many milliseconds that begins now; -1 is unlimited."""
    if wait_interval == UNLIMITED:
        return Deadline(None)
    with Reading(handle.connection.store.database) as reading:
        caller = caller_of(reading, handle.connection)
    return Deadline(caller.now + wait_interval * 1000)


def wait(handle: ObjectHandle, until: Deadline, seen: int) -> bool:
    """Wait until the store changed since `seen` or a look for dead processes is due (True), or the deadline (False)."""
    connection = handle.connection
    database, clock = connection.store.database, connection.store.environment.clock
    for _ in range(LOOKS_PER_LIVENESS_CHECK):
        if database.version() != seen:
            return True
        with Reading(database) as reading:
            caller = caller_of(reading, connection)
        if until.at is not None and caller.now >= until.at:
            return False
        clock.pause(LOOK_SECONDS)
    return True
