"""The interface for asyncio and trio. Only waiting is asynchronous: every call is one short
transaction.

A call is made in the thread of the event loop, after a point where its task can be cancelled and
before the next one. So a task that is cancelled has either not made the call or has its result: no
message is lost in between.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from datetime import timedelta
from functools import partial, wraps
from inspect import isawaitable
from os import PathLike
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self
from weakref import WeakKeyDictionary

from anyio.lowlevel import checkpoint

from mqsc.interface import errors
from mqsc.interface.asynchronous_topic import AsyncTopic
from mqsc.interface.asynchronous_wait import noticed, received, waited
from mqsc.interface.connecting import connect
from mqsc.interface.messages import (
    NOTHING,
    Body,
    ReceivedMessage,
    browse_options,
    get_options,
    message_of,
    milliseconds_of,
    tenths_of,
    without_wait,
)
from mqsc.interface.queue import BROWSE, INPUT, Queue
from mqsc.interface.replies import put_answer
from mqsc.interface.session import Session
from mqsc.interface.unit import Unit
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.state import Result
from mqsc.store.rules.properties.property_types import Value

if TYPE_CHECKING:
    from mqsc.language.reply import Reply


Parameters = ParamSpec("Parameters")


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
        **properties: Value,
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
        replies, options = await self._call(
            lambda: self._session._ask(queue, message, properties, wait),
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
        **properties: Value,
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
            lambda: self._current().reply(request, body, json=json, **properties),
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
        return next(
            (each._session for each in _entered.get() if each._is_current(self) and each._session),
            self._session,
        )

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


class AsyncUnit:
    """A unit of work: committed at the end of its block, backed out by an exception, also that of
    cancelling.

    >>> async def main():
    ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
    ...         async with qmgr.unit() as unit:
    ...             await orders.put("one espresso machine")
    ...             await unit.back()
    ...         return await orders.depth()
    >>> asyncio.run(main())
    0
    """

    __module__ = "mqsc"

    def __init__(self, owner: AsyncSession, session: Session | None = None) -> None:
        self._owner = owner
        # That of the unit while it is open.
        self._session: Session | None = None
        self._callers_session = session
        self._is_in_block = False
        self._is_handed_over = False

    async def __aenter__(self) -> Self:
        await checkpoint()
        if self._owner._current() is not self._owner._session or self._is_in_block:
            raise errors.UnitInProgress(MQRC.UOW_IN_PROGRESS)
        if self._session is None:
            self._session = self._callers_session or self._owner._take()
            self._unit = Unit(self._session._connected)
            self._unit.__enter__()
        elif not self._session.connection.is_connected:
            raise errors.NotConnected(MQRC.HCONN_ERROR)
        self._is_in_block = True
        self._is_handed_over = False
        _entered.set((self, *_entered.get()))
        return self

    def hand_over(self) -> None:
        """Leave the unit open at the end of this block, for another task that goes on with it:
        `async with unit`.

        An exception in the block backs it out all the same; a unit with which no task goes on is
        backed out at the end of the session. ValueError outside of the block.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         await orders.put("one espresso machine")
        ...         async with qmgr.unit() as unit:
        ...             message = await orders.get()
        ...             unit.hand_over()
        ...         await asyncio.create_task(bill(orders, message, unit))
        >>> async def bill(orders, message, unit):
        ...     async with unit:
        ...         await orders.put(f"billed: {message.text}")
        >>> asyncio.run(main())
        """
        if not self._is_in_block or self._callers_session is not None:
            raise ValueError("only a unit of work that the program has begun can be handed over")
        self._is_handed_over = True

    async def commit(self) -> None:
        """Commit what was done up to here; what follows is another unit of work.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.unit() as unit:
        ...         await unit.commit()
        >>> asyncio.run(main())
        """
        await self._owner._call(self._unit.commit)

    async def back(self) -> None:
        """Back out what was done up to here; what follows is another unit of work.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.unit() as unit:
        ...         await unit.back()
        >>> asyncio.run(main())
        """
        await self._owner._call(self._unit.back)

    def _is_current(self, owner: AsyncSession) -> bool:
        """Whether calls of this session are in the unit now."""
        return self._owner is owner and self._is_in_block

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        _entered.set(tuple(each for each in _entered.get() if each is not self))
        self._is_in_block = False
        if self._is_handed_over and kind is None:
            return
        session, self._session = self._session, None
        try:
            self._unit.__exit__(kind)
            noticed(self._owner._session)
        finally:
            if session is not None and self._callers_session is None:
                self._owner._give_back(session)

    def __repr__(self) -> str:
        return f"<mqsc.AsyncUnit of {self._owner!r}>"


# The units of work that a task is in, the inner first; tasks that it starts in them are in them,
# too.
_entered: ContextVar[tuple[AsyncUnit, ...]] = ContextVar("mqsc units of work", default=())


def _awaited(
    call: Callable[Concatenate[Queue, Parameters], Result],
) -> Callable[
    [Callable[..., None]],
    Callable[Concatenate[AsyncQueue, Parameters], Coroutine[Any, Any, Result]],
]:
    """A decorator: the call as a method of AsyncQueue, with the name and the docstring of what
    is decorated.
    """

    def as_method(
        documented: Callable[..., None],
    ) -> Callable[Concatenate[AsyncQueue, Parameters], Coroutine[Any, Any, Result]]:
        @wraps(call)
        async def method(
            queue: AsyncQueue,
            /,
            *arguments: Parameters.args,
            **named: Parameters.kwargs,
        ) -> Result:
            return await queue._owner._call(lambda: call(queue._current(), *arguments, **named))

        method.__doc__, method.__qualname__ = documented.__doc__, documented.__qualname__
        return method

    return as_method


class AsyncQueue:
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

    def __init__(self, owner: AsyncSession, name: str) -> None:
        self._owner = owner
        self._named = Queue(owner._session._connected, name)
        self._queues: WeakKeyDictionary[Session, Queue] = WeakKeyDictionary(
            {owner._session: self._named},
        )

    @property
    def name(self) -> str:
        """The name; of a model queue, once it is open, that of the dynamic queue.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return qmgr.queue("ORDERS").name
        >>> asyncio.run(main())
        'ORDERS'
        """
        return self._named.name

    @_awaited(Queue.put)
    def put(self) -> None:
        """Put text, bytes, a value as JSON, or a Message, as `Queue.put` does.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        ...         return await orders.put(json={"item": "espresso machine"}, priority=5, color="red")
        >>> asyncio.run(main()).priority
        5
        """

    @_awaited(Queue.depth)
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

    def _current(self) -> Queue:
        """The queue in the session that the task uses."""
        session = self._owner._current()
        queue = self._queues.get(session)
        if queue is None:
            queue = self._queues[session] = session.queue(self.name)
        return queue

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for queue in self._queues.values():
            queue.close()

    def __repr__(self) -> str:
        return f"<mqsc.AsyncQueue {self.name}>"
