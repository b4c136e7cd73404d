"""A backout queue, and programs that move messages to it."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions

BOQ = "BACKOUT.QUEUE"


def put(qmgr: QueueManager, queue: str, data: str, **fields: object) -> None:
    with qmgr.connect("sender", "sam") as connection:
        connection.put1(queue, Message(data.encode(), MessageDescriptor(format="MQSTR", **fields)))  # type: ignore[arg-type]


def move(
    qmgr: QueueManager,
    queue: str,
    target: str = BOQ,
    *,
    application: str = "billing",
    backouts: int = 0,
    by_hand: bool = False,
) -> None:
    """Move the first message as a consumer does, after `backouts` backouts; if `by_hand`,
    without an outcome.
    """
    with qmgr.connect(application, "alice") as connection:
        source = connection.open(queue, MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
        for _ in range(backouts):
            source.get(GetMessageOptions(MQGMO.SYNCPOINT))
            connection.back()
        message = source.get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.put1(
            target,
            message,
            PutMessageOptions(MQPMO.SYNCPOINT | MQPMO.PASS_ALL_CONTEXT, context=source),
        )
        connection.commit(None if by_hand else MessageOutcome("REQUEUE", "poison", target))


def back_out(qmgr: QueueManager, queue: str, data: str, **how: object) -> None:
    """Put a message and move it to the backout queue."""
    put(qmgr, queue, data)
    move(qmgr, queue, **how)  # type: ignore[arg-type]
