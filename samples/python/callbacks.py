"""A function that is called with the messages of a queue, as MQCB and MQCTL do it."""

import mqsc
from mqsc import MQCBCT, MQGMO, MQOO, MQOP


def consume(context: mqsc.CallbackContext) -> None:
    if context.call_type == MQCBCT.MSG_REMOVED and context.message is not None:
        print(context.message.body.decode())
        if context.message.body == b"the last one":
            qmgr.connection.control(MQOP.STOP)


with mqsc.connect("shop.db", create=True) as qmgr:
    qmgr.run("DEFINE QLOCAL(ORDERS) REPLACE")
    with qmgr.queue("ORDERS") as orders:
        orders.put("one espresso machine")
        orders.put("the last one")
    handle = qmgr.connection.open("ORDERS", MQOO.INPUT_SHARED)
    wait = mqsc.GetMessageOptions(MQGMO.WAIT, wait_interval=1000)
    qmgr.connection.callback(MQOP.REGISTER, consume, handle=handle, get_options=wait)
    qmgr.connection.control(MQOP.START_WAIT)
