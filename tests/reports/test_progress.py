"""What is told while Spark works."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from reports.progress import silent, told_of, watched

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXTS = [
    ([], "table"),
    ([(0, 0)], "table"),
    ([(0, 2)], "table: 0 of 2 tasks"),
    ([(1, 2), (3, 8)], "table: 4 of 10 tasks"),
]


@pytest.mark.parametrize(("stages", "text"), TEXTS)
def test_tasks_are_counted_over_all_stages(stages: list[tuple[int, int]], text: str) -> None:
    assert told_of("table", stages) == text


def test_the_watcher_ends_with_its_work(spark: SparkSession) -> None:
    told: list[str] = []
    before = threading.active_count()
    with watched(spark.sparkContext, "table", told.append):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
    assert told[0] == "table"


def test_nobody_watches_when_nobody_is_told(spark: SparkSession) -> None:
    before = threading.active_count()
    with watched(spark.sparkContext, "table", silent):
        assert threading.active_count() == before
