"""What a call brings about beyond its own message, as values; `settle` alone carries them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from store.descriptor import MessageDescriptor
from store.sql.message_insert import InsertTemplate


class Arrival(NamedTuple):
    """A message to place: its descriptor with every field decided, and its data.

    `continues`: it is a later segment of the message before it, which the queue manager split. `form`: that of its
    row, where it is known already.
    """

    descriptor: MessageDescriptor
    body: bytes
    continues: bool = False
    form: InsertTemplate | None = None


TRIGGER, REPORT, EVENT = "TRIGGER", "REPORT", "EVENT"


@dataclass(slots=True)
class Deliver:
    """A message that the queue manager makes: a trigger message, a report or an event message.

    `unit` is the unit of work it belongs to or None, `kept` says that it stays when that unit is backed out.
    `dead_letter` says that it goes to the dead-letter queue when its own queue cannot take it; it is lost otherwise.
    `cause`, `about`, `rule` and `detail` are what the history says of it; `chain` are the queues whose triggering led
    here, which it does not trigger again.
    """

    kind: str
    queue: str
    queue_manager: str
    descriptor: MessageDescriptor
    body: bytes
    cause: str
    about: str
    unit: int | None = None
    kept: bool = False
    dead_letter: bool = True
    reason: int = 0
    rule: str | None = None
    detail: dict[str, object] = field(default_factory=dict)
    chain: frozenset[str] = frozenset()


Effect = Deliver
