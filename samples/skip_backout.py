"""Skip backout: an order that cannot be booked goes to an error queue, and the rest of its unit of work is backed out.

Run it in any folder: it creates errors.db there.
"""

import mqsc
from store import GetMessageOptions, Message, MQError, PutMessageOptions
from store.constants import MQGMO, MQOO, MQPMO, MQRC

GET = MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT
IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)


def book(connection: mqsc.Connection, order: Message) -> None:
    connection.put1("LEDGER", order, IN_UNIT)
    if order.body == b"nonsense":
        raise ValueError("this is not an order")


with mqsc.open_store("sqlite:///errors.db") as store:
    qmgr = store.create_queue_manager("SHOP") if not store.queue_managers() else store.queue_manager("SHOP")
    for name in ("ORDERS", "LEDGER", "ORDERS.ERRORS"):
        mqsc.run(qmgr, f"DEFINE QLOCAL({name}) REPLACE")
    with qmgr.connect(application="billing") as connection:
        orders = connection.open("ORDERS", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        orders.put([Message(b"one espresso machine"), Message(b"nonsense"), Message(b"two cups")])
        while True:
            try:
                order = orders.get(GetMessageOptions(GET))
            except MQError as error:
                if error.reason != MQRC.NO_MSG_AVAILABLE:
                    raise
                break
            try:
                book(connection, order)
            except ValueError:
                # Undoes the booking but not the get: the order is now in a new unit of work.
                connection.back()
                connection.put1("ORDERS.ERRORS", order, IN_UNIT)
            connection.commit()
    (rows,) = [reply.rows for reply in mqsc.run(qmgr, "DISPLAY QLOCAL(*) CURDEPTH WHERE(CURDEPTH GE 0)")]
    depths = {row["QUEUE"]: row["CURDEPTH"] for row in rows}
    print(", ".join(f"{name}: {depths[name]}" for name in ("ORDERS", "LEDGER", "ORDERS.ERRORS")))
