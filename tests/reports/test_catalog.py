"""Every report is declared completely and found by its name; periods, moments and queue names
that are chosen.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from mqsc.reports import catalog, times
from mqsc.reports.errors import ReportError
from mqsc.reports.times import EPOCH, MICROSECOND
from tests.rows import rows

if TYPE_CHECKING:
    pass

SENTENCE = r"[A-Z0-9].+\."
TYPES = {"string", "bigint", "timestamp", "decimal(20,6)"}


def test_the_reports_there_are_and_daily_for_all_of_them() -> None:
    names = (
        "admin-audit authority backouts channels dead-letters expired-messages message-lifetimes "
        "queue-activity "
        "trigger-history"
    )
    assert catalog.names() == tuple(names.split())
    assert catalog.expanded(["daily"]) == list(catalog.names())
    assert catalog.expanded(["channels", "daily", "channels"])[:2] == [
        "channels",
        catalog.names()[0],
    ]
    assert sorted(catalog.expanded(["channels", "daily"])) == list(catalog.names())
    assert catalog.expanded(["channels", "no-report"]) == ["channels", "no-report"]


def test_an_unknown_report_is_answered_with_all_names() -> None:
    with pytest.raises(ReportError) as caught:
        catalog.report("expired-message")
    known = ", ".join(catalog.names())
    assert str(caught.value) == f"there is no report 'expired-message'; the reports are {known}"


@pytest.mark.parametrize("name", catalog.names())
def test_every_report_is_declared_and_described_completely(name: str) -> None:
    report = catalog.report(name)
    assert report.name == name
    assert re.fullmatch(SENTENCE, report.doc)
    assert len({table.name for table in report.tables}) == len(report.tables)
    for reads in report.reads.values():
        assert set(reads.columns) <= {column.name for column in reads.relation.columns}
        assert set(reads.beside) <= set(report.reads)
    text = catalog.describe(name)
    for table in report.tables:
        names = [column.name for column in table.columns]
        assert f"## {table.name}\n" in text
        assert re.fullmatch(SENTENCE, table.doc), table.name
        assert set(table.order) <= set(names), table.name
        assert len(set(names)) == len(names), table.name
        assert set(table.reads) <= set(report.reads)
        for column in table.columns:
            assert column.type in TYPES, column
            assert re.fullmatch(SENTENCE, column.doc), column
            assert f"| {column.name} | {column.type} | {column.doc} |\n" in text


DAY = 86_400_000_000
LAST = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // MICROSECOND
FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND


@rows(
    *(
        (0, "1970-01-01T00:00:00Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
    ),
    *((LAST, "9999-12-31T23:59:59.999999Z"), (LAST + 1, "10000-01-01T00:00:00Z")),
    # 10000 is a leap year.
    *((LAST + 1 + 59 * DAY, "10000-02-29T00:00:00Z"), (FIRST, "0001-01-01T00:00:00Z")),
    *((FIRST - 1, "0000-12-31T23:59:59.999999Z"), ((1 << 63) - 1, "294247-01-10T04:00:54.775807Z")),
)
def test_times_as_text(microseconds: int, text: str) -> None:
    assert (times.iso(microseconds), times.iso(LAST + 1, " ", "seconds")) == (
        text,
        "10000-01-01 00:00:00Z",
    )
    is_date = FIRST <= microseconds <= LAST
    assert times.moment(microseconds) == (
        EPOCH + timedelta(microseconds=microseconds) if is_date else text
    )
