"""Topics of an asynchronous session."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from functools import partial
from typing import Protocol, Self
from weakref import WeakKeyDictionary

from anyio.lowlevel import checkpoint

from mqsc.interface import errors
from mqsc.interface.asynchronous_wait import waited
from mqsc.interface.messages import (
    NOTHING,
    Body,
    ReceivedMessage,
    get_options,
    milliseconds_of,
    without_wait,
)
from mqsc.interface.session import Session
from mqsc.interface.topic import Topic
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.engine.state import Result
from mqsc.store.rules.properties.property_types import Value


class _Owner(Protocol):
    """The asynchronous session, as its topics need it."""

    _session: Session

    def _current(self) -> Session: ...

    async def _call(self, call: Callable[[], Result]) -> Result: ...


class AsyncTopic:
    """A topic string of an asynchronous session, with wildcards if it is only subscribed to.

    >>> async def main():
    ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.topic("prices/+") as prices:
    ...         received = prices.messages()
    ...         await qmgr.topic("prices/tea").publish("3.20", currency="EUR")
    ...         async for message in received:
    ...             return message.topic, message.text
    >>> asyncio.run(main())
    ('prices/tea', '3.20')
    """

    __module__ = "mqsc"

    def __init__(self, owner: _Owner, string: str) -> None:
        self._owner = owner
        self._shared = Topic(owner._session._connected, string)
        # Those of units of work have handles of their own.
        self._topics: WeakKeyDictionary[Session, Topic] = WeakKeyDictionary(
            {owner._session: self._shared},
        )

    @property
    def string(self) -> str:
        """The topic string.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         return qmgr.topic("prices/tea").string
        >>> asyncio.run(main())
        'prices/tea'
        """
        return self._shared.string

    async def publish(
        self,
        /,
        body: Body = None,
        *,
        json: object = NOTHING,
        retain: bool = False,
        priority: int | None = None,
        persistent: bool | None = None,
        expiry: timedelta | None = None,
        **properties: Value,
    ) -> None:
        """Publish text, bytes, a value as JSON, or a Message, as `Topic.publish` does.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         await qmgr.topic("prices/tea").publish("3.20", currency="EUR")
        >>> asyncio.run(main())
        """
        await self._owner._call(
            lambda: self._current().publish(
                body,
                json=json,
                retain=retain,
                priority=priority,
                persistent=persistent,
                expiry=expiry,
                **properties,
            )
        )

    def messages(
        self, wait: timedelta | None = None, *, where: str = "", name: str = ""
    ) -> AsyncGenerator[ReceivedMessage]:
        """Subscribe now, and get publications one by one until none comes in time; without `wait`,
        forever. A later call goes on with the same subscription, until the topic is closed; tasks
        that share a topic share its publications. With a `name` the subscription is durable, as for
        `Topic.messages`.

        In a unit of work, the subscription belongs to the connection of that unit, and what is got
        is in the unit.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr, qmgr.topic("prices/#") as prices:
        ...         received = prices.messages(timedelta(0), where="currency = 'EUR'")
        ...         await qmgr.topic("prices/tea").publish("3.20", currency="EUR")
        ...         return [message.text async for message in received]
        >>> asyncio.run(main())
        ['3.20']
        """
        topic = self._current()
        milliseconds = milliseconds_of(wait)
        return self._received(topic, topic._subscribed(where, name), milliseconds)

    async def _received(
        self, topic: Topic, handle: ObjectHandle, milliseconds: int
    ) -> AsyncGenerator[ReceivedMessage]:
        connected = topic._connected
        while True:
            await checkpoint()
            options = without_wait(get_options(milliseconds, syncpoint=connected.is_in_unit))
            try:
                with connected.failures:
                    message = await waited(handle, options, partial(handle.get, options))
            except errors.NoMessage:
                return
            yield ReceivedMessage(message, options.message_handle)

    def _current(self) -> Topic:
        """The topic in the session that the task uses."""
        session = self._owner._current()
        topic = self._topics.get(session)
        if topic is None:
            topic = self._topics[session] = session.topic(self.string)
        return topic

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for topic in self._topics.values():
            topic.close()

    def __repr__(self) -> str:
        return f"<mqsc.AsyncTopic {self.string}>"
