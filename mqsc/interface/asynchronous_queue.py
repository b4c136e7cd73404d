"""Queues of an asynchronous session."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from datetime import timedelta
from functools import partial
from inspect import isawaitable

from anyio.lowlevel import checkpoint

from mqsc.interface import errors
from mqsc.interface.asynchronous_object import AsyncObject, Owner, awaited
from mqsc.interface.asynchronous_unit import AsyncUnit
from mqsc.interface.asynchronous_wait import received, waited
from mqsc.interface.messages import (
    ReceivedMessage,
    browse_options,
    get_options,
    milliseconds_of,
    without_wait,
)
from mqsc.interface.queue import BROWSE, INPUT, Queue
from mqsc.interface.replies import put_answer
from mqsc.interface.session import Session


class AsyncQueue(AsyncObject[Queue]):
    """A queue of an asynchronous session.

    >>> async def main():
    ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
    ...         await orders.put("one espresso machine", color="red")
    ...         async for message in orders.messages(where="color = 'red'"):
    ...             return message.text
    >>> asyncio.run(main())
    'one espresso machine'
    """

    __module__ = "mqsc"

    def __init__(self, owner: Owner, name: str) -> None:
        super().__init__(owner, owner._session.queue(name))

    @property
    def name(self) -> str:
        """The name; of a model queue, once it is open, that of the dynamic queue.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return qmgr.queue("ORDERS").name
        >>> asyncio.run(main())
        'ORDERS'
        """
        return self._shared.name

    @awaited(Queue.put)
    def put(self) -> None:
        """Put text, bytes, a value as JSON, or a Message, as `Queue.put` does.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         return await orders.put(json={"item": "espresso machine"}, priority=5, color="red")
        >>> asyncio.run(main()).priority
        5
        """

    @awaited(Queue.depth)
    def depth(self) -> None:
        """How many messages the queue holds, uncommitted ones included.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return await qmgr.queue("ORDERS").depth()
        >>> asyncio.run(main())
        0
        """

    async def get(
        self,
        wait: timedelta | None = None,
        *,
        where: str = "",
        msg_id: bytes = b"",
        correl_id: bytes = b"",
    ) -> ReceivedMessage:
        """The next message that `where` and the identifiers select; NoMessage if none comes in
        time.

        Without `wait` it waits forever; timedelta(0) does not wait. Cancelling it leaves the
        message on the queue.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         await orders.get(timedelta(0))
        >>> asyncio.run(main())
        Traceback (most recent call last):
        mqsc.NoMessage: 2033 MQRC_NO_MSG_AVAILABLE (ORDERS): ...
        """
        interval = milliseconds_of(wait)
        await checkpoint()
        queue = self._current()
        options = without_wait(queue._options(interval, msg_id, correl_id))
        with queue._selecting(INPUT, where) as handle, self._owner._session._connected.failures:
            return await received(queue, handle, options)

    async def messages(
        self,
        wait: timedelta | None = None,
        *,
        where: str = "",
    ) -> AsyncIterator[ReceivedMessage]:
        """Get messages one by one until none comes in time; without `wait`, forever.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         await orders.put("one")
        ...         await orders.put("two")
        ...         return [message.text async for message in orders.messages(wait=timedelta(0))]
        >>> asyncio.run(main())
        ['one', 'two']
        """
        while True:
            try:
                message = await self.get(wait, where=where)
            except errors.NoMessage:
                return
            yield message

    async def browse(
        self,
        wait: timedelta | None = timedelta(0),
        *,
        where: str = "",
    ) -> AsyncGenerator[ReceivedMessage]:
        """Read messages one by one, and leave them there, until none comes in time.

        By default it ends after those that are there; with None it waits forever for more, so that
        a task can wait for messages that others get. The cursor only moves forward, as for
        `Queue.browse`.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         await orders.put("one espresso machine")
        ...         return [message.text async for message in orders.browse()]
        >>> asyncio.run(main())
        ['one espresso machine']
        """
        milliseconds = milliseconds_of(wait)
        await checkpoint()
        with self._current()._selecting(BROWSE, where) as handle:
            while True:
                options = without_wait(browse_options(milliseconds))
                try:
                    with self._owner._session._connected.failures:
                        message = await waited(handle, options, partial(handle.get, options))
                except errors.NoMessage:
                    return
                yield ReceivedMessage(message)
                await checkpoint()

    async def serve(
        self,
        function: Callable[[ReceivedMessage], object | Awaitable[object]],
        *,
        wait: timedelta | None = None,
        limit: int | None = None,
    ) -> int:
        """Answer requests as `Queue.serve` does, with a function that may be `async`; how many.

        >>> async def answer(message):
        ...     return f"{message.text} is ready"
        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         await orders.put("one espresso machine")
        ...         return await orders.serve(answer, wait=timedelta(0))
        >>> asyncio.run(main())
        1
        """
        options = without_wait(get_options(milliseconds_of(wait), syncpoint=True))
        await checkpoint()
        session = self._owner._take()
        try:
            with session._connected.failures:
                consumer = session.connection.consumer(
                    self.name,
                    wait=0,
                    limit=limit,
                    property_control="NONE",
                )
                with consumer:
                    while limit is None or consumer.delivered < limit:
                        async with AsyncUnit(self._owner, session):
                            try:
                                message = await waited(consumer.handle, options, consumer.receive)
                            except errors.NoMessage:
                                break
                            request = ReceivedMessage(message)
                            answer = function(request)
                            put_answer(
                                session._connected,
                                request,
                                await answer if isawaitable(answer) else answer,
                            )
                    return consumer.delivered
        finally:
            self._owner._give_back(session)

    def _made_in(self, session: Session) -> Queue:
        return session.queue(self.name)

    def __repr__(self) -> str:
        return f"<mqsc.AsyncQueue {self.name}>"
