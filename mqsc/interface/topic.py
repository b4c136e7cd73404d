"""Topics of a session: what it publishes, and what it subscribes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import NamedTuple, Self

from mqsc.interface import errors
from mqsc.interface.connected import (
    PUBLISH,
    Connected,
    close_handle,
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
    persistence_of,
    tenths_of,
)
from mqsc.store.argument_checks import must_be
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.subscription import Subscription
from mqsc.store.constants import MQOO, MQOT, MQPMO, MQSO
from mqsc.store.message import PutMessageOptions
from mqsc.store.rules.properties.property_types import Value
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

_OUTPUT = int(MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
_SUBSCRIBE = int(MQSO.CREATE | MQSO.MANAGED | MQSO.FAIL_IF_QUIESCING)
_DURABLE = int(_SUBSCRIBE | MQSO.DURABLE | MQSO.RESUME)
_RETAIN = int(MQPMO.RETAIN)


class _Wanted(NamedTuple):
    """What tells the subscriptions of a topic apart: the selection string, and the name."""

    where: str
    name: str


class Topic:
    """A topic string of a session, with wildcards if it is only subscribed to.

    >>> with qmgr.topic("prices/+") as prices, qmgr.topic("prices/tea") as tea:
    ...     received = prices.messages(wait=timedelta(0))
    ...     tea.publish("3.20", currency="EUR")
    ...     for message in received:
    ...         print(message.text, message.properties["currency"], message.topic)
    3.20 EUR prices/tea
    """

    __module__ = "mqsc"

    def __init__(self, connected: Connected, string: str) -> None:
        self.string = must_be(str, string, "string")
        self._connected = connected
        self._output: ObjectHandle | None = None
        self._subscriptions: dict[_Wanted, Subscription] = {}

    def publish(
        self,
        /,
        body: Body = None,
        *,
        json: object = NOTHING,
        retain: bool = False,
        priority: int | None = None,
        persistent: bool | None = None,
        expiry: timedelta | None = None,
        properties: Mapping[str, Value] | None = None,
        **named: Value,
    ) -> None:
        """Publish text, bytes, a value as JSON, or a Message. Other names are properties, as are
        those in `properties`; TypeError for a typing error of an argument.

        With `retain` it is what later subscribers get first. Inhibited while the topic or the queue
        manager does not allow it; CallFailed (2502) when a subscriber must get it and cannot.

        >>> with qmgr.topic("prices/tea") as tea:
        ...     tea.publish("3.20", retain=True)
        ...     next(tea.messages(wait=timedelta(0))).text
        '3.20'
        """
        all_properties = properties_of(named, properties, PUBLISH)
        message = message_of(
            body,
            json,
            priority=priority,
            persistence=persistence_of(persistent),
            expiry=tenths_of(expiry),
        )
        connected = self._connected
        with connected.failures:
            options = with_properties(all_properties, connected.put_options)
            if retain:
                options = PutMessageOptions(
                    options.options | _RETAIN, message_handle=options.message_handle
                )
            if self._output is None or not self._output.is_open:
                self._output = connected.connection.open(
                    "", _OUTPUT, object_type=MQOT.TOPIC, object_string=self.string
                )
            self._output.put(message, options)

    def messages(
        self, wait: timedelta | None = None, *, where: str = "", name: str = ""
    ) -> Iterator[ReceivedMessage]:
        """Subscribe now, and get publications one by one until none comes in time; without `wait`,
        forever. A later call goes on with the same subscription, until the topic is closed.

        With a `name` the subscription is durable: it is kept when the program ends, and resumed
        under that name. `unsubscribe` removes it.

        >>> with qmgr.topic("prices/#") as prices:
        ...     received = prices.messages(wait=timedelta(0), where="currency = 'EUR'")
        ...     qmgr.topic("prices/tea").publish("3.20", currency="EUR")
        ...     [message.text for message in received]
        ['3.20']
        """
        return self._received(self._subscribed(where, name), milliseconds_of(wait))

    def _subscribed(self, where: str, name: str) -> ObjectHandle:
        """The queue of the subscription, which is made or resumed when it is first wanted."""
        wanted = _Wanted(where, name)
        found = self._subscriptions.get(wanted)
        if found is None or not found.is_open:
            descriptor = SubscriptionDescriptor(
                _DURABLE if wanted.name else _SUBSCRIBE,
                object_string=self.string,
                name=wanted.name,
                selection=wanted.where,
            )
            with self._connected.failures:
                found = self._connected.connection.subscribe(descriptor)
            self._subscriptions[wanted] = found
        assert found.queue is not None
        return found.queue

    def _received(self, handle: ObjectHandle, wait: int) -> Iterator[ReceivedMessage]:
        while True:
            options = get_options(wait, syncpoint=self._connected.is_in_unit)
            try:
                with self._connected.failures:
                    message = handle.get(options)
            except errors.NoMessage:
                return
            yield ReceivedMessage(message, options.message_handle)

    def close(self) -> None:
        """Close the topic: its subscriptions end, but for those with a name.

        >>> qmgr.topic("prices/tea").close()
        """
        handles: list[Subscription | ObjectHandle] = []
        while self._subscriptions:
            subscription = self._subscriptions.popitem()[1]
            handles += [subscription, *([subscription.queue] if subscription.queue else [])]
        if self._output is not None:
            handles.append(self._output)
            self._output = None
        for handle in handles:
            close_handle(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mqsc.Topic {self.string}>"
