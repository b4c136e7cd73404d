"""Programs that publish and subscribe, in few words."""

from __future__ import annotations

from typing import Any

import mqsc
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.subscription import Subscription
from mqsc.store.constants import MQOO, MQOT, MQPMO, MQRC, MQSO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

CREATE, MANAGED, DURABLE = MQSO.CREATE, MQSO.MANAGED, MQSO.DURABLE
RESUME, ALTER = MQSO.RESUME, MQSO.ALTER
RETAIN, SYNCPOINT = MQPMO.RETAIN, MQPMO.SYNCPOINT


def reason_of(call: Any, *given: Any, **named: Any) -> int:
    """The reason of a call that fails, 0 for one that does not."""
    try:
        call(*given, **named)
    except MQError as error:
        return int(error.reason)
    return 0


class Publishers:
    """A queue manager with a connection for each program, by its name."""

    def __init__(self, qmgr: QueueManager) -> None:
        self.qmgr = qmgr
        self._connections: dict[str, Connection] = {}

    def program(self, name: str = "A", user: str = "") -> Connection:
        """The connection of a program, made when it is first named."""
        if name not in self._connections:
            self._connections[name] = self.qmgr.connect(name, user)
        return self._connections[name]

    def run(self, script: str) -> list[Any]:
        """Run MQSC that succeeds."""
        return list(mqsc.run(self.qmgr, script, check=True))

    def refused(self, command: str) -> Any:
        """The reply to a command that fails."""
        [reply] = mqsc.run(self.qmgr, command)
        assert reply.completion == 2, reply
        return reply

    def rows(self, command: str) -> list[dict[str, Any]]:
        """The rows of a DISPLAY; none when nothing is found."""
        [reply] = mqsc.run(self.qmgr, command)
        return list(reply.rows)

    def subscribe(
        self,
        string: str,
        options: int = CREATE | MANAGED,
        *,
        program: str = "A",
        user: str = "",
        queue: ObjectHandle | None = None,
        **fields: Any,
    ) -> Subscription:
        """MQSUB; by default S1 of the specification, managed and not durable."""
        descriptor = SubscriptionDescriptor(options, object_string=string, **fields)
        return self.program(program, user).subscribe(descriptor, queue)

    def publish(
        self,
        string: str,
        body: str = "hi",
        options: int = 0,
        *,
        program: str = "P",
        user: str = "",
        topic: str = "",
        level: int = 9,
        handle: Any = None,
        **fields: Any,
    ) -> tuple[MessageDescriptor, int]:
        """MQPUT1 to a topic: the descriptor that it returns, and the reason of a warning or 0."""
        message = Message(body.encode(), MessageDescriptor(**fields))
        wanted = PutMessageOptions(options, publication_level=level, message_handle=handle)
        placed = self.program(program, user).put1(
            topic, message, wanted, object_type=MQOT.TOPIC, object_string=string
        )
        return placed, int(message.reason)

    def topic(self, string: str, *, name: str = "", program: str = "P") -> ObjectHandle:
        """MQOPEN of a topic for publishing."""
        return self.program(program).open(
            name, MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string=string
        )

    def queue(self, name: str, *, program: str = "A") -> ObjectHandle:
        """MQOPEN of a queue for input."""
        return self.program(program).open(name, MQOO.INPUT_SHARED)

    def events(self, *kinds: str) -> list[tuple[Any, ...]]:
        """(kind, cause, target) of the events of these kinds."""
        query = "SELECT kind, cause, target, detail FROM event ORDER BY seq"
        found = self.qmgr.store.read(lambda reading: reading.all(query))
        return [row for row in found if row[0] in kinds]


def gets(*readable: Subscription | ObjectHandle) -> list[str]:
    """The data of all messages that can be got, in order, of one queue after the other."""
    return [each.body.decode() for each in messages(*readable)]


def messages(*readable: Subscription | ObjectHandle) -> list[Message]:
    """All messages that can be got."""
    found: list[Message] = []
    for each in readable:
        handle = each.queue if isinstance(each, Subscription) else each
        assert handle is not None
        while (message := _next(handle)) is not None:
            found.append(message)
    return found


def _next(handle: ObjectHandle) -> Message | None:
    """The next message without its properties, or None."""
    try:
        return handle.get(GetMessageOptions(property_control="NONE"))
    except MQError as error:
        if error.reason != MQRC.NO_MSG_AVAILABLE:
            raise
        return None
