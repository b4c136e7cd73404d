"""The sums of queues in the histories of several stores: by the audit, which follows event by
event, and by the tables of reports, both in the columns of `balance`.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mqsc.reports import audit as audit_with_spark, catalog
from mqsc.store.client.store import Store
from mqsc.store.past.accounts import QueueSums
from mqsc.store.past.audit import audit
from tests.reports.played import Rows, published_rows
from tests.reports.tables import tables_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

Row = dict[str, Any]
# The owner, with the number of the history, and the name of a queue.
Key = tuple[str, str]
LIFETIMES = catalog.report("message-lifetimes")
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


class Histories:
    """Histories of stores: their rows together, and the sums of each queue by the audit."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {"event": [], "pending": []}
        self.expected: dict[Key, Counter[str]] = {}
        self._number = 0

    def add(self, store: Store) -> None:
        """Add what is in a store, in which the audit finds nothing wrong."""
        found = audit(store)
        assert found.findings == []
        self.expected |= {
            (f"{each.qmgr}/{self._number}", each.queue): figures_of(each)
            for each in found.sums
            if not each.unknown
        }
        for relation, more in renamed(published_rows(store), self._number).items():
            self.rows[relation] += more
        self._number += 1

    @property
    def happened(self) -> set[str]:
        """The columns that are not zero for every queue."""
        return {name for each in self.expected.values() for name in each}

    def assert_lifetimes_fit(self, spark: SparkSession) -> None:
        """The tables about lifetimes have these sums, and no message does not add up."""
        names = [table.name for table in REPORT.tables]
        lifetimes = tables_of(spark, REPORT, self.rows, *names)
        assert lifetimes["messages"].to_pylist() == []
        self.assert_balance_fits(lifetimes["balance"])
        endings = endings_of(lifetimes["endings"])
        used = {key: endings[key] for key, figures in self.expected.items() if figures}
        assert used == ends_of(self.expected)

    def assert_balance_fits(self, table: pa.Table) -> None:
        """The table `balance` has these sums."""
        balance = balances(table)
        assert {key: balance[key] for key in self.expected} == self.expected


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
