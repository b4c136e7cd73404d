"""A report as one self-contained page, in which text from the store cannot become markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from reports.catalog import names, report
from reports.chart import Sum
from reports.declaration import Chart, Report, ReportColumn, Table
from reports.output import output
from reports.page import MOST_ROWS, Section, page

HOUR = datetime(2023, 11, 14, 22, tzinfo=UTC)
COLUMNS = (
    ReportColumn("queue", "string", "queue", "The <queue>."),
    ReportColumn("hour", "timestamp", "hour", "The hour."),
    ReportColumn("messages", "bigint", "messages", "How many."),
    ReportColumn("lateness", "decimal(20,6)", "lateness", "Seconds."),
)
TABLE = Table("counts", "Counts & more.", (), lambda frame: frame, COLUMNS, ("queue",), Chart("messages", "hour"))
REPORT = Report("some-report", "A report.", {}, (TABLE,))
EMPTY_TAGS = {"meta"}


class Reader(HTMLParser):
    """Parses a page strictly: every element is closed in the right place. Collects cells, attributes and elements."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in EMPTY_TAGS:
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        """Check that the element closed is the one opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Add the text to the current cell."""
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data


def read(text: str) -> Reader:
    """Parse a complete page."""
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def section(*rows: tuple[Any, ...], total: int | None = None, sums: Sequence[Sum] = ()) -> Section:
    """Return a section for the only table."""
    return Section(TABLE, rows, len(rows) if total is None else total, sums)


def test_values_are_written_for_people() -> None:
    found = read(page(REPORT, [section(("A", HOUR, 12345, Decimal("3.300000")), (None, None, 0, Decimal(10)))], []))
    assert found.cells == ["A", "2023-11-14 22:00:00Z", "12345", "3.3", "–", "–", "0", "10"]


@pytest.mark.parametrize(
    ("queue", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("</td></table><img src=x onerror=alert(1)>", "</td></table><img src=x onerror=alert(1)>"),
        ("\"'&lt;&amp;", "\"'&lt;&amp;"),
        ("a\x00b\x1b[2J\x7f", "a␀b␛[2J␡"),
        ("ÄÖ.ЖЯ \u202e", "ÄÖ.ЖЯ \u202e"),
    ],
)
def test_text_of_a_store_stays_text(queue: str, shown: str) -> None:
    plain = read(page(REPORT, [section(("A", HOUR, 1, None), sums=[Sum("A", 1)])], ["About A."]))
    found = read(page(REPORT, [section((queue, HOUR, 1, None), sums=[Sum(queue, 1)])], [f"About {queue}."]))
    assert found.cells[0] == shown
    assert found.elements == plain.elements


@pytest.mark.parametrize(
    ("label", "said"), [("", "messages, at most"), ("sent and received", "sent and received, at most")]
)
def test_what_a_chart_shows(label: str, said: str) -> None:
    table = replace(TABLE, chart=Chart("messages", "hour", label))
    assert said in page(REPORT, [Section(table, [("A", HOUR, 1, None)], 1, [Sum(HOUR, 1)])], [])


def test_an_alarm_is_highlighted() -> None:
    watched = replace(TABLE, alarm="messages")
    cells = [("A", HOUR, number, Decimal(1)) for number in (0, -1, None, 2)]
    text = page(REPORT, [Section(watched, cells, len(cells), [])], [])
    read(text)
    assert re.findall("<strong>(.*?)</strong>", text) == ["-1", "2"]


@pytest.mark.parametrize("name", names())
def test_a_page_needs_nothing_beside_it(name: str) -> None:
    """It runs no script and fetches nothing: it contains no address, and its policy forbids loading."""
    declared = report(name)
    sections = [Section(table, [(None,) * len(table.columns)], 1, [Sum(HOUR, 1)]) for table in declared.tables]
    text = page(declared, sections, [])
    found = read(text)
    assert not {"script", "link", "img", "iframe", "a"} & set(found.elements)
    assert not {"src", "href", "onclick", "onload"} & {key for key, _ in found.attributes}
    assert "default-src 'none'" in text
    assert not re.search(r"https?:|url\(|@import", text)
    for table in declared.tables:
        assert f"<h2>{table.name}</h2>" in text
        assert table.chart is None or {table.chart.value, table.chart.by} <= {each.name for each in table.columns}


def test_without_rows() -> None:
    text = page(REPORT, [section()], ["Nothing was left out."])
    assert "No rows." in text
    assert "<table" not in text
    assert '<p class="about">Nothing was left out.</p>' in text


def rows(number: int) -> pa.Table:
    """Return rows for the only table."""
    hour = pa.timestamp("us", "UTC")
    schema = pa.schema({"queue": pa.string(), "hour": hour, "messages": pa.int64(), "lateness": pa.int64()})
    values = [{"queue": f"Q{n:05}", "hour": HOUR, "messages": 2, "lateness": None} for n in range(number)]
    return pa.Table.from_pylist(values, schema=schema)


def test_a_page_shows_the_first_rows_and_sums_all_of_them(tmp_path: Path) -> None:
    to = output(tmp_path, "html", 3, ["From a store."])
    result = to.write(REPORT, TABLE, rows(MOST_ROWS + 1))
    assert not result.path.exists()
    to.end(REPORT)
    assert result.path == tmp_path / "some-report.html"
    assert (result.rows_written, len(result.summary_rows)) == (MOST_ROWS + 1, 3)
    text = result.path.read_text("utf-8")
    assert len(read(text).cells) == MOST_ROWS * len(COLUMNS)
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 1} rows" in text
    assert f"messages, at most {2 * (MOST_ROWS + 1)} in an hour" in text


def test_the_next_report_is_a_page_of_its_own(tmp_path: Path) -> None:
    to = output(tmp_path, "html", 0, [])
    other = Report("other", "Another report.", {}, (TABLE,))
    for each, number in ((REPORT, 2), (other, 1)):
        to.write(each, TABLE, rows(number))
        to.end(each)
    assert [len(read((tmp_path / f"{name}.html").read_text()).cells) for name in ("some-report", "other")] == [8, 4]
