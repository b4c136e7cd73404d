"""The programs of the day that put and get messages: `python -m tests.day_of_work.programs NAME
URL JOURNAL`.

Writers and slow readers read a number of messages from each line of standard input, put or get
them, and answer with a line. The other readers wait for messages until they are ended.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQOT, MQPMO, MQRC, MQSO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.subscription_descriptor import SubscriptionDescriptor
from tests.day_of_work.journals import Journal, identifier, last_number, number_of
from tests.day_of_work.world import HERE, SUBSCRIPTION, THERE

WAIT_FOR_EVER = GetMessageOptions(
    MQGMO.SYNCPOINT | MQGMO.WAIT, wait_interval=-1, property_control="NONE"
)
NO_WAIT = GetMessageOptions(MQGMO.SYNCPOINT, property_control="NONE")
TEN_MINUTES = 6000
READY = "ready"
SUBSCRIBER, PUBLISHER = "subscriber", "prices"
# One message in HARD is backed out BACKOUTS times before it is accepted.
HARD, BACKOUTS = 97, 2


class Post(Struct, frozen=True):
    """A message to put: on a queue, or to a topic; `expiry` is in tenths of a second."""

    queue: str = ""
    topic: str = ""
    persistence: int = 1
    expiry: int = -1


def order(number: int) -> Post:
    return Post("ORDERS")


def quote(number: int) -> Post:
    """Half of them are persistent; they expire after ten to ninety minutes."""
    return Post("QUOTES", persistence=number % 2, expiry=(1 + number % 9) * TEN_MINUTES)


def far_order(number: int) -> Post:
    """For the other side. One in ten is for a queue that is often full, one in ten for none."""
    if number % 10 == 1:
        return Post("FAR.SMALL")
    if number % 10 == 2:
        return Post("FAR.NOWHERE", persistence=number // 10 % 2)
    return Post("FAR.ORDERS", persistence=number % 2)


def price(number: int) -> Post:
    return Post(topic=("prices/tea", "prices/coffee")[number % 2])


class Writer(Struct, frozen=True):
    """What a program puts, and how many messages together in a unit of work."""

    post: Callable[[int], Post]
    together: int


class Reader(Struct, frozen=True):
    """Where a program gets messages. A slow one waits for a number of messages to get."""

    queue_manager: str
    queue: str
    is_slow: bool = False


WRITERS = {
    "orders": Writer(order, 5),
    "quotes": Writer(quote, 1),
    "far-orders": Writer(far_order, 3),
    PUBLISHER: Writer(price, 2),
}
READERS = {
    "order-desk": Reader(HERE, "ORDERS"),
    "order-helper": Reader(HERE, "ORDERS"),
    "quote-reader": Reader(HERE, "QUOTES", is_slow=True),
    "far-desk": Reader(THERE, "ORDERS"),
    "small-desk": Reader(THERE, "SMALL", is_slow=True),
    "set-aside": Reader(THERE, "SET.ASIDE"),
    SUBSCRIBER: Reader(HERE, ""),
}


def write(name: str, connection: Connection, journal: Path) -> None:
    """Put as many messages as each line of standard input says. The successor of a killed program
    continues its numbers.
    """
    writer = WRITERS[name]
    number = last_number(journal)
    record, destinations = Journal(journal), Destinations(connection)
    for line in sys.stdin:
        numbers = iter(range(number + 1, number + 1 + int(line)))
        while together := list(islice(numbers, writer.together)):
            number = together[-1]
            record.intend(identifier(name, each) for each in together)
            for each in together:
                put(destinations, writer.post(each), identifier(name, each))
            connection.commit()
            record.done()
        print("done", flush=True)


class Destinations:
    """Handles of queues and topics, opened when they are first needed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._handles: dict[Post, ObjectHandle] = {}

    def of(self, post: Post) -> ObjectHandle:
        place = Post(post.queue, post.topic)
        if place not in self._handles:
            self._handles[place] = self._opened(place)
        return self._handles[place]

    def _opened(self, place: Post) -> ObjectHandle:
        if place.topic:
            return self._connection.open(
                "", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string=place.topic
            )
        return self._connection.open(place.queue, MQOO.OUTPUT)


def put(destinations: Destinations, post: Post, name: str) -> None:
    """Put a message whose data, and MsgId, are its name, in the unit of work."""
    descriptor = MessageDescriptor(
        persistence=post.persistence, expiry=post.expiry, msg_id=name.encode()
    )
    message = Message(name.encode(), descriptor)
    destinations.of(post).put(message, PutMessageOptions(MQPMO.SYNCPOINT))


def read(name: str, connection: Connection, journal: Path) -> None:
    """Get messages, each in a unit of work of its own."""
    queue, record = opened(connection, READERS[name]), Journal(journal)
    if not READERS[name].is_slow:
        print(READY, flush=True)
        while True:
            take(connection, queue, record, WAIT_FOR_EVER)
    for line in sys.stdin:
        for _ in range(int(line)):
            try:
                take(connection, queue, record, NO_WAIT)
            except MQError as error:
                if error.reason != MQRC.NO_MSG_AVAILABLE:
                    raise
                break
        print("done", flush=True)


def opened(connection: Connection, reader: Reader) -> ObjectHandle:
    """The queue of a reader; the subscriber has that of a durable subscription."""
    if reader.queue:
        return connection.open(reader.queue, MQOO.INPUT_SHARED)
    options = MQSO.CREATE | MQSO.RESUME | MQSO.DURABLE | MQSO.MANAGED
    described = SubscriptionDescriptor(int(options), name=SUBSCRIPTION, object_string="prices/#")
    queue = connection.subscribe(described).queue
    assert queue is not None
    return queue


def take(
    connection: Connection, queue: ObjectHandle, record: Journal, options: GetMessageOptions
) -> None:
    """Get a message, write it into the journal and commit; back out one that is hard."""
    message = queue.get(options)
    name = message.body.decode()
    descriptor = message.descriptor
    if number_of(name) % HARD == 0 and descriptor.backout_count < BACKOUTS:
        connection.back()
        return
    record.intend([name])
    connection.commit()
    record.done()


def main(arguments: Sequence[str]) -> None:
    name, url, journal = arguments
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    work, queue_manager = (write, HERE) if name in WRITERS else (read, READERS[name].queue_manager)
    with open_store(url) as store, store.queue_manager(queue_manager).connect(name) as connection:
        work(name, connection, Path(journal))


if __name__ == "__main__":
    main(sys.argv[1:])
