"""Who makes a call, when, and on which queue manager: every event and every decision needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from operator import methodcaller
from typing import Any

from msgspec import Struct

from store.environment import Clock, Environment
from store.rules.command_messages import Issuer
from store.rules.made_message import Maker
from store.sql.rows import ManagerRow


class Command:
    """A command that is being performed: what its event messages share, and what its transactions saw."""

    __slots__ = ("event_setting", "identifier", "issuer")

    def __init__(self, issuer: Issuer | None = None) -> None:
        # Who sent it as a message; None for a command that was typed.
        self.issuer = issuer
        # The CorrelId of its event messages; blank before the first of them.
        self.identifier = b""
        # CMDEV as a number of its column when the command began; None until a transaction has read it.
        self.event_setting: int | None = None

    def identified(self, call: CallContext) -> bytes:
        """The CorrelId of the event messages about the command."""
        self.identifier = self.identifier or call.new_identifier()
        return self.identifier


class CallContext(Struct, frozen=True):
    """The queue manager as this transaction sees it, its time, and who caused the call, perhaps with a command."""

    qmgr: ManagerRow
    now: int
    environment: Environment[Clock]
    connection: int | None = None
    application: str = ""
    user: str = ""
    command: Command | None = None

    def new_identifier(self) -> bytes:
        """24 bytes for a message that the queue manager generates."""
        number = (self.environment.salt + next(self.environment.message_numbers)) % _UNIQUE
        return _of_queue_manager(self.qmgr.name) + _eight_bytes(number)

    def maker(self) -> Maker:
        """The queue manager as the maker of a new message."""
        return Maker(self.qmgr.name, self.qmgr.ccsid, self.new_identifier(), self.now)

    def event(self, kind: str, **columns: Any) -> dict[str, Any]:
        """A row of the history with this call as its cause."""
        by = {"connection": self.connection, "application": self.application, "user": self.user}
        return {"at": self.now, "qmgr": self.qmgr.name, "kind": kind, **by, **columns}


def time_of(qmgr: ManagerRow, environment: Environment[Clock]) -> int:
    """The queue manager's time in microseconds UTC.

    A frozen clock overrides a manual one, and a manual one the machine's. A manual clock is a column of the queue
    manager's row, shared by all processes (design §3.7).
    """
    if qmgr.clock_at is None or environment.clock.frozen:
        return environment.clock.now()
    return int(qmgr.clock_at)


_UNIQUE = 1 << 64
_eight_bytes: Callable[[int], bytes] = methodcaller("to_bytes", 8, "big")


def identifiers(qmgr: str, salt: int, connection: int) -> Iterator[bytes]:
    """The identifiers of the messages of a connection: 24 bytes each, which no other message has.

    `AMQ `, 12 of the queue manager's name, 8 from the connection and a number. That pair is unique in one store; the
    environment's salt makes stores differ.
    """
    first = (salt + (connection << 32) + 1) % _UNIQUE
    numbers = chain(range(first, _UNIQUE), range(first))
    return map(_of_queue_manager(qmgr).__add__, map(_eight_bytes, numbers))


@lru_cache(maxsize=64)
def _of_queue_manager(name: str) -> bytes:
    return b"AMQ " + name[:12].ljust(12).encode("ascii", "replace")
