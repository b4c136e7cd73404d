"""Periods and queue names as the user types them, and the rows they select."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reports.catalog import ReportSelection, condition, description, select
from reports.errors import ReportError
from store.published import Bound

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOMENTS = [
    ("2023-11-14", 1_699_920_000_000_000),
    ("2023-11-14T22:13:20", 1_700_000_000_000_000),
    ("2023-11-14 22:13:20.000001", 1_700_000_000_000_001),
    ("2023-11-14T22:13:20Z", 1_700_000_000_000_000),
    ("2023-11-15T00:13:20+02:00", 1_700_000_000_000_000),
    (" 1969-12-31T23:59:59 ", -1_000_000),
]


@pytest.mark.parametrize(("text", "microseconds"), MOMENTS)
def test_moments(text: str, microseconds: int) -> None:
    assert select(since=text).since == microseconds


REFUSED = [
    ({"since": "yesterday"}, "since 'yesterday' is not a moment; write it as 2024-05-31"),
    ({"until": "2023-02-30"}, "until '2023-02-30' is not a moment"),
    ({"until": ""}, "until '' is not a moment"),
    ({"since": "2023-11-14", "until": "2023-11-14"}, "is not before until"),
    ({"since": 253_402_300_800_000_000, "until": 0}, "since 10000-01-01T00:00:00Z is not before until 1970-01-01"),
    ({"since": "2023-11-14T12:00", "until": "2023-11-14T13:00+02:00"}, "is not before until"),
    ({"queues": ["A*B"]}, "'A*B' is not a queue name"),
    ({"queues": [""]}, "'' is not a queue name"),
]


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_refusals(options: dict[str, str], says: str) -> None:
    with pytest.raises(ReportError) as caught:
        select(**options)
    assert says in str(caught.value)


TOLD = [
    (
        ReportSelection(),
        "From shop.db up to event 7; everything selected.",
        "QM1 1970-01-01 00:00:00Z, QM2 1970-01-01 00:01:00Z",
    ),
    (
        ReportSelection(since=0, until=60_000_000, queues=("A", "B*")),
        "From shop.db up to event 7; only events since 1970-01-01 00:00:00Z; events before 1970-01-01 00:01:00Z; "
        "queues A, B*.",
        "QM1 1970-01-01 00:00:00Z, QM2 1970-01-01 00:01:00Z",
    ),
    (
        ReportSelection(qmgrs=("QM2",)),
        "From shop.db up to event 7; only queue managers QM2.",
        "QM2 1970-01-01 00:01:00Z",
    ),
]


@pytest.mark.parametrize(("selection", "only", "clocks"), TOLD)
def test_what_was_selected_in_words(selection: ReportSelection, only: str, clocks: str) -> None:
    sentences = description(selection, "shop.db", Bound(7, 3, {"QM1": 0, "QM2": 60_000_000}))
    assert sentences == [only, f"Clocks of the queue managers at that time (UTC): {clocks}."]


def test_a_store_without_queue_managers_in_words() -> None:
    assert description(ReportSelection(), "shop.db", Bound(0, 0, {}))[1].endswith(": none.")


ROWS = [
    (1, "QM1", "APP.A"),
    (2, "QM1", "APP.B"),
    (3, "QM2", "APP.A"),
    (4, "QM1", "app.a"),
    (5, "QM1", "APP"),
    (6, "QM1", None),
]
SELECTIONS = [
    (ReportSelection(), "event", [1, 2, 3, 4, 5, 6]),
    (ReportSelection(since=3), "event", [3, 4, 5, 6]),
    (ReportSelection(until=3), "event", [1, 2]),
    (ReportSelection(since=2, until=4), "event", [2, 3]),
    (ReportSelection(since=2, until=4), "pending", [1, 2, 3, 4, 5, 6]),
    (ReportSelection(qmgrs=("QM1",)), "pending", [1, 2, 4, 5, 6]),
    (ReportSelection(queues=("APP.A",)), "event", [1, 3]),
    (ReportSelection(queues=("APP.*",)), "event", [1, 2, 3]),
    (ReportSelection(queues=("APP*",)), "event", [1, 2, 3, 5]),
    (ReportSelection(queues=("*",)), "event", [1, 2, 3, 4, 5]),
    (ReportSelection(queues=("app.*", "APP")), "event", [4, 5]),
    (ReportSelection(qmgrs=("QM2", "QM1"), queues=("APP.A",), since=2), "event", [3]),
]


@pytest.mark.parametrize(("selection", "relation", "chosen"), SELECTIONS)
def test_what_is_selected(spark: SparkSession, selection: ReportSelection, relation: str, chosen: list[int]) -> None:
    frame = spark.createDataFrame(ROWS, "at bigint, qmgr string, queue string")
    wanted = condition(selection, relation)
    assert [row["at"] for row in (frame if wanted is None else frame.where(wanted)).collect()] == chosen


def test_an_event_may_be_chosen_by_another_queue(spark: SparkSession) -> None:
    frame = spark.createDataFrame(ROWS, "at bigint, qmgr string, queue string")
    wanted = condition(ReportSelection(queues=("APP.C",)), "event", "IF(at = 2, 'APP.C', queue)")
    assert wanted is not None
    assert [row["at"] for row in frame.where(wanted).collect()] == [2]
