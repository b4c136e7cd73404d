"""The reports about messages, over histories in which queues have several lives, queue managers
restart and backups are restored: their sums are those of the audit that follows event by event.

MQSC_TIMES=10 tries ten times as many histories, MQSC_FIRST_SEED=301 others.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mqsc.reports import catalog
from tests.examples import seeds
from tests.reports.queue_sums import SUMS, Histories, Key
from tests.reports.tables import tables_of
from tests.store.past.histories import history

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

HISTORIES = [(seed, is_restored) for seed in seeds(3) for is_restored in (False, True)]
EXPIRED = catalog.report("expired-messages")
# Seconds after START, later than every time of expiry in a history.
LATER = 10**8


def test_the_sums_of_reports_are_those_of_the_audit(spark: SparkSession, tmp_path: Path) -> None:
    histories = Histories()
    for number, (seed, is_restored) in enumerate(HISTORIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        with history(seed, folder, is_restored=is_restored) as lived:
            histories.add(lived.store)
    histories.assert_lifetimes_fit(spark)
    rows, expected = histories.rows, histories.expected
    expired = tables_of(spark, EXPIRED, rows, "expired", "overdue", now=LATER)
    figures = {name: totals(table) for name, table in expired.items()}
    assert {key: figures["expired"][key] for key in expected} == {
        key: each["expired"] for key, each in expected.items()
    }
    overdue = Counter(
        (row["qmgr"], row["queue"]) for row in rows["pending"] if row["expires_at"] is not None
    )
    assert figures["overdue"] == overdue
    # What is compared has happened, but for what histories seldom have.
    seldom = {"moved_in", "moved_out", "dead_lettered"}
    assert histories.happened >= {*SUMS, "there", "left"} - seldom
    assert overdue


def totals(table: pa.Table) -> Counter[Key]:
    """The messages of each queue."""
    total: Counter[Key] = Counter()
    for row in table.to_pylist():
        total[row["qmgr"], row["queue"]] += row["messages"]
    return total
