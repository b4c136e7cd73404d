"""REFRESH QMGR TYPE(EXPIRY), measured against one bare DELETE and INSERT ... SELECT, and how long
it delays puts.

    python -m tests.benchmarks.expiry_benchmark [--messages 1000000]

Half of the messages are expired. Prints the ratio (product's speed / driver's speed), how long puts
of another process waited meanwhile, and the duration of a scan that finds nothing, with 10 and with
10 000 queues.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path

from mqsc.store import Message, MessageDescriptor, open_store
from mqsc.store.admin.defining import create
from mqsc.store.admin.expiry import refresh_expiry, scan
from mqsc.store.catalog import KINDS
from tests.benchmarks.bare import BODY, QUEUE, Bare, opened, product
from tests.benchmarks.measuring import Pipe, options, seconds, workers

OTHER = "OTHER"
ATTRIBUTES: dict[str, int | str] = {"MAXDEPTH": 999_999_999, "ACCTQ": "OFF"}


def prepared(folder: Path, messages: int, queues: int) -> str:
    """Create a store with more queues, the first of which holds messages; every second one has
    expired.
    """
    handle, path = product(folder)
    qmgr = handle.connection.store.queue_manager()
    for name in (OTHER, *(f"Q{number:06}" for number in range(queues))):
        create(qmgr, KINDS["QLOCAL"], name, ATTRIBUTES)
    for _ in range(messages // 1000):
        descriptors = (
            MessageDescriptor(expiry=each) for _ in range(500) for each in (1, 1_000_000)
        )
        handle.put([Message(BODY, each) for each in descriptors])
    time.sleep(0.2)
    handle.connection.disconnect()
    qmgr.store.close()
    return path


def put_until(path: str, orders: Pipe) -> None:
    """Put messages, one after the other, until told to stop, then send how many milliseconds
    each put took.
    """
    handle, taken = opened(path, queue=OTHER), list[float]()
    while orders.recv():
        while not orders.poll():
            taken.append(seconds(lambda: handle.put(Message(BODY))) * 1000)
            time.sleep(0.001)
        orders.recv()
        orders.send(sorted(taken))


def compare_refresh(messages: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = prepared(Path(folder), messages, 0)
        theirs = seconds(partial(Bare(path).discard, messages // 2))
        with open_store(f"sqlite:///{path}") as store, workers(put_until, [(path,)]) as (putting,):
            putting.send(1)
            time.sleep(1)
            ours = seconds(partial(refresh_expiry, store.queue_manager(), QUEUE))
            putting.send(1)
            waits = putting.recv()
    print(f"REFRESH of {messages}: {theirs / ours:.2f} (product {ours:.2f} s, bare {theirs:.2f} s)")
    print(
        f"puts meanwhile: {len(waits)}, p99 {waits[len(waits) * 99 // 100]:.1f} ms, most "
        f"{waits[-1]:.1f} ms",
    )


if __name__ == "__main__":
    compare_refresh(options(__doc__, messages=1_000_000).messages)
    for queues in (10, 10_000):
        with tempfile.TemporaryDirectory() as folder:
            handle = opened(prepared(Path(folder), 0, queues))
            qmgr = handle.connection.store.queue_manager()
            scan(qmgr)
            print(
                f"a scan with nothing to do, {queues} queues: "
                f"{seconds(partial(scan, qmgr)) * 1000:.2f} ms",
            )
            qmgr.store.close()
