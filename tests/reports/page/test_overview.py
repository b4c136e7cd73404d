"""What changed, which queues are worst, and the sums that say so."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.reports.declaration import Total
from mqsc.reports.page import overview
from mqsc.reports.page.overview import DAY, Change, Figure, Period, change, ranked
from mqsc.reports.page.table_sums import HOUR, Summed
from tests.rows import rows
from tests.store.tables import verdicts

EXPIRED, LOST, PUT = (
    Total("messages", "expired", True),
    Total("lost", "lost", True),
    Total("puts", "put"),
)


def figure(
    total: Total,
    by_queue: Mapping[tuple[str, str], int],
    before: int | None = None,
) -> Figure:
    return Figure("some-report", total, Summed(sum(by_queue.values()), {}, by_queue), before)


test_what_is_compared = verdicts(
    overview.compared,
    *((10, 15, 99, Period(5, 10, 15, True)), (10, None, 15, Period(5, 10, 15, True))),
    *((10, None, None, None), (10, None, 10, None), (None, None, None, None)),
    (None, None, 3 * DAY + 1, Period(DAY + HOUR, 2 * DAY + HOUR, 3 * DAY + HOUR, False)),
    (None, 3 * DAY, 9 * DAY, Period(DAY, 2 * DAY, 3 * DAY, False)),
)


LAST_DAY = Period(0, DAY, 2 * DAY, False)


@rows(
    ({0: 1, DAY - HOUR: 2, DAY: 4, 2 * DAY - HOUR: 8, 2 * DAY: 16, -HOUR: 32}, Change(12, 3)),
    *(({0: 1}, Change(0, 1)), ({DAY: 1}, None), ({}, None)),
)
def test_a_change_by_the_hours(by_hour: Mapping[int, int], found: Change | None) -> None:
    """Without hours before the last day there is nothing to compare it with."""
    assert change(Figure("r", PUT, Summed(9, by_hour)), LAST_DAY) == found


def test_a_change_of_a_selected_period() -> None:
    selected = Period(0, 5, 10, True)
    assert change(Figure("r", PUT, Summed(9), 4), selected) == Change(9, 4)
    assert change(Figure("r", PUT, Summed(9), None), selected) is None
    assert change(Figure("r", PUT, Summed(9), 4), None) is None
    assert overview.described(selected._replace(middle=HOUR, end=2 * HOUR)) == (
        "Changes compare the period, 1970-01-01 01:00 to 1970-01-01 02:00, with the same time "
        "before it, "
        "from 1970-01-01 00:00."
    )


def test_queues_rank_by_their_shares_of_all_problems() -> None:
    figures = [
        figure(PUT, {("QM1", "BUSY"): 1_000_000}),
        figure(EXPIRED, {("QM1", "A"): 60, ("QM1", "B"): 40, ("QM1", "C"): 0}),
        figure(LOST, {("QM1", "B"): 1, ("QM2", "B"): 1}),
        figure(Total("none", "none", True), {}),
    ]
    shown, queues, number = ranked(figures)
    assert [each.total.label for each in shown] == ["expired", "lost"]
    assert [tuple(each) for each in queues] == [
        ("QM1", "B", (40, 1)),
        ("QM1", "A", (60, 0)),
        ("QM2", "B", (0, 1)),
    ]
    assert number == 3


def test_only_the_worst_queues_are_named() -> None:
    _, queues, number = ranked([figure(EXPIRED, {("QM1", f"Q{n:03}"): 1 for n in range(100)})])
    assert (len(queues), queues[0].queue, number) == (10, "Q000", 100)


def test_a_problem_that_adds_up_to_zero_is_one() -> None:
    """One queue has two messages too many, the other two too few."""
    remainder = Figure("r", EXPIRED, Summed(0, {}, {("QM1", "A"): 2, ("QM1", "B"): 2}))
    assert overview.problems([remainder]) == [remainder]
