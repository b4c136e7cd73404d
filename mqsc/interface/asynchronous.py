"""The interface for asyncio and trio. Only waiting is asynchronous: every call is one short
transaction.

A call is made in the thread of the event loop, after a point where its task can be cancelled and
before the next one. So a task that is cancelled has either not made the call or has its result: no
message is lost in between.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from os import PathLike
from typing import TYPE_CHECKING

from anyio.lowlevel import checkpoint

from mqsc.interface import errors
from mqsc.interface.asynchronous_queue import AsyncQueue
from mqsc.interface.asynchronous_topic import AsyncTopic
from mqsc.interface.asynchronous_unit import AsyncUnit, session_of_task
from mqsc.interface.asynchronous_wait import noticed, received
from mqsc.interface.connected import REQUEST, properties_of
from mqsc.interface.connecting import connect
from mqsc.interface.messages import (
    NOTHING,
    Body,
    ReceivedMessage,
    message_of,
    milliseconds_of,
    tenths_of,
    without_wait,
)
from mqsc.interface.queue import INPUT
from mqsc.interface.session import Session
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.state import Result
from mqsc.store.rules.properties.property_types import Value

if TYPE_CHECKING:
    from mqsc.language.reply import Reply


@asynccontextmanager
async def aconnect(
    store: str | PathLike[str] | Store | None = None,
    *,
    qmgr: str = "",
    create: bool = False,
    application: str = "",
    user: str = "",
    password: str | None = None,
) -> AsyncIterator[AsyncSession]:
    """Connect as `connect` does, for an `async with` block, under asyncio or trio.

    >>> async def main():
    ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
    ...         await orders.put("one espresso machine")
    ...         return await orders.get()
    >>> asyncio.run(main()).text
    'one espresso machine'
    """
    await checkpoint()
    session = connect(
        store,
        qmgr=qmgr,
        create=create,
        application=application,
        user=user,
        password=password,
    )
    with session:
        opened = AsyncSession(session)
        try:
            yield opened
        finally:
            opened._end_units()


class AsyncSession:
    """A connection to a queue manager, for all tasks of an event loop; every unit of work has a
    connection of its own.

    >>> async def main():
    ...     async with mqsc.aconnect("shop.db") as qmgr:
    ...         return repr(qmgr)
    >>> asyncio.run(main())
    '<mqsc.AsyncSession with QM1>'
    """

    __module__ = "mqsc"

    def __init__(self, session: Session) -> None:
        self._session = session
        # Sessions of units of work, and those of them that wait for the next unit.
        self._others: set[Session] = set()
        self._idle: list[Session] = []

    def queue(self, name: str) -> AsyncQueue:
        """A queue, which is opened when it is first used.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return repr(qmgr.queue("ORDERS"))
        >>> asyncio.run(main())
        '<mqsc.AsyncQueue ORDERS>'
        """
        return AsyncQueue(self, name)

    def topic(self, string: str) -> AsyncTopic:
        """A topic string, to publish to or, also with the wildcards + and #, to subscribe to.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return repr(qmgr.topic("prices/tea"))
        >>> asyncio.run(main())
        '<mqsc.AsyncTopic prices/tea>'
        """
        return AsyncTopic(self, string)

    async def unsubscribe(self, name: str) -> None:
        """Remove the durable subscription of that name, with the publications that wait for it;
        CallFailed (2428) when there is none.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         async with qmgr.topic("prices/#") as prices:
        ...             prices.messages(name="all prices")
        ...         await qmgr.unsubscribe("all prices")
        >>> asyncio.run(main())
        """
        await self._call(lambda: self._session.unsubscribe(name))

    def unit(self) -> AsyncUnit:
        """A unit of work, for an `async with` block: all puts and gets of the task in it, or none.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         async with qmgr.unit():
        ...             await orders.put("one espresso machine")
        ...         return await orders.depth()
        >>> asyncio.run(main())
        1
        """
        return AsyncUnit(self)

    async def run(self, mqsc: str) -> list[Reply]:
        """Run MQSC commands; CommandError for the first that fails.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return await qmgr.run("PING QMGR")
        >>> asyncio.run(main())[0].completion
        0
        """
        return await self._call(lambda: self._session.run(mqsc))

    async def run_one(self, mqsc: str) -> Reply:
        """Run exactly one MQSC command; CommandError if it fails, ValueError for none or several.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return await qmgr.run_one("PING QMGR")
        >>> asyncio.run(main()).completion
        0
        """
        return await self._call(lambda: self._session.run_one(mqsc))

    async def request(
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
        no unit of work.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         serving = asyncio.create_task(orders.serve(lambda message: message.text.upper(), limit=1))
        ...         return await qmgr.request("ORDERS", "one cup", timeout=timedelta(seconds=20))
        >>> asyncio.run(main()).text
        'ONE CUP'
        """
        wait = milliseconds_of(timeout, "timeout")
        message = message_of(body, json, expiry=tenths_of(timeout, "timeout"))
        all_properties = properties_of(named, properties, REQUEST)
        replies, options = await self._call(
            lambda: self._session._ask(queue, message, all_properties, wait),
        )
        try:
            with self._session._connected.failures:
                return await received(replies, replies._handle(INPUT), without_wait(options))
        except errors.NoMessage:
            raise errors.NoReply(MQRC.NO_MSG_AVAILABLE, queue) from None

    async def reply(
        self,
        request: ReceivedMessage,
        body: Body = None,
        *,
        json: object = NOTHING,
        properties: Mapping[str, Value] | None = None,
        **named: Value,
    ) -> MessageDescriptor:
        """Put the reply to a request, in the unit of work that the task is in. ValueError if it
        asks for none.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         await qmgr.reply(first, "ready")
        >>> asyncio.run(main())
        Traceback (most recent call last):
        ValueError: the message names no queue for replies
        """
        return await self._call(
            lambda: self._current().reply(request, body, json=json, properties=properties, **named),
        )

    @property
    def manager(self) -> QueueManager:
        """The queue manager.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return qmgr.manager.name
        >>> asyncio.run(main())
        'QM1'
        """
        return self._session.manager

    async def _call(self, call: Callable[[], Result]) -> Result:
        """What a call returns that is made at once, unless the task is cancelled before."""
        await checkpoint()
        result = call()
        noticed(self._session)
        return result

    def _current(self) -> Session:
        """The session of the unit of work that the task is in, or that of all tasks."""
        return session_of_task(self)

    def _take(self) -> Session:
        """A session for a unit of work."""
        if not self._session.connection.is_connected:
            raise errors.NotConnected(MQRC.HCONN_ERROR)
        while self._idle:
            if (idle := self._idle.pop()).connection.is_connected:
                return idle
            self._others.discard(idle)
        with self._session._connected.failures:
            session = Session(self._session._connector, list)
        self._others.add(session)
        return session

    def _give_back(self, session: Session) -> None:
        """The unit of work has ended."""
        self._idle.append(session)

    def _end_units(self) -> None:
        """Disconnect the sessions of units of work; units that are open are backed out."""
        while self._others:
            other = self._others.pop()
            # One that is broken has been backed out, and the others must end, too.
            with suppress(errors.NotConnected):
                other.__exit__(BaseException if other._connected.is_in_unit else None)

    def __repr__(self) -> str:
        return repr(self._session).replace("Session", "AsyncSession")
