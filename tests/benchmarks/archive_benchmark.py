"""Archiving a million events against SQLite's own reading of the same rows, in one run.

    python tests/benchmarks/archive_benchmark.py [--events 1000000] [--rounds 3]

Each round reads all columns of the events with the standard driver (fetchmany), and archives them: claim, files, read
back and compare, commit. Prints events per second on the clock, which is to be 300 000 at least on an idle machine,
and the seconds of the processor, which other programs on the machine influence less.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mqsc.agents.archiver import Archiver
from store.client.open_store import open_store
from store.published import EVENT
from tests.benchmarks.reports_benchmark import COLUMNS, history

PAGE = 50_000
NAMES = ", ".join(f'"{each.name}"' for each in EVENT.columns)


def write(path: Path, events: int) -> None:
    """A store with these events."""
    with open_store(f"sqlite:///{path}") as store:
        store.create_queue_manager("QM1")
    with closing(sqlite3.connect(path)) as connection:
        names = ", ".join(f'"{name}"' for name in COLUMNS)
        places = ", ".join("?" * len(COLUMNS))
        connection.executemany(f"INSERT INTO event ({names}) VALUES ({places})", history(events, 0.1))
        connection.commit()


def read(path: Path) -> None:
    """All rows, as Python objects."""
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(f"SELECT {NAMES} FROM event ORDER BY seq")
        while cursor.fetchmany(PAGE):
            continue


def archive(path: Path, folder: Path) -> None:
    """The whole protocol but for pruning."""
    with open_store(f"sqlite:///{path}") as store, Archiver(store, str(folder)) as archiver:
        assert all(each.rows for each in archiver.archive())


def took(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock and of the processor, children included."""
    before, began = used(), time.perf_counter()
    work()
    return time.perf_counter() - began, used() - before


def used() -> float:
    return sum(each.ru_utime + each.ru_stime for each in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def main() -> None:
    """Measure in turn, and print the middle of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "store.db"
        write(path, chosen.events)
        rounds = [
            (took(lambda: read(path)), took(lambda number=number: archive(path, folder / f"archive{number}")))  # type: ignore[misc]
            for number in range(chosen.rounds)
        ]
        size = sum(file.stat().st_size for file in (folder / "archive0").rglob("*.parquet"))
        stored = path.stat().st_size
    for side, what in enumerate(("SQLite reads", "archived")):
        clock, processor = (median(each[side][part] for each in rounds) for part in (0, 1))
        print(f"{what:14} {chosen.events / clock:10,.0f} events/s   {processor:6.2f} s of the processor")
    ratio = median(theirs[0] / ours[0] for theirs, ours in rounds)
    print(f"archive / SQLite's reading: {ratio:.2f} by the clock; {size / stored:.0%} of the store's size")


if __name__ == "__main__":
    main()
