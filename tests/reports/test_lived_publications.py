"""The reports about messages, over histories of publishers and subscribers: each copy is one message,
which ends as the audit says that follows event by event.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mqsc.store.past.audit import audit
from tests.examples import seeds
from tests.reports.played import published_rows
from tests.reports.tables import tables_of
from tests.reports.test_lived import (
    REPORT,
    Key,
    Row,
    balances,
    endings_of,
    ends_of,
    figures_of,
    renamed,
)
from tests.store.publication_history import History

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_copies_of_publications_are_counted_as_messages(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows: dict[str, list[Row]] = {"event": [], "pending": []}
    expected: dict[Key, Counter[str]] = {}
    copies: Counter[Key] = Counter()
    for number, seed in enumerate(seeds(2)):
        history = History(seed, f"sqlite:///{tmp_path / f'{number}.db'}")
        history.live(300)
        found = audit(history.store)
        expected |= {
            (f"{each.qmgr}/{number}", each.queue): figures_of(each)
            for each in found.sums
            if not each.unknown
        }
        for relation, more in renamed(published_rows(history.store), number).items():
            rows[relation] += more
        history.close_store()
    for row in rows["event"]:
        if (row["kind"], row["cause"]) == ("PUT", "publication"):
            copies[row["qmgr"], row["queue"]] += 1
    lifetimes = tables_of(spark, REPORT, rows, *(each.name for each in REPORT.tables))
    assert lifetimes["messages"].to_pylist() == []
    balance = balances(lifetimes["balance"])
    assert {key: balance[key] for key in expected} == expected
    endings = endings_of(lifetimes["endings"])
    assert {key: endings[key] for key in expected if expected[key]} == ends_of(expected)
    # Programs put nothing but publications in these histories.
    of_subscriptions = {key: each["put"] for key, each in expected.items() if key in copies}
    assert of_subscriptions == dict(copies)
    happened = {name for each in expected.values() for name in each}
    assert happened >= {"put", "backed_out", "expired", "left"}
