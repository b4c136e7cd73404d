"""A service that answers requests, and a client that asks it."""

import threading
from datetime import timedelta

import mqsc

PRICES = {"espresso": 3, "cappuccino": 4}


def price(request: mqsc.ReceivedMessage) -> dict[str, int | None]:
    return {"price": PRICES.get(request.text)}


def serve() -> None:
    with mqsc.connect("shop.db") as qmgr:
        qmgr.queue("PRICES").serve(price, wait=timedelta(seconds=1))


with mqsc.connect("shop.db", create=True) as qmgr:
    qmgr.run("DEFINE QLOCAL(PRICES) REPLACE")
    try:
        qmgr.request("PRICES", "espresso", timeout=timedelta(milliseconds=50))
    except mqsc.NoReply as error:
        print(error)
    service = threading.Thread(target=serve)
    service.start()
    for drink in ("cappuccino", "tea"):
        print(drink, qmgr.request("PRICES", drink, timeout=timedelta(seconds=10)).json()["price"])
service.join()
