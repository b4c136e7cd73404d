"""An event message of MQ, in the one form into which all others are read (import-events §4).

Each parameter has the key that amqsevt gives it in JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mqsc.imports.source_text import Piece


class EventMessage(NamedTuple):
    """An event message: its type (MQCMD) and reason (MQRC), when it was put, and its parameters by
    key.

    `qmgr` is that of the event queue, blank if the source does not say it. `state` is `Before` or
    `After` for a change of a configuration; `correlation` relates such messages. A group of
    parameters is a mapping, repeated ones a list.
    """

    piece: Piece
    type: int
    reason: int
    at: int
    precision: str
    qmgr: str
    queue: str
    state: str
    correlation: str
    data: Mapping[str, Any]

    def identity(self) -> tuple[object, ...]:
        """What the same message has in another file too."""
        return (
            self.type,
            self.reason,
            self.at,
            self.state,
            self.correlation,
            sorted(self.data.items()),
        )
