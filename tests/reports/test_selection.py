"""The events and messages of a report: by period, queue manager and queue."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from mqsc.reports import selection
from mqsc.reports.errors import ReportError
from mqsc.reports.selection import ReportSelection, condition, description, span
from mqsc.store.published import Bound
from tests.rows import rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


MOMENTS = {
    "2023-11-14": 1_699_920_000_000_000,
    "2023-11-14T22:13:20": 1_700_000_000_000_000,
    "2023-11-14 22:13:20.000001": 1_700_000_000_000_001,
    "2023-11-14T22:13:20Z": 1_700_000_000_000_000,
    "2023-11-15T00:13:20+02:00": 1_700_000_000_000_000,
    " 1969-12-31T23:59:59 ": -1_000_000,
}


def test_moments() -> None:
    assert {text: selection.select(since=text).since for text in MOMENTS} == MOMENTS


@rows(
    ({"since": "yesterday"}, "since 'yesterday' is not a moment; write it as 2024-05-31"),
    ({"until": "2023-02-30"}, "until '2023-02-30' is not a moment"),
    ({"until": ""}, "until '' is not a moment"),
    ({"since": "2023-11-14", "until": "2023-11-14"}, "is not before until"),
    (
        {"since": 253_402_300_800_000_000, "until": 0},
        "since 10000-01-01T00:00:00Z is not before until 1970-01-01",
    ),
    ({"since": "2023-11-14T12:00", "until": "2023-11-14T13:00+02:00"}, "is not before until"),
    ({"queues": ["A*B"]}, "'A*B' is not a queue name"),
    ({"queues": [""]}, "'' is not a queue name"),
)
def test_refusals(options: dict[str, str], says: str) -> None:
    with pytest.raises(ReportError, match=re.escape(says)):
        selection.select(**options)


BOTH = "QM1 1970-01-01 00:00:00Z, QM2 1970-01-01 00:01:00Z"
PERIOD = "events since 1970-01-01 00:00:00Z; events before 1970-01-01 00:01:00Z"


@rows(
    (ReportSelection(), "everything selected", BOTH),
    (
        ReportSelection(since=0, until=60_000_000, queues=("A", "B*")),
        f"only {PERIOD}; queues A, B*",
        BOTH,
    ),
    (ReportSelection(qmgrs=("QM2",)), "only queue managers QM2", "QM2 1970-01-01 00:01:00Z"),
)
def test_what_was_selected_in_words(selection: ReportSelection, only: str, clocks: str) -> None:
    sentences = description(selection, "shop.db", Bound(7, 3, {"QM1": 0, "QM2": 60_000_000}))
    told = f"Clocks of the queue managers at that time (UTC): {clocks}."
    assert sentences == [f"From shop.db up to event 7; {only}.", told]
    assert description(ReportSelection(), "shop.db", Bound(0, 0, {}))[1].endswith(": none.")


def test_what_was_removed_is_not_called_everything() -> None:
    kept = "from event 5 (events before are archived and removed)"
    everything, later = ReportSelection(), ReportSelection(since=0)
    assert span(everything, None) == "the whole history"
    assert span(everything, None, 4) == kept
    assert span(everything, 60_000_000, 4) == f"{kept} to 1970-01-01 00:01 UTC"
    assert span(later, 60_000_000, 4) == f"1970-01-01 00:00 to 1970-01-01 00:01 UTC, {kept}"
    assert description(everything, "shop.db", Bound(7, 3, {}), 4)[0] == (
        "From shop.db up to event 7, without those up to 4 that are archived and removed; "
        "everything selected."
    )


ROWS = [
    (1, "QM1", "APP.A"),
    (2, "QM1", "APP.B"),
    (3, "QM2", "APP.A"),
    (4, "QM1", "app.a"),
    (5, "QM1", "APP"),
]
SELECTIONS = [
    *(
        (ReportSelection(), "event", [1, 2, 3, 4, 5, 6]),
        (ReportSelection(since=3), "event", [3, 4, 5, 6]),
    ),
    *(
        (ReportSelection(until=3), "event", [1, 2]),
        (ReportSelection(since=2, until=4), "event", [2, 3]),
    ),
    (ReportSelection(since=2, until=4), "pending", [1, 2, 3, 4, 5, 6]),
    (ReportSelection(qmgrs=("QM1",)), "pending", [1, 2, 4, 5, 6]),
    (ReportSelection(queues=("APP.A",)), "event", [1, 3]),
    (ReportSelection(queues=("APP.*",)), "event", [1, 2, 3]),
    (ReportSelection(queues=("APP*",)), "event", [1, 2, 3, 5]),
    (ReportSelection(queues=("*",)), "event", [1, 2, 3, 4, 5]),
    (ReportSelection(queues=("app.*", "APP")), "event", [4, 5]),
    (ReportSelection(qmgrs=("QM2", "QM1"), queues=("APP.A",), since=2), "event", [3]),
]


def test_what_is_selected(spark: SparkSession) -> None:
    """An event may also be chosen by another queue than its own."""
    wanted = [condition(selection, relation) for selection, relation, _ in SELECTIONS]
    wanted.append(
        condition(ReportSelection(queues=("APP.C",)), "event", "IF(at = 2, 'APP.C', queue)"),
    )
    frame = spark.createDataFrame([*ROWS, (6, "QM1", None)], "at bigint, qmgr string, queue string")
    found = frame.select(
        "at",
        *(frame.at > 0 if each is None else each for each in wanted),
    ).collect()
    chosen = [[row[0] for row in found if row[number]] for number in range(1, len(wanted) + 1)]
    assert chosen == [*(each for *_, each in SELECTIONS), [2]]
