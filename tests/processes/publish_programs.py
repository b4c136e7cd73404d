"""Programs that publish, or subscribe, until they are killed."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.store.client.connection import Connection
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQOT, MQPMO, MQSO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

TOPIC = "prices/tea"
# Publications in a unit of work.
TOGETHER = 2


def publish(url: str, run: int) -> None:
    """Publish persistent messages, two in each unit of work, the last of them retained, and say
    which unit of work is committed.
    """
    with open_store(url) as store:
        connection = store.queue_manager("QM1").connect("publisher")
        topic = connection.open("", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string=TOPIC)
        number = 0
        while True:
            for part in range(TOGETHER):
                body = f"{run}.{number}.{part}".encode()
                options = MQPMO.SYNCPOINT | (MQPMO.RETAIN if part else MQPMO.NONE)
                message = Message(body, MessageDescriptor(persistence=1))
                topic.put(message, PutMessageOptions(options))
            connection.commit()
            print(number, flush=True)
            number += 1


def subscribe(url: str) -> None:
    """Take publications of a durable subscription in units of work, and say which are taken."""
    with open_store(url) as store:
        connection = store.queue_manager("QM1").connect("subscriber")
        described = SubscriptionDescriptor(int(MQSO.RESUME), name="D")
        subscription = connection.subscribe(described)
        temporary = SubscriptionDescriptor(
            int(MQSO.CREATE | MQSO.MANAGED), object_string="prices/#"
        )
        connection.subscribe(temporary)
        print("ready", flush=True)
        assert subscription.queue is not None
        options = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.WAIT, wait_interval=100)
        while True:
            try:
                message = subscription.queue.get(options)
            except MQError as error:
                if error.reason != 2033:
                    raise
                continue
            # Where it is kept, in the same unit of work.
            connection.put1("TAKEN", message, PutMessageOptions(MQPMO.SYNCPOINT))
            connection.commit()
            print(message.body.decode(), flush=True)


def bodies(connection: Connection, queue: str) -> Iterator[str]:
    """The data of the messages of a queue, browsed in order."""
    handle = connection.open(queue, MQOO.BROWSE)
    wanted = MQGMO.BROWSE_FIRST
    while True:
        try:
            message = handle.get(GetMessageOptions(wanted, property_control="NONE"))
        except MQError:
            handle.close()
            return
        wanted = MQGMO.BROWSE_NEXT
        yield message.body.decode()
