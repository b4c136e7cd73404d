"""Progress messages while Spark works."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from reports.progress import progress_text, silent, watched

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
    assert progress_text("table", stages) == text


def test_the_watcher_ends_with_its_work(spark: SparkSession) -> None:
    reported: list[str] = []
    before = threading.active_count()
    with watched(spark, "table", reported.append):
        assert threading.active_count() == before + 1
    assert threading.active_count() == before
    assert reported[0] == "table"


def test_no_thread_watches_when_no_progress_is_wanted(spark: SparkSession) -> None:
    before = threading.active_count()
    with watched(spark, "table", silent):
        assert threading.active_count() == before
