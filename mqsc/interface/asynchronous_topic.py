"""Topics of an asynchronous session."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from functools import partial

from anyio.lowlevel import checkpoint

from mqsc.interface import errors
from mqsc.interface.asynchronous_object import AsyncObject, Owner, awaited
from mqsc.interface.asynchronous_wait import waited
from mqsc.interface.messages import ReceivedMessage, get_options, milliseconds_of, without_wait
from mqsc.interface.session import Session
from mqsc.interface.topic import Topic
from mqsc.store.client.object_handle import ObjectHandle


class AsyncTopic(AsyncObject[Topic]):
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

    def __init__(self, owner: Owner, string: str) -> None:
        super().__init__(owner, owner._session.topic(string))

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

    @awaited(Topic.publish)
    def publish(self) -> None:
        """Publish text, bytes, a value as JSON, or a Message, as `Topic.publish` does.

        >>> async def main():
        ...     async with mqsc.aconnect("shop.db") as qmgr:
        ...         await qmgr.topic("prices/tea").publish("3.20", currency="EUR")
        >>> asyncio.run(main())
        """

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

    def _made_in(self, session: Session) -> Topic:
        return session.topic(self.string)

    def __repr__(self) -> str:
        return f"<mqsc.AsyncTopic {self.string}>"
