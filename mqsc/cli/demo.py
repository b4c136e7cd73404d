"""`mqsc demo`: a store with an hour of history, in which several things went wrong."""

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from threading import Event

import click

from mqsc.channels.attempt import RunSettings
from mqsc.channels.channel_run import run_channel
from mqsc.channels.driver import drive
from mqsc.channels.end import is_informational
from mqsc.channels.link import Step
from mqsc.console.options import Choices, command
from mqsc.console.parameters import FILE_PATH
from mqsc.console.target import NothingRunError
from mqsc.console.terminal import print_line
from mqsc.script import run
from mqsc.store.admin.backup import back_up
from mqsc.store.admin.channel.faults import NewFault, add_fault
from mqsc.store.admin.user_accounts import set_mode
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.constants import MQGMO, MQOO, MQPER, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import MICROSECONDS, Environment
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.authorization import ENFORCE
from mqsc.store.rules.channel.injected_faults import BREAK
from mqsc.store.table import cells

# Monday, 2 March 2026, 09:00 UTC.
BEGIN = 1_772_442_000 * MICROSECONDS
MINUTE = 60 * MICROSECONDS
LENGTH = 60
QUESTIONS = cells(__file__, "demo_questions.csv", ("question", "words"))


@command(common=("quiet",))
@click.argument("file", type=FILE_PATH, default="demo.db")
def demo(choices: Choices, file: Path) -> None:
    """Create the store FILE (default: demo.db) with an hour of trouble in it, and say what to ask
    it.

    The queue managers SHOP and DEPOT have manual clocks, which show 10:00 on 2 March 2026.
    """
    if file.exists():
        raise NothingRunError(f"{file} exists; name another file, or delete it")
    if not file.absolute().parent.is_dir():
        raise NothingRunError(f"there is no folder {file.absolute().parent}")
    url = url_of_file(file)
    # FILE appears when it is complete.
    with TemporaryDirectory() as folder:
        environment = replace(Environment.system(), user="maria")
        with open_store(url_of_file(Path(folder) / "demo.db"), environment) as store:
            play(store)
            back_up(store, file.absolute())
    choices.inform(
        "Orders came in from 09:00 to 10:00 on 2 March 2026, and not all went well. Ask the store:",
    )
    print_line(f"export MQSC_STORE={quote(url)}")
    for question, words in QUESTIONS:
        print_line(f"{words:<34} # {question}")


def play(store: Store) -> None:
    """Create the queue managers SHOP and DEPOT in an empty store, and play the hour."""
    shop, depot = (
        store.create_queue_manager(name, manual_clock_at=BEGIN) for name in ("SHOP", "DEPOT")
    )
    for qmgr, file in (shop, "demo_shop.mqsc"), (depot, "demo_depot.mqsc"):
        run(qmgr, Path(__file__).with_name(file).read_text("utf-8"))
    set_mode(shop, ENFORCE)
    with shop.connect("web shop", "web") as web, shop.connect("billing", "billing") as billing:
        for minute in range(LENGTH):
            _set_clocks(shop, depot, minute)
            _sell(web, minute)
            _bill(billing, attempts=3 if minute == LENGTH - 1 else 1_000)
            if minute in _INCIDENTS:
                _INCIDENTS[minute](shop, web)
    _set_clocks(shop, depot, LENGTH)


def _set_clocks(shop: QueueManager, depot: QueueManager, minute: int) -> None:
    for each in (shop, depot):
        each.set_clock(BEGIN + minute * MINUTE)


def _put(connection: Connection, queue: str, *texts: str) -> None:
    with closing(connection.open(queue, MQOO.OUTPUT)) as handle:
        for text in texts:
            handle.put(
                Message(
                    text.encode(),
                    MessageDescriptor(format="MQSTR", persistence=MQPER.PERSISTENT),
                ),
            )


def _sell(web: Connection, minute: int) -> None:
    """Six orders and two quotes a minute; every ten minutes the shop reads its quotes."""
    amounts = [1, -1 if minute in (40, 59) else 1, 1, 1, 1, 1]
    _put(
        web,
        "ORDERS",
        *(
            f"order {6 * minute + number}: {amount} x coffee"
            for number, amount in enumerate(amounts)
        ),
    )
    _put(web, "QUOTES", "249.00 EUR", "19.90 EUR")
    if minute % 10 == 4:
        with closing(web.open("QUOTES", MQOO.INPUT_SHARED)) as quotes:
            quotes.get(GetMessageOptions(MQGMO.NO_WAIT))


def _bill(billing: Connection, attempts: int) -> None:
    """Take all orders. One with a negative number is backed out three times, and then moved to the
    backout queue.

    The program ends after so many attempts, or when there is no order.
    """
    take = GetMessageOptions(MQGMO.NO_WAIT | MQGMO.SYNCPOINT)
    with closing(billing.open("ORDERS", MQOO.INPUT_SHARED)) as orders:
        for _ in range(attempts):
            try:
                message = orders.get(take)
            except MQError:
                # No message (2033), or GET(DISABLED) (2016).
                return
            if b"-1" not in message.body:
                billing.commit()
            elif message.descriptor.backout_count < 3:
                billing.back()
            else:
                billing.put1("ORDERS.BACKOUT", message, PutMessageOptions(MQPMO.SYNCPOINT))
                billing.commit()


def _look_at_orders(shop: QueueManager, _: Connection) -> None:
    """Ben may browse quotes, and tries orders."""
    with shop.connect("sales figures", "ben") as ben, suppress(MQError):
        ben.open("ORDERS", MQOO.BROWSE)


def _send(shop: QueueManager) -> None:
    """Run the channel until the transmission queue is empty or something fails, without a retry."""
    stop = Event()

    def report(message: str) -> None:
        if not is_informational(message):
            stop.set()

    settings = RunSettings(until_empty=True, report=report, stop=stop.is_set)
    drive(run_channel(shop, "SHOP.DEPOT", settings), shop.store, stop)


def _order_stock(shop: QueueManager, web: Connection) -> None:
    """Nine messages for a queue that takes five."""
    _put(web, "STOCK", *(f"{number} kg of beans" for number in range(1, 10)))
    _send(shop)


def _lose_connection(shop: QueueManager, web: Connection) -> None:
    """The channel breaks after the depot has committed the batch and before the shop has its
    confirmation.
    """
    add_fault(shop, "SHOP.DEPOT", NewFault(Step.R2_AFTER.value, 0, BREAK, times=1))
    _put(web, "PARCELS", "parcel to Ann", "parcel to Bob")
    _send(shop)


_INCIDENTS: Mapping[int, Callable[[QueueManager, Connection], object]] = {
    10: lambda _, web: _put(web, "INVOICES", "invoice 1", "invoice 2"),
    13: lambda shop, _: run(shop, "ALTER QLOCAL(ORDERS) GET(DISABLED)"),
    20: lambda shop, _: run(shop, "REFRESH QMGR TYPE(EXPIRY) NAME('QUO*')"),
    25: _look_at_orders,
    31: lambda shop, _: run(shop, "ALTER QLOCAL(ORDERS) GET(ENABLED)"),
    45: _order_stock,
    58: _lose_connection,
}
