"""A producer and a consumer, each with a session of its own."""

import threading
from datetime import timedelta

import mqsc


def consume() -> None:
    with mqsc.connect("shop.db") as qmgr, qmgr.queue("ORDERS") as orders:
        for message in orders.messages(wait=timedelta(seconds=1)):
            order = message.json()
            print(
                order["item"],
                "for",
                message.properties["customer"],
                "with priority",
                message.priority,
            )


with mqsc.connect("shop.db", create=True) as qmgr:
    qmgr.run("DEFINE QLOCAL(ORDERS) REPLACE")
    consumer = threading.Thread(target=consume)
    consumer.start()
    with qmgr.queue("ORDERS") as orders:
        for item in ("one espresso machine", "two cups"):
            orders.put(
                json={"item": item},
                priority=5,
                expiry=timedelta(minutes=1),
                customer="alice",
            )
consumer.join()
