"""A report over a million events, measured against a bare Spark session that starts and counts.

    python -m tests.benchmarks.reports_benchmark [--events 1000000] [--expired 0.34] [--rounds 2]

Each round runs bare Spark and the report, each in its own process, and the same GROUP BY in SQLite.
--expired is the share of the events that are expired messages. Prints (report - SQLite) / bare
Spark (target: at most 1.5), and whether the class archive of Spark exists (`python -m
mqsc.reports.prepare`).
"""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from mqsc.reports.class_archives import class_archive
from mqsc.reports.java_runtime import java_home
from tests.benchmarks.measuring import options, run, seconds
from tests.reports.history import at, write_history

BARE = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[*]").getOrCreate()
assert spark.range(1_000_000).count() == 1_000_000
spark.stop()
"""
REPORT = """
import sys
import reports
from mqsc.store.published import Bound
path, out, last, now = sys.argv[1:]
bound = Bound(int(last), int(last), {"QM1": int(now)})
print(sum(result.rows_written for result in reports.run(["expired-messages"], path, out, bound=bound)))
"""
GROUPED = """
SELECT qmgr, queue, at / 3600000000, cause, put_application, count(*), sum(length), min(at - put_at), avg(at - put_at),
       max(at - put_at), min(at - expires_at), avg(at - expires_at), max(at - expires_at)
  FROM event WHERE kind = 'EXPIRE' GROUP BY 1, 2, 3, 4, 5
"""
COLUMNS = (
    "at qmgr kind cause queue msg_id priority persistence length put_at expires_at put_application "
    "put_user unit "
    "connection application user"
).split()
CAUSES = ("get", "browse", "interval", "refresh")


def history(events: int, expired: float) -> Iterator[tuple[Any, ...]]:
    """Yield the events of a day, on 23 queues by 5 applications: puts, gets and expirations."""
    chance = random.Random(1)
    for number in range(events):
        put_at = at(86_400 * number / events)
        expires_at = put_at + chance.randrange(1_000_000, 600_000_000)
        is_expired = chance.random() < expired
        discarded_at = expires_at + chance.randrange(60_000_000)
        kind, cause = (
            ("EXPIRE", CAUSES[number % 4]) if is_expired else (("PUT", "GET")[number % 2], None)
        )
        yield (
            *(
                discarded_at if is_expired else put_at,
                "QM1",
                kind,
                cause,
                f"APP.Q{number % 23}",
                chance.randbytes(24),
            ),
            *(
                5,
                number % 2,
                chance.randrange(5_000),
                put_at,
                expires_at,
                f"application {number % 5}",
                "user",
                None,
            ),
            *(1, "application", "user"),
        )


def insert(path: Path, events: int, expired: float) -> None:
    with closing(sqlite3.connect(path)) as connection:
        names = ", ".join(f'"{name}"' for name in COLUMNS)
        places = ", ".join("?" * len(COLUMNS))
        connection.executemany(
            f"INSERT INTO event ({names}) VALUES ({places})",
            history(events, expired),
        )
        connection.commit()


def grouped(path: Path) -> float:
    with closing(sqlite3.connect(path)) as connection:
        return seconds(lambda: connection.execute(GROUPED).fetchall())


if __name__ == "__main__":
    chosen = options(__doc__, events=1_000_000, expired=0.34, rounds=2)
    kept = "kept" if class_archive(java_home()) else "not kept"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        write_history(path)
        insert(path, chosen.events, chosen.expired)
        python = partial(run, sys.executable, "-c")
        spark = partial(python, BARE)
        report = partial(python, REPORT, str(path), folder, str(chosen.events), str(at(86_400)))
        rounds = [(seconds(spark), seconds(report), grouped(path)) for _ in range(chosen.rounds)]
    bare, product, sqlite = (median(each) for each in zip(*rounds, strict=True))
    print(
        f"{chosen.events} events, {chosen.expired:.0%} expired, classes {kept}: ratio "
        f"{(product - sqlite) / bare:.2f}  "
        f"report {product:.1f} s   bare Spark {bare:.1f} s   SQLite {sqlite:.1f} s",
    )
