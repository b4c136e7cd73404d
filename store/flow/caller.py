"""Who makes a call, when, and on which queue manager: what every event and every decision needs to know."""

from __future__ import annotations

from typing import Any, NamedTuple

from store.environment import Clock, Environment
from store.sql.rows import ManagerRow


class Caller(NamedTuple):
    """The queue manager as it is in this transaction, its time, and whoever causes what happens."""

    qmgr: ManagerRow
    now: int
    salt: int
    connection: int | None = None
    application: str = ""
    user: str = ""

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
