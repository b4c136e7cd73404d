"""The example of the README: put an order and get it back."""

from datetime import timedelta

import mqsc

with mqsc.connect("shop.db") as qmgr:
    qmgr.run("DEFINE QLOCAL(ORDERS) MAXDEPTH(10) REPLACE")
    with qmgr.queue("ORDERS") as orders:
        orders.put("one espresso machine", priority=5, expiry=timedelta(minutes=5))
        message = orders.get()
        print(message.text, "with priority", message.priority)
