"""What a period needs of earlier events, tried with the cases of each report: the first half of
each history is before the period.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from mqsc.reports.earlier_rows import schema_of
from mqsc.reports.earlier_sums import counted
from mqsc.reports.lasting_definitions import lasting
from mqsc.reports.related_events import RelatedEvents
from mqsc.reports.settled_units import settled
from mqsc.store.published import EVENT, PENDING
from tests.reports.history import SECOND, Row
from tests.reports.jobs import (
    test_backouts,
    test_channels,
    test_dead_letters,
    test_message_lifetimes,
    test_queue_activity,
    test_trigger_history,
)
from tests.reports.tables import Case, tables_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODULES = (
    test_backouts,
    test_channels,
    test_dead_letters,
    test_message_lifetimes,
    test_queue_activity,
    test_trigger_history,
)
TEN_DAYS = 10 * 86_400 * SECOND
STORE, QMGR, SEQ = "store", "qmgr", "seq"


class History(NamedTuple):
    """A case as a store of its own, with its number: events before a period, those in it, and the
    messages on queues.
    """

    store: int
    is_live: bool
    earlier: Sequence[Row]
    period: Sequence[Row]
    pending: Sequence[Row]


def histories(module: ModuleType) -> Iterator[History]:
    """The cases of a report, each divided in the middle."""
    number = 0
    for table, (_, cases) in module.CASES.items():
        for name, case in cases.items():
            number += 1
            yield history(number, f"{table}: {name}", case)


def history(number: int, qmgr: str, case: Case) -> History:
    of_store = {QMGR: qmgr, STORE: number}
    events: list[Row] = [
        {SEQ: place, **row, **of_store} for place, row in enumerate(case.events, 1)
    ]
    events.sort(key=lambda row: row[SEQ])
    middle = len(events) // 2
    earlier: list[Row] = [
        {**row, "at": row["at"] - TEN_DAYS, "chosen": False} for row in events[:middle]
    ]
    pending: list[Row] = [{**row, **of_store} for row in case.pending]
    return History(number, "ARCHIVED" not in qmgr, earlier, events[middle:], pending)


def needed(each: History) -> tuple[list[Row], list[Row]]:
    """The events that are needed of earlier ones, and the sums of the others."""
    related = RelatedEvents(is_live=each.is_live)
    if each.is_live:
        related.learn_messages(pa.Table.from_pylist(each.pending, schema_of(PENDING)))
    related.learn_period(pa.Table.from_pylist(each.period, schema_of(EVENT)))
    earlier = pa.Table.from_pylist(each.earlier, schema_of(EVENT))
    related.learn_earlier(earlier)
    choice = related.choice()
    divided = choice.divided(earlier)
    of_units = settled(divided.in_units, choice.needed_units | divided.needed_units)
    chosen = (divided.needed, lasting(divided.definitions), of_units.needed)
    numbers = {number for rows in chosen for number in rows[SEQ].to_pylist()}
    sums = [*counted(divided.others).to_pylist(), *of_units.sums.to_pylist()]
    events = [row for row in each.earlier if row[SEQ] in numbers]
    return events, [{**row, STORE: each.store} for row in sums]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.REPORT.name)
def test_tables_are_those_of_all_events(spark: SparkSession, module: ModuleType) -> None:
    whole: dict[str, list[Row]] = {"event": [], "pending": []}
    fewer: dict[str, list[Row]] = {"event": [], "pending": [], "earlier": []}
    for each in histories(module):
        events, sums = needed(each)
        whole["event"] += [*each.earlier, *each.period]
        fewer["event"] += [*events, *each.period]
        fewer["earlier"] += sums
        for rows in (whole, fewer):
            rows["pending"] += each.pending
    assert len(fewer["event"]) < len(whole["event"])
    names = [table.name for table in module.REPORT.tables]
    made = tables_of(spark, module.REPORT, fewer, *names)
    for name, rows in tables_of(spark, module.REPORT, whole, *names).items():
        assert made[name].to_pylist() == rows.to_pylist(), name
