"""The reports about messages, over histories in which queues have several lives, queue managers
restart and backups are restored: their sums are those of the audit that follows event by event.

MQSC_TIMES=10 tries ten times as many histories, MQSC_FIRST_SEED=301 others.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mqsc.reports import audit as audit_with_spark, catalog
from mqsc.store.past.accounts import QueueSums
from mqsc.store.past.audit import audit
from tests.examples import seeds
from tests.reports.played import Rows, published_rows
from tests.reports.tables import tables_of
from tests.store.past.histories import history

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

Row = dict[str, Any]
# The owner, with the number of the history, and the name of a queue.
Key = tuple[str, str]
HISTORIES = [(seed, is_restored) for seed in seeds(3) for is_restored in (False, True)]
LIFETIMES = catalog.report("message-lifetimes")
EXPIRED = catalog.report("expired-messages")
# Both tables of the lifetimes, and that of the messages that do not add up.
REPORT = replace(
    audit_with_spark.REPORT,
    tables=(
        *LIFETIMES.tables,
        *(t for t in audit_with_spark.REPORT.tables if t.name == "messages"),
    ),
)
# The columns of `balance`, and the sums of the audit that they are.
SUMS = {
    "put": "put",
    "moved_in": "moved_in",
    "backed_out": "withdrawn",
    "expired": "expired",
    "cleared": "cleared",
    "moved_out": "moved_out",
    "dead_lettered": "dead_lettered",
}
# The endings in the other table, and the columns of `balance` that count the same messages.
ENDINGS = {
    "backed out": "backed_out",
    "dead-lettered": "dead_lettered",
    "expired": "expired",
    "cleared": "cleared",
    "moved": "moved_out",
    "there": "there",
}
# How a message leaves by a get, or when its queue manager starts.
LEFT = ("got", "held", "requeued", "forwarded", "discarded", "dropped")
# The details of an event that name its owner or another.
NAMING = ("target_owner", "member")
# Seconds after START, later than every time of expiry in a history.
LATER = 10**8


def test_the_sums_of_reports_are_those_of_the_audit(spark: SparkSession, tmp_path: Path) -> None:
    rows: dict[str, list[Row]] = {"event": [], "pending": []}
    expected: dict[Key, Counter[str]] = {}
    for number, (seed, is_restored) in enumerate(HISTORIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        with history(seed, folder, is_restored=is_restored) as lived:
            found = audit(lived.store)
            assert found.findings == []
            expected |= {
                (f"{each.qmgr}/{number}", each.queue): figures_of(each)
                for each in found.sums
                if not each.unknown
            }
            for relation, more in renamed(published_rows(lived.store), number).items():
                rows[relation] += more
    lifetimes = tables_of(spark, REPORT, rows, *(each.name for each in REPORT.tables))
    assert lifetimes["messages"].to_pylist() == []
    balance = balances(lifetimes["balance"])
    assert {key: balance[key] for key in expected} == expected
    endings = endings_of(lifetimes["endings"])
    assert {key: endings[key] for key in expected if expected[key]} == ends_of(expected)
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
    happened = {name for each in expected.values() for name in each}
    assert happened >= {*SUMS, "there", "left"} - {"moved_in", "moved_out", "dead_lettered"}
    assert overdue


def figures_of(sums: QueueSums) -> Counter[str]:
    """The sums of the audit by the columns of `balance`, without those that are zero."""
    figures = Counter({column: sums.sums[name] for column, name in SUMS.items()})
    figures["there"] = sums.there
    gone = sum(sums.sums[name] for name in ("got", "held", "discarded", "forwarded"))
    figures["left"] = gone - sums.sums["returned"]
    return +figures


def renamed(rows: Rows, number: int) -> dict[str, list[Row]]:
    """The rows of a history, whose queue managers and groups get names of their own."""

    def with_names(row: Row) -> Row:
        return {**row, "qmgr": f"{row['qmgr']}/{number}", "store": number}

    def with_detail(row: Row) -> Row:
        told = json.loads(row["detail"] or "{}")
        names = {word: f"{told[word]}/{number}" for word in NAMING if word in told}
        detail = json.dumps({**told, **names}) if names else row["detail"]
        return {**with_names(row), "detail": detail}

    return {
        "event": [*map(with_detail, rows.event)],
        "pending": [*map(with_names, rows.pending)],
    }


def balances(table: pa.Table) -> dict[Key, Counter[str]]:
    """What the table counts for each queue, without what is zero; nothing is lost, or too much."""
    names = (*SUMS, "there", "lost", "surplus")
    return {
        (row["qmgr"], row["queue"]): +Counter(
            {
                **{name: row[name] or 0 for name in names},
                "left": sum(row[name] for name in LEFT),
            }
        )
        for row in table.to_pylist()
    }


def endings_of(table: pa.Table) -> dict[Key, Counter[str]]:
    """What the table of endings counts for each queue, by the columns of `balance`."""
    counts: dict[Key, Counter[str]] = {}
    for row in table.to_pylist():
        of_queue = counts.setdefault((row["qmgr"], row["queue"]), Counter())
        of_queue[ENDINGS.get(row["ending"], "left")] += row["messages"]
    return counts


def ends_of(expected: dict[Key, Counter[str]]) -> dict[Key, Counter[str]]:
    """The figures that are endings of messages, of the queues that had some."""
    columns = (*ENDINGS.values(), "left")
    return {
        key: +Counter({column: figures[column] for column in columns})
        for key, figures in expected.items()
        if figures
    }


def totals(table: pa.Table) -> Counter[Key]:
    """The messages of each queue."""
    total: Counter[Key] = Counter()
    for row in table.to_pylist():
        total[row["qmgr"], row["queue"]] += row["messages"]
    return total
