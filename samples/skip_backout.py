"""Two ways to deal with an order that cannot be booked: skip backout, and a consumer with BOTHRESH
and BOQNAME.

Both leave the same queues behind. Run it in any folder: it creates errors.db there.
"""

import mqsc
from mqsc import MQGMO, MQOO, MQPMO, MQRC, GetMessageOptions, Message, MQError, PutMessageOptions

GET = MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT
IN_UNIT = PutMessageOptions(MQPMO.SYNCPOINT)
ORDERS = (b"one espresso machine", b"nonsense", b"two cups")
QUEUES = """
DEFINE QLOCAL(LEDGER) REPLACE
DEFINE QLOCAL(ORDERS.ERRORS) REPLACE
DEFINE QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(ORDERS.ERRORS) REPLACE
"""


def book(connection: mqsc.Connection, order: Message) -> None:
    connection.put1("LEDGER", order, IN_UNIT)
    if order.body == b"nonsense":
        raise ValueError("this is not an order")


def skip_backout(connection: mqsc.Connection) -> None:
    """The program decides at the first failure."""
    orders = connection.open("ORDERS", MQOO.INPUT_SHARED)
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
    orders.close()


def consume(connection: mqsc.Connection) -> None:
    """The attributes of the queue decide, after three failures."""
    with connection.consumer("ORDERS", wait=0) as consumer:
        consumer.listen(
            lambda order: book(connection, order),
            failed=lambda order, error: print(f"backed out: {order.body.decode()}, {error}"),
        )


with mqsc.open_store("sqlite:///errors.db") as store:
    qmgr = (
        store.queue_manager("SHOP")
        if store.queue_managers()
        else store.create_queue_manager("SHOP")
    )
    for way in (skip_backout, consume):
        mqsc.run(qmgr, "CLEAR QLOCAL(LEDGER)\nCLEAR QLOCAL(ORDERS.ERRORS)")
        mqsc.run(qmgr, QUEUES, check=True)
        with qmgr.connect(application="billing") as connection:
            for order in ORDERS:
                connection.put1("ORDERS", Message(order))
            way(connection)
        (rows,) = [
            reply.rows
            for reply in mqsc.run(qmgr, "DISPLAY QLOCAL(*) CURDEPTH WHERE(CURDEPTH GE 0)")
        ]
        depths = {row["QUEUE"]: row["CURDEPTH"] for row in rows}
        print(
            way.__name__,
            *(f"{name}: {depths[name]}" for name in ("ORDERS", "LEDGER", "ORDERS.ERRORS")),
            sep=", ",
        )
