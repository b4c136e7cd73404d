"""Queues of a session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Self

from mqsc.interface import errors
from mqsc.interface.connected import PUT, Connected, close_handle, properties_of, with_properties
from mqsc.interface.messages import (
    NOTHING,
    Body,
    ReceivedMessage,
    browse_options,
    get_options,
    message_of,
    milliseconds_of,
    persistence_of,
    tenths_of,
)
from mqsc.interface.replies import Answer, put_answer
from mqsc.interface.unit import Unit
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQIA, MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.rules.properties.property_types import Value

INPUT = int(MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING)
_OUTPUT = int(MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
BROWSE = int(MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING)
_INQUIRE = int(MQOO.INQUIRE | MQOO.FAIL_IF_QUIESCING)


class Queue:
    """A queue of a session.

    >>> with qmgr.queue("ORDERS") as orders:
    ...     _ = orders.put("one espresso machine", priority=5, expiry=timedelta(minutes=1), color="red")
    ...     for message in orders.messages(wait=timedelta(0), where="color = 'red'"):
    ...         print(message.text, message.priority, message.properties["color"])
    one espresso machine 5 red
    """

    __module__ = "mqsc"

    def __init__(self, connected: Connected, name: str) -> None:
        # Of a model queue, once it is open, that of the dynamic queue.
        self.name = name
        self._connected = connected
        self._handles: dict[int, ObjectHandle] = {}
        # Whether the last message had properties, so that the next one is likely to.
        self._sees_properties = False

    def put(
        self,
        /,
        body: Body = None,
        *,
        json: object = NOTHING,
        priority: int | None = None,
        persistent: bool | None = None,
        expiry: timedelta | None = None,
        correl_id: bytes | None = None,
        reply_to: str | None = None,
        properties: Mapping[str, Value] | None = None,
        **named: Value,
    ) -> MessageDescriptor:
        """Put text, bytes, a value as JSON, or a Message; the descriptor as it was placed. Other
        names are properties, as are those in `properties`; TypeError for a typing error of an
        argument.

        A message that was got is put with its properties. QueueFull, MessageTooBig, Inhibited,
        NotFound; TypeError or ValueError for what cannot be put.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     placed = orders.put("one espresso machine", priority=5, color="red", size=3)
        >>> placed.priority, len(placed.msg_id)
        (5, 24)
        """
        all_properties = properties_of(named, properties, PUT) if named or properties else named
        if isinstance(body, ReceivedMessage):
            all_properties = {**body.properties, **all_properties}
            body = body.message
        message = message_of(
            body,
            json,
            priority=priority,
            persistence=persistence_of(persistent),
            expiry=tenths_of(expiry),
            correl_id=correl_id,
            reply_to_q=reply_to,
        )
        connected = self._connected
        with connected.failures:
            options = with_properties(all_properties, connected.put_options)
            return self._handle(_OUTPUT).put(message, options)

    def get(
        self,
        wait: timedelta | None = None,
        *,
        where: str = "",
        msg_id: bytes = b"",
        correl_id: bytes = b"",
    ) -> ReceivedMessage:
        """The next message that `where` and the identifiers select; NoMessage if none comes in
        time.

        Without `wait` it waits forever; timedelta(0) does not wait.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine", size=3)
        ...     orders.get(timedelta(seconds=1), where="size > 2").text
        'one espresso machine'
        """
        options = self._options(milliseconds_of(wait), msg_id, correl_id)
        with self._selecting(INPUT, where) as handle, self._connected.failures:
            return self._received(handle.get(options), options)

    def messages(
        self,
        wait: timedelta | None = None,
        *,
        where: str = "",
    ) -> Iterator[ReceivedMessage]:
        """Get messages one by one until none comes in time; without `wait`, forever.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one"), orders.put("two")
        ...     [message.text for message in orders.messages(wait=timedelta(0))]
        ['one', 'two']
        """
        milliseconds = milliseconds_of(wait)
        with self._selecting(INPUT, where) as handle:
            while True:
                try:
                    options = self._options(milliseconds)
                    with self._connected.failures:
                        message = handle.get(options)
                except errors.NoMessage:
                    return
                yield self._received(message, options)

    def browse(
        self,
        wait: timedelta | None = timedelta(0),
        *,
        where: str = "",
    ) -> Iterator[ReceivedMessage]:
        """Read messages one by one, and leave them there, until none comes in time.

        By default it ends after those that are there; with None it waits forever for more. As in
        MQ, the cursor only moves forward: a message that is put before it, such as one with a higher
        priority, is seen by the next `browse`.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine")
        ...     [message.text for message in orders.browse()], orders.depth()
        (['one espresso machine'], 1)
        """
        milliseconds = milliseconds_of(wait)
        with self._selecting(BROWSE, where) as handle:
            while True:
                try:
                    with self._connected.failures:
                        message = handle.get(browse_options(milliseconds))
                except errors.NoMessage:
                    return
                yield ReceivedMessage(message)

    def serve(
        self,
        function: Answer,
        *,
        wait: timedelta | None = None,
        limit: int | None = None,
    ) -> int:
        """Answer requests with what `function` returns for each, until none comes in time; how
        many.

        Text, bytes or a value in JSON is the reply, None is none. Request, reply and what
        `function` does are a unit of work, which an exception backs out; BOTHRESH and BOQNAME
        apply.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine")
        ...     orders.serve(lambda message: print(message.text), wait=timedelta(0))
        one espresso machine
        1
        """
        connected = self._connected
        with connected.failures:
            consumer = connected.connection.consumer(
                self.name,
                wait=milliseconds_of(wait),
                limit=limit,
                property_control="NONE",
            )
            with consumer:
                while True:
                    with Unit(connected):
                        message = consumer.receive()
                        if message is None:
                            return consumer.delivered
                        request = ReceivedMessage(message)
                        put_answer(connected, request, function(request))

    def depth(self) -> int:
        """How many messages the queue holds, uncommitted ones included.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     orders.depth()
        0
        """
        with self._connected.failures:
            inquired = self._handle(_INQUIRE).inquire(MQIA.CURRENT_Q_DEPTH)
        return int(inquired[MQIA.CURRENT_Q_DEPTH])

    def _options(self, wait: int, msg_id: bytes = b"", correl_id: bytes = b"") -> GetMessageOptions:
        in_unit, in_handle = self._connected.is_in_unit, self._sees_properties
        return get_options(
            wait,
            syncpoint=in_unit,
            msg_id=msg_id,
            correl_id=correl_id,
            in_handle=in_handle,
        )

    def _received(self, message: Message, options: GetMessageOptions) -> ReceivedMessage:
        """The message that a get with these options returned."""
        self._sees_properties = message.stored is not None
        return ReceivedMessage(message, options.message_handle)

    def _handle(self, purpose: int) -> ObjectHandle:
        """The MQI handle for a purpose, opened when it is first used."""
        handle = self._handles.get(purpose)
        if handle is None or not handle.is_open:
            handle = self._handles[purpose] = self._connected.connection.open(self.name, purpose)
            self.name = handle.name
        return handle

    @contextmanager
    def _selecting(self, purpose: int, where: str) -> Iterator[ObjectHandle]:
        """A handle for the messages that `where` selects; the queue's own serves all gets of any
        message.
        """
        with self._connected.failures:
            if where or purpose == BROWSE:
                handle = self._connected.connection.open(self.name, purpose, selection=where)
            else:
                handle = self._handle(purpose)
        try:
            yield handle
        finally:
            # It has a selector or a cursor of its own.
            if self._handles.get(purpose) is not handle:
                close_handle(handle)

    def close(self) -> None:
        """Close the queue; the next use opens it again.

        >>> orders = qmgr.queue("ORDERS")
        >>> orders.close()
        """
        while self._handles:
            close_handle(self._handles.popitem()[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mqsc.Queue {self.name}>"
