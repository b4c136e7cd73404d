"""What a channel did, as an event of the history that belongs to the transaction of a call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from store.engine.call_context import CallContext
from store.published import KINDS
from store.sql import history
from store.sqlite.database import Transaction

CHANNEL = KINDS["CHANNEL"]


class ChannelEvent(Struct, frozen=True):
    """`cause` and the keys of `detail` are those of the kind CHANNEL in `store.published`; ValueError for others.

    `queue` is the transmission queue, blank at a receiver.
    """

    cause: str
    channel: str
    queue: str = ""
    reason: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        strange = {self.cause} - set(CHANNEL.causes) | set(self.detail) - set(CHANNEL.detail)
        if strange:
            raise ValueError(f"{CHANNEL.name} has no {', '.join(sorted(strange))}")

    def row(self, call: CallContext, unit: int | None) -> dict[str, Any]:
        """The event in the unit of work of that number, or outside one."""
        detail = json.dumps(self.detail, ensure_ascii=False) if self.detail else None
        about = {"cause": self.cause, "queue": self.queue, "target": self.channel, "reason": self.reason}
        return call.event(CHANNEL.name, **about, unit=unit, detail=detail)


def note(tx: Transaction, call: CallContext, events: Iterable[ChannelEvent], unit: int | None) -> None:
    """Append the events, in order."""
    history.append_all(tx, [each.row(call, unit) for each in events])
