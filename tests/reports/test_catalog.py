"""Every report is found by its file name, completely declared, and described."""

from __future__ import annotations

import re

import pytest

from reports import catalog
from reports.errors import ReportError
from store.published import RELATIONS

SENTENCE = r"[A-Z0-9].+\."
TYPES = {"string", "bigint", "timestamp", "decimal(20,6)"}


def test_the_reports_there_are() -> None:
    assert catalog.names() == (
        "admin-audit",
        "backouts",
        "channels",
        "dead-letters",
        "expired-messages",
        "message-lifetimes",
        "queue-activity",
        "trigger-history",
    )


def test_daily_stands_for_all_reports() -> None:
    assert catalog.expanded(["daily"]) == list(catalog.names())
    assert catalog.expanded(["channels", "daily", "channels"])[:2] == ["channels", catalog.names()[0]]
    assert sorted(catalog.expanded(["channels", "daily"])) == list(catalog.names())
    assert catalog.expanded(["channels", "no-report"]) == ["channels", "no-report"]


UNKNOWN = [
    ("expired-message", "did you mean expired-messages?"),
    ("Expired-Messages", "did you mean expired-messages?"),
    ("xyz", f"the reports are {', '.join(catalog.names())}"),
    ("dayly", "did you mean daily?"),
    ("dead-letter", "did you mean dead-letters?"),
]


@pytest.mark.parametrize(("name", "says"), UNKNOWN)
def test_an_unknown_report_is_answered_with_the_nearest(name: str, says: str) -> None:
    with pytest.raises(ReportError) as caught:
        catalog.report(name)
    assert str(caught.value) == f"there is no report {name!r}; {says}"


@pytest.mark.parametrize("name", catalog.names())
def test_every_report_is_declared_completely(name: str) -> None:
    report = catalog.report(name)
    assert report.name == name
    assert re.fullmatch(SENTENCE, report.doc)
    assert len({table.name for table in report.tables}) == len(report.tables)
    for read, reads in report.reads.items():
        assert set(reads.columns) <= {column.name for column in RELATIONS[reads.relation or read].columns}
        assert set(reads.beside) <= set(report.reads)
    for table in report.tables:
        names = [column.name for column in table.columns]
        assert re.fullmatch(SENTENCE, table.doc), table.name
        assert set(table.order) <= set(names), table.name
        assert len(set(names)) == len(names), table.name
        assert set(table.reads) <= set(report.reads)
        for column in table.columns:
            assert column.type in TYPES, column
            assert re.fullmatch(SENTENCE, column.doc), column


@pytest.mark.parametrize("name", catalog.names())
def test_a_description_tells_every_column(name: str) -> None:
    text = catalog.describe(name)
    for table in catalog.report(name).tables:
        assert f"## {table.name}\n" in text
        assert all(f"| {column.name} | {column.type} | {column.doc} |\n" in text for column in table.columns)
