"""REFRESH QMGR TYPE(EXPIRY), measured against one bare DELETE and INSERT ... SELECT, and how long it delays puts.

    python -m tests.benchmarks.expiry_benchmark [--messages 1000000]

Half of the messages are expired. Prints the ratio (product's speed / driver's speed), how long puts of another process
waited meanwhile, and the duration of a scan that finds nothing, with 10 and with 10 000 queues.
"""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from store import Message, MessageDescriptor, open_store
from store.admin.defining import create
from store.admin.expiry import refresh_expiry, scan
from store.catalog import KINDS
from store.constants import MQOO
from store.sqlite.driver import PRAGMAS, sqlite_library
from tests.benchmarks.measuring import options, seconds

EXPIRED, OTHER = "EXPIRED", "OTHER"
BODY = b"x" * 200


def prepare(path: Path, messages: int, queues: int = 0) -> None:
    """Create a store whose queue EXPIRED holds `messages` messages; every second one has expired."""
    with open_store(f"sqlite:///{path}") as store:
        qmgr = store.create_queue_manager("QM1")
        for name in (EXPIRED, OTHER, *(f"Q{number:06}" for number in range(queues))):
            create(qmgr, KINDS["QLOCAL"], name, {"MAXDEPTH": 999_999_999, "ACCTQ": "OFF"})
        with qmgr.connect() as connection:
            handle = connection.open(EXPIRED, MQOO.OUTPUT)
            for _ in range(messages // 1000):
                descriptors = (MessageDescriptor(expiry=each) for _ in range(500) for each in (1, 1_000_000))
                handle.put([Message(BODY, each) for each in descriptors])
    time.sleep(0.2)


def bare(path: Path) -> float:
    """Return the seconds that two SQL statements take to do the same."""
    connection: Any = sqlite_library().connect(str(path), isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(pragma).fetchall()
    now = time.time_ns() // 1000
    expired = "FROM message WHERE expires_at <= ? AND expires_at IS NOT NULL AND state = 0"

    def both() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO event (at, qmgr, kind, cause, queue, msg_id, correl_id, priority, persistence, length, put_at,"
            " "
            "expires_at, put_application, put_user, application, user) "
            "SELECT ?, 'QM1', 'EXPIRE', 'refresh', 'EXPIRED', msg_id, correl_id, priority, persistence, length, "
            f"put_at, expires_at, put_appl_name, user_identifier, 'mqsc', 'user' {expired}",
            (now, now),
        )
        connection.execute(f"DELETE {expired}", (now,))
        connection.execute("COMMIT")

    took = seconds(both)
    connection.close()
    return took


def put_until(path: str, begun: Any, stop: Any, waits: Any) -> None:
    """Put messages, one after the other, until `stop` is set, then report how many milliseconds each put took."""
    with open_store(f"sqlite:///{path}") as store, store.queue_manager().connect() as connection:
        handle = connection.open(OTHER, MQOO.OUTPUT)
        taken = []
        while not stop.is_set():
            taken.append(seconds(lambda: handle.put(Message(BODY))) * 1000)
            begun.set()
            time.sleep(0.001)
        waits.put(taken)


def refresh(path: Path) -> tuple[float, list[float], int]:
    """Run REFRESH while another process puts; return its seconds, the sorted put times in ms, the number discarded."""
    context = multiprocessing.get_context("spawn")
    begun, stop, waits = context.Event(), context.Event(), context.Queue()
    other = context.Process(target=put_until, args=(str(path), begun, stop, waits))
    other.start()
    begun.wait()
    with open_store(f"sqlite:///{path}") as store:
        qmgr = store.queue_manager()
        scans: list[Any] = []
        took = seconds(lambda: scans.extend(refresh_expiry(qmgr, EXPIRED)))
    stop.set()
    taken = sorted(waits.get())
    other.join()
    return took, taken, scans[0].discarded


if __name__ == "__main__":
    messages = options(__doc__, messages=1_000_000).messages
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "expiry.db"
        prepare(path, messages)
        twin = Path(name) / "bare.db"
        shutil.copy(path, twin)
        theirs = bare(twin)
        ours, waits, discarded = refresh(path)
        print(f"REFRESH, {discarded} of {messages}: {theirs / ours:.2f} (product {ours:.2f} s, bare {theirs:.2f} s)")
        print(f"puts meanwhile: {len(waits)}, p99 {waits[len(waits) * 99 // 100]:.1f} ms, most {waits[-1]:.1f} ms")
    for queues in (10, 10_000):
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "scan.db"
            prepare(path, 0, queues)
            with open_store(f"sqlite:///{path}") as store:
                qmgr = store.queue_manager()
                scan(qmgr)
                print(f"a scan with nothing to do, {queues} queues: {seconds(partial(scan, qmgr)) * 1000:.2f} ms")
