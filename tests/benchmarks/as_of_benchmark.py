"""The store as it was, made from a long history: processor time.

    python -m tests.benchmarks.as_of_benchmark [--events 1000000] [--hours 10] [--rounds 3]

Every message is put, and is got and committed after 200 others, on 20 queues
(history_benchmark.py). Prints what it takes to make the middle, at most 4 s are wanted, and the
moment an hour before the end, at most 1 s; each also with CLEAR of one queue at the end, because of
which that queue is followed from the beginning.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from mqsc import run
from mqsc.store import Environment
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.past.as_of import copy_as_of, moment_at
from tests.benchmarks.history_benchmark import START, fill
from tests.benchmarks.measuring import options, took

HOUR = 3_600_000_000


def make_past(qmgr: QueueManager, at: int) -> None:
    with copy_as_of(qmgr.store, moment_at(qmgr, at)):
        pass


if __name__ == "__main__":
    arguments = options(__doc__, events=1_000_000, hours=10, rounds=3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        last = START + arguments.hours * HOUR
        with open_store(f"sqlite:///{path}", Environment.frozen(START)) as store:
            run(
                store.create_queue_manager("QM1"),
                "\n".join(f"DEFINE QLOCAL(APP.ORDERS.{n})" for n in range(20)),
            )
        fill(path, arguments.events, arguments.hours * HOUR * 3 // arguments.events)
        with open_store(f"sqlite:///{path}", Environment.frozen(last)) as store:
            qmgr = store.queue_manager("QM1")
            for what in ("", ", then CLEAR"):
                if what:
                    run(qmgr, "CLEAR QLOCAL(APP.ORDERS.7)")
                for name, at in (
                    ("the middle", (START + last) // 2),
                    ("an hour before", last - HOUR),
                ):
                    times = [
                        took(partial(make_past, qmgr, at)).processor
                        for _ in range(arguments.rounds)
                    ]
                    print(
                        f"{arguments.events} events, {name}{what}: processor {median(times):.2f} s",
                        flush=True,
                    )
