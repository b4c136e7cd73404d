"""Looking up a message in a long history, beside bare Python and a short history.

    python -m tests.benchmarks.history_benchmark [--events 5000000] [--rounds 5]

Makes a store with so many events of puts, gets and commits. Prints how long the first `mqsc history
--msg-id` takes, which makes the index, then the processor time of one more and of a Python that
does nothing (0.5 s less is wanted), and how much the index has added to the file.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from mqsc.store import Environment, open_store
from mqsc.store.sqlite.driver import sqlite_library
from tests.benchmarks.measuring import options, run, took

START = 1_700_000_000_000_000
# Every message is put, and is got and committed after 200 others; queues, programs and connections
# take turns.
EVENTS = """
WITH RECURSIVE message(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM message WHERE n < :messages),
     step(k) AS (VALUES (0), (1), (2))
INSERT INTO event (at, qmgr, kind, queue, msg_id, priority, persistence, length, put_at, put_application, put_user,
                   unit, connection, application, user)
SELECT :start + n * :step + k, 'QM1', iif(k = 0, 'PUT', iif(k = 1, 'GET', 'COMMIT')),
       iif(k < 2, 'APP.ORDERS.' || (n % 20), NULL), iif(k < 2, :name || unhex(printf('%016X', :salt + of)), NULL),
       iif(k < 2, 0, NULL), iif(k < 2, 1, NULL), iif(k < 2, 512, NULL), iif(k < 2, :start + of * :step, NULL),
       iif(k < 2, 'orders.py', NULL), iif(k < 2, 'anna', NULL), iif(k = 0, NULL, (2 + n % 50) << 32 | n), 2 + n % 50,
       iif(k = 0, 'orders.py', 'billing.py'), 'anna'
  FROM (SELECT n, k, iif(k = 0, n, max(n - 200, 1)) AS of FROM message CROSS JOIN step)
"""
NAME, SALT = b"AMQ QM1".ljust(16), 0x35_0A_5E_C1_00_00_00_00


def make(path: Path, events: int) -> str:
    """Make a store with so many events; return the MsgId of a message in its middle."""
    with open_store(f"sqlite:///{path}", Environment.frozen(START)) as store:
        store.create_queue_manager("QM1")
    fill(path, events)
    return (NAME + (SALT + events // 6).to_bytes(8, "big")).hex().upper()


def fill(path: Path, events: int, step: int = 1000) -> None:
    """Add so many events of QM1 to a store; `step`: microseconds between two messages."""
    connection = sqlite_library().connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(
        EVENTS.replace(":name || ", "").replace(
            "unhex(printf(",
            f"unhex('{NAME.hex()}' || printf(",
        ),
        {"messages": events // 3, "start": START, "salt": SALT, "step": step},
    )
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


if __name__ == "__main__":
    arguments = options(__doc__, events=5_000_000, rounds=5)
    with tempfile.TemporaryDirectory() as folder:
        for events in (3_000, arguments.events):
            path = Path(folder) / f"{events}.db"
            msg_id = make(path, events)
            size = path.stat().st_size
            python = partial(run, sys.executable)
            look_up = partial(
                python,
                "-m",
                "mqsc",
                "history",
                "--msg-id",
                msg_id,
                "--store",
                f"sqlite:///{path}",
            )
            first = took(look_up)
            print(f"{events} events, {size / 1e6:.1f} MB")
            print(
                f"  the first look-up          processor {first.processor:6.2f} s   clock "
                f"{first.clock:6.2f} s",
            )
            nothing = partial(python, "-c", "")
            pairs = [
                (took(look_up).processor, took(nothing).processor) for _ in range(arguments.rounds)
            ]
            print(
                f"  one more                   processor {median(ours for ours, _ in pairs):6.2f} "
                "s",
            )
            print(
                "  more than bare Python      processor "
                f"{median(ours - bare for ours, bare in pairs):6.2f} s",
            )
            print(f"  the index                  {(path.stat().st_size - size) / 1e6:.1f} MB")
