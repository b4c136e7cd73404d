"""The example of the README: put an order and get it back."""

import mqsc
from mqsc import MQGMO, MQOO, GetMessageOptions, Message, MessageDescriptor

with mqsc.open_store("sqlite:///shop.db") as store:
    qmgr = store.queue_manager("SHOP")
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS) MAXDEPTH(10) REPLACE")
    with qmgr.connect(application="billing") as connection:
        orders = connection.open("ORDERS", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        orders.put(Message(b"one espresso machine", MessageDescriptor(priority=5, expiry=300)))
        message = orders.get(GetMessageOptions(MQGMO.NO_WAIT))
        print(message.body.decode(), "with priority", message.descriptor.priority)
