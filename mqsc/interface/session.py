"""Sessions: connections to queue managers, with what most programs do on one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from mqsc.interface import errors
from mqsc.interface.connected import (
    AT_ONCE,
    REPLY,
    REQUEST,
    Connected,
    properties_of,
    with_properties,
)
from mqsc.interface.messages import (
    NOTHING,
    Body,
    ReceivedMessage,
    get_options,
    message_of,
    milliseconds_of,
    tenths_of,
)
from mqsc.interface.queue import INPUT, Queue
from mqsc.interface.replies import put_reply
from mqsc.interface.topic import Topic
from mqsc.interface.unit import Unit
from mqsc.store.argument_checks import must_be
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCO, MQMT, MQRC, MQRO, MQSO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.rules.properties.property_types import Value
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

if TYPE_CHECKING:
    from mqsc.language.reply import Reply


_REQUEST = int(MQMT.REQUEST)
_REPLY_MODEL = "SYSTEM.DEFAULT.MODEL.QUEUE"


class Session:
    """A connection to a queue manager, for one thread at a time. Leave its block normally to commit
    and disconnect.

    >>> with mqsc.connect("shop.db") as qmgr:
    ...     qmgr
    <mqsc.Session with QM1>
    """

    __module__ = "mqsc"

    def __init__(self, connector: Callable[[], Connection], release: Callable[[], object]) -> None:
        """`connector` makes the connection, `release` is called when it has ended."""
        # The MQI connection, for everything that is not here.
        self.connection = connector()
        self._connector = connector
        self._connected = Connected(self.connection)
        self._release = release
        self._replies: Queue | None = None

    @property
    def manager(self) -> QueueManager:
        """The queue manager.

        >>> qmgr.manager.name
        'QM1'
        """
        return self.connection.qmgr

    def queue(self, name: str) -> Queue:
        """A queue, which is opened when it is first used; a model queue is a new dynamic queue.

        >>> qmgr.queue("ORDERS")
        <mqsc.Queue ORDERS>
        """
        return Queue(self._connected, name)

    def topic(self, string: str) -> Topic:
        """A topic string, to publish to or, also with the wildcards + and #, to subscribe to.

        >>> qmgr.topic("prices/tea")
        <mqsc.Topic prices/tea>
        """
        return Topic(self._connected, string)

    def unsubscribe(self, name: str) -> None:
        """Remove the durable subscription of that name, with the publications that wait for it;
        CallFailed (2428) when there is none.

        >>> with qmgr.topic("prices/#") as prices:
        ...     _ = prices.messages(name="all prices")
        >>> qmgr.unsubscribe("all prices")
        """
        with self._connected.failures:
            descriptor = SubscriptionDescriptor(int(MQSO.RESUME), name=name)
            subscription = self.connection.subscribe(descriptor)
            subscription.close(int(MQCO.REMOVE_SUB))
            if subscription.queue is not None:
                subscription.queue.close()

    def unit(self) -> Unit:
        """A unit of work, for a `with` block: all puts and gets in it, or none. UnitInProgress if
        one is open.

        >>> with qmgr.unit(), qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine")
        """
        return Unit(self._connected)

    def run(self, mqsc: str) -> list[Reply]:
        """Run MQSC commands; CommandError for the first that fails.

        >>> qmgr.run("DISPLAY QLOCAL(ORDERS) MAXDEPTH")[0].rows[0]["MAXDEPTH"]
        5000
        """
        from mqsc.script import run

        if not self.connection.is_connected:
            raise errors.NotConnected(MQRC.HCONN_ERROR)
        return run(self.manager, must_be(str, mqsc, "mqsc"), check=True)

    def run_one(self, mqsc: str) -> Reply:
        """Run exactly one MQSC command; CommandError if it fails, ValueError for none or several.

        >>> qmgr.run_one("DISPLAY QLOCAL(ORDERS) MAXDEPTH").rows[0]["MAXDEPTH"]
        5000
        """
        from mqsc.script import run_one

        if not self.connection.is_connected:
            raise errors.NotConnected(MQRC.HCONN_ERROR)
        return run_one(self.manager, must_be(str, mqsc, "mqsc"), check=True)

    def request(
        self,
        queue: str,
        body: Body = None,
        *,
        json: object = NOTHING,
        timeout: timedelta | None = None,
        properties: Mapping[str, Value] | None = None,
        **named: Value,
    ) -> ReceivedMessage:
        """Put a request, which expires after `timeout`, and wait for its reply; NoReply. It is in
        no unit of work. Properties as for `Queue.put`.

        >>> with serving("ORDERS", lambda message: f"{message.text} is ready"):
        ...     qmgr.request("ORDERS", "one espresso machine", timeout=timedelta(seconds=20)).text
        'one espresso machine is ready'
        """
        wait, expiry = milliseconds_of(timeout, "timeout"), tenths_of(timeout, "timeout")
        message = message_of(body, json, expiry=expiry)
        all_properties = properties_of(named, properties, REQUEST)
        replies, options = self._ask(queue, message, all_properties, wait)
        try:
            with self._connected.failures:
                return replies._received(replies._handle(INPUT).get(options), options)
        except errors.NoMessage:
            raise errors.NoReply(MQRC.NO_MSG_AVAILABLE, queue) from None

    def _ask(
        self,
        queue: str,
        message: Message,
        properties: Mapping[str, Value],
        wait: int,
    ) -> tuple[Queue, GetMessageOptions]:
        """Put a request; the queue of its reply, and the options that get it."""
        if self._replies is None:
            self._replies = self.queue(_REPLY_MODEL)
        with self._connected.failures:
            self._replies._handle(INPUT)
            descriptor = message.descriptor
            descriptor.msg_type, descriptor.reply_to_q = _REQUEST, self._replies.name
            # A reply that comes too late expires, too.
            descriptor.report |= MQRO.PASS_DISCARD_AND_EXPIRY
            placed = self.connection.put1(queue, message, with_properties(properties, AT_ONCE))
        return self._replies, get_options(
            wait,
            syncpoint=False,
            correl_id=placed.msg_id,
            in_handle=self._replies._sees_properties,
        )

    def reply(
        self,
        request: ReceivedMessage,
        body: Body = None,
        *,
        json: object = NOTHING,
        properties: Mapping[str, Value] | None = None,
        **named: Value,
    ) -> MessageDescriptor:
        """Put the reply to a request, in the unit of work if one is open. ValueError if it asks for
        none. Properties as for `Queue.put`.

        >>> qmgr.reply(first, "ready")
        Traceback (most recent call last):
        ValueError: the message names no queue for replies
        """
        all_properties = properties_of(named, properties, REPLY)
        return put_reply(self._connected, request, body, json=json, properties=all_properties)

    def close(self) -> None:
        """Commit and disconnect.

        >>> another = mqsc.connect("shop.db")
        >>> another.close()
        """
        self.__exit__(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            with self._connected.failures:
                self.connection.__exit__(kind)
        finally:
            release, self._release = self._release, nothing
            release()

    def __repr__(self) -> str:
        return repr(self._connected)


def nothing() -> None:
    """What a session releases that was closed, or whose store the program has opened."""
