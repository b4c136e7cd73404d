"""The reports about messages, over histories of publishers and subscribers: each copy is one
message, which ends as the audit says that follows event by event.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.examples import seeds
from tests.reports.queue_sums import Histories
from tests.store.publication_history import History

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_copies_of_publications_are_counted_as_messages(
    spark: SparkSession, tmp_path: Path
) -> None:
    histories = Histories()
    for number, seed in enumerate(seeds(2)):
        history = History(seed, f"sqlite:///{tmp_path / f'{number}.db'}")
        history.live(300)
        histories.add(history.store)
        history.close_store()
    histories.assert_lifetimes_fit(spark)
    copies = Counter(
        (row["qmgr"], row["queue"])
        for row in histories.rows["event"]
        if (row["kind"], row["cause"]) == ("PUT", "publication")
    )
    # Programs put nothing but publications in these histories.
    expected = histories.expected.items()
    assert {key: each["put"] for key, each in expected if key in copies} == dict(copies)
    assert histories.happened >= {"put", "backed_out", "expired", "left"}
