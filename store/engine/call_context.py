"""Who makes a call, when, and on which queue manager: what every event and every decision needs to know."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from store.environment import Clock, Environment
from store.sql.rows import ManagerRow


class CallContext(NamedTuple):
    """The queue manager as it is in this transaction, its time, and whoever causes what happens."""

    qmgr: ManagerRow
    now: int
    environment: Environment[Clock]
    connection: int | None = None
    application: str = ""
    user: str = ""

    def new_identifier(self) -> bytes:
        """24 bytes for a message that the queue manager makes itself."""
        return identifier(self, 0, next(self.environment.made))

    def event(self, kind: str, **columns: Any) -> dict[str, Any]:
        """A row of the history caused by this caller, now."""
        return {
            "at": self.now,
            "qmgr": self.qmgr.name,
            "kind": kind,
            "connection": self.connection,
            "application": self.application,
            "user": self.user,
            **columns,
        }


def time_of(qmgr: ManagerRow, environment: Environment[Clock]) -> int:
    """The queue manager's time in microseconds UTC: a frozen clock goes before a manual one, that before the machine's.

    Design §3.7: a manual clock is a column of the queue manager's row, shared by all processes.
    """
    if qmgr.clock_at is None or environment.clock.frozen:
        return environment.clock.now()
    return int(qmgr.clock_at)


_UNIQUE = 1 << 64


def identifier(call: CallContext, high: int, low: int) -> bytes:
    """24 bytes that no other message has: `AMQ `, the queue manager's name in 12, 8 made of two numbers.

    The numbers are unique together in one store; the salt of the environment keeps stores apart.
    """
    unique = (call.environment.salt + (high << 32) + low) % _UNIQUE
    return _of_queue_manager(call.qmgr.name) + unique.to_bytes(8, "big")


@lru_cache(maxsize=64)
def _of_queue_manager(name: str) -> bytes:
    return b"AMQ " + name[:12].ljust(12).encode("ascii", "replace")
