"""Processes orders in units of work. One that fails is backed out, and moved aside after the
second time.
"""

from datetime import timedelta

import mqsc


def price_of(message: mqsc.ReceivedMessage) -> int:
    if message.text == "broken order":
        raise ValueError(message.text)
    return len(message.text)


def process(qmgr: mqsc.Session) -> None:
    def invoice(message: mqsc.ReceivedMessage) -> None:
        qmgr.queue("INVOICES").put(json={"order": message.text, "price": price_of(message)})

    try:
        qmgr.queue("ORDERS").serve(invoice, wait=timedelta(0))
    except ValueError as error:
        print("backed out:", error)


with mqsc.connect("shop.db", create=True) as qmgr:
    qmgr.run("DEFINE QLOCAL(ORDERS) BOTHRESH(2) BOQNAME(FAILED) REPLACE")
    qmgr.run("DEFINE QLOCAL(INVOICES) REPLACE; DEFINE QLOCAL(FAILED) REPLACE")
    with qmgr.unit(), qmgr.queue("ORDERS") as orders:
        for text in ("one tea", "broken order", "two coffees"):
            orders.put(text)
    for _ in range(3):
        process(qmgr)
    print([message.json() for message in qmgr.queue("INVOICES").messages(wait=timedelta(0))])
    print([message.text for message in qmgr.queue("FAILED").messages(wait=timedelta(0))])
