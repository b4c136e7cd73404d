"""The effects of a call besides its own message, as values; `deliver` alone carries them out."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.state import CallContext
from mqsc.store.sql.message_insert import InsertForm


class Arrival(Struct):
    """A message to enqueue: its complete descriptor and its data.

    `continues`: it is a further segment of the message before it, which the queue manager split.
    `form`: how it is inserted, where that is already known; its data then has neither properties of
    a program nor a dead-letter header. `event` is the number of its PUT event once it is enqueued,
    if it has a dead-letter header and its queue records puts. `subscription` is the one for which
    it is a copy of a publication, by name or identifier.
    """

    descriptor: MessageDescriptor
    body: bytes
    continues: bool = False
    form: InsertForm | None = None
    event: int = 0
    subscription: str = ""


class Placement(Struct, frozen=True):
    """How messages are stored: `unit` hides them until it commits, and `kept` messages stay when it
    is backed out.

    The queues in `chain` are not triggered again. A trigger message that they cause goes to the
    dead-letter queue when its own queue refuses it, if `dead_letter_triggers`. `copies` for a
    stream queue are not copied again. Copies of a publication have the number of its PUBLISH in
    `publication`, 0 if it was retained before.
    """

    unit: int | None = None
    kept: bool = False
    chain: frozenset[str] = frozenset()
    dead_letter_triggers: bool = True
    copies: bool = False
    publication: int | None = None


ALONE = Placement()
TRIGGER = "TRIGGER"
REPORT = "REPORT"
EVENT = "EVENT"


class Deliver(Struct):
    """A message that the queue manager generates: a trigger message, a report or an event message.

    `unit` is the unit of work it belongs to, or None; `kept` means that it stays when that unit is
    backed out. `dead_letter` means that it goes to the dead-letter queue when its own queue refuses
    it; otherwise it is lost. `cause`, `about`, `rule` and `detail` are recorded in the history.
    `chain` holds the queues whose triggering led here; it does not trigger those again.

    `acting`: as which queue manager it is generated, with all that follows; None for the caller's.
    `owner` is the owner of the queue in `about`, if it may be a queue-sharing group.
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
    acting: CallContext | None = None
    owner: str = ""

    @property
    def is_event(self) -> bool:
        return self.kind == EVENT


class CopyToStream(Struct, frozen=True):
    """Messages just put on a queue with STREAMQ, which are to be copied to its stream queue.

    `unit`, `kept` and `chain` are those of the messages, as in `Deliver`.
    """

    stream_queue: str
    arrivals: Sequence[Arrival]
    unit: int | None = None
    kept: bool = False
    chain: frozenset[str] = frozenset()


Effect = Deliver | CopyToStream
