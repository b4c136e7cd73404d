"""The audit of a long history: processor time.

    python -m tests.benchmarks.audit_benchmark [--events 1000000] [--rounds 3]

A third of the events are puts, the others gets and commits (history_benchmark.py). 3 s for a
million are wanted.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from mqsc.store.client.store import open_store
from mqsc.store.past.audit import audit
from tests.benchmarks.history_benchmark import make
from tests.benchmarks.measuring import options, took

if __name__ == "__main__":
    arguments = options(__doc__, events=1_000_000, rounds=3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        make(path, arguments.events)
        with open_store(f"sqlite:///{path}") as store:
            # That history gets its first message many times and has no queues, so the audit finds
            # something.
            times = [took(partial(audit, store)) for _ in range(arguments.rounds)]
        print(
            f"{arguments.events} events: processor {median(each.processor for each in times):.2f} "
            "s",
        )
