"""The page: strict HTML, titles, changes in words, and pages of all reports from made-up rows
instead of a history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from mqsc.reports.catalog import names, report
from mqsc.reports.declaration import Chart, Report, ReportColumn, Table, Total
from mqsc.reports.identities import Broken
from mqsc.reports.page.document import Page, Section, Source, is_of_period, page
from mqsc.reports.page.overview import DAY, Figure, Period
from mqsc.reports.page.table_sums import Sum, Summed
from mqsc.reports.page.tables import MOST_ROWS, row_of_cells
from tests.rows import rows

START = datetime(2023, 11, 14, 22, tzinfo=UTC)
# What a program could put into names, user identifiers and data to take part in the page.
HOSTILE = (
    "<script>window.taken = 1</script>",
    "</td></table><img src=x onerror='window.taken = 1'>",
    "</script><script>window.taken = 1</script>",
    "\" onmouseover=window.taken=1 x='",
    "<style>body { display: none }</style><link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "javascript:window.taken=1",
    "a\x00b\x1b[2J\x07 \u202eback \ufeff\ud7ff",
    "<!-- --> ]]> &lt;script&gt; &#60;",
    "x" * 300,
    "\U0001f4a9 ÄÖ.ЖЯ שלום 漢字",
)
ARROW = {
    "string": pa.string(),
    "bigint": pa.int64(),
    "timestamp": pa.timestamp("us", "UTC"),
    "boolean": pa.bool_(),
}
DURATIONS = (Decimal("0"), Decimal("0.000250"), Decimal("3.3"), Decimal("125"), Decimal("100000"))


def made_page(
    folder: Path,
    made: Iterable[str] = names(),
    *,
    rows: int = 30,
    text: tuple[str, ...] = HOSTILE,
    broken: Sequence[Broken] = (),
) -> Path:
    """Write a page with that many rows in every table, and `broken` in every report; return its
    path.
    """
    hour = 3_600_000_000
    middle = int(START.timestamp()) * 1_000_000 + 24 * hour
    period = Period(middle - 24 * hour, middle, middle + 24 * hour, False)
    facts = [("Created", "2023-11-15 22:00:00 UTC"), ("Store", f"/srv/{text[0]}.db")]
    to = Page(folder, 3, Source(f"{text[0]}.db", "2023-11-15", f"From {text[0]}.", facts, period))
    for name in made:
        declared = report(name)
        for table in declared.tables:
            to.write(declared, table, made_rows(table, rows, text))
        to.end(declared, broken)
    to.close()
    return folder / "index.html"


def made_rows(table: Table, number: int, text: tuple[str, ...]) -> pa.Table:
    """Rows with values of the types of the columns."""
    columns = {
        column.name: pa.array(
            [value(column, place, text) for place in range(number)],
            arrow_type(column),
        )
        for column in table.columns
    }
    return pa.table(columns)


def arrow_type(column: ReportColumn) -> pa.DataType:
    return pa.decimal128(20, 6) if column.type.startswith("decimal") else ARROW[column.type]


def value(column: ReportColumn, place: int, text: tuple[str, ...]) -> Any:
    # The values of different columns do not repeat together.
    place += len(column.name)
    if place % 11 == 0:
        return None
    match column.type:
        case "string":
            return text[place % len(text)]
        case "bigint":
            return place * 997 % 10_007
        case "timestamp":
            return START + timedelta(hours=place)
        case "boolean":
            return place % 2 == 0
        case _:
            return DURATIONS[place % len(DURATIONS)]


HOUR = datetime(2023, 11, 14, 22, tzinfo=UTC)
COLUMNS = (
    ReportColumn("queue", "string", "queue", "The <queue>."),
    ReportColumn("hour", "timestamp", "hour", "The hour."),
    ReportColumn("messages", "bigint", "messages", "How many."),
    ReportColumn("lateness", "decimal(20,6)", "lateness", "Seconds."),
)
TABLE = Table(
    "counts",
    "Counts & more.",
    (),
    lambda frame: frame,
    COLUMNS,
    ("queue",),
    Chart("messages", "queue"),
)
REPORT = Report("some-report", "A report.", {}, (TABLE,))
ROW = ("A", HOUR, 12345, Decimal("3.300000"))
EXPIRED, PUT = Total("messages", "expired", problem=True), Total("messages", "messages put")
PERIOD = Period(0, DAY, 2 * DAY, True)
EMPTY_TAGS = {"meta", "link"}


class Reader(HTMLParser):
    """Parses a page strictly: every element is closed in the right place. Collects cells,
    elements and attributes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.cells: list[str] = []
        self.text = ""

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
        """Add the text to the page and to the current cell."""
        self.text += data
        if "td" in self.open[-2:]:
            self.cells[-1] += data


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def of(
    *rows: tuple[Any, ...],
    total: int | None = None,
    table: Table = TABLE,
    figures: Any = (),
) -> str:
    section = Section(table, rows, len(rows) if total is None else total, [Sum("A", 1)])
    return page(Source("shop.db", period=PERIOD), [(REPORT, [section])], figures)


def test_values_are_written_for_people_and_columns_without_a_value_left_out() -> None:
    found = read(of(ROW, (None, None, 0, Decimal(10))))
    assert found.cells == ["A", "2023-11-14 22:00", "12,345", "3.3 s", "–", "–", "0", "10 s"]
    assert ("title", "3.3") in found.attributes
    found = read(of(("A", None, 1, None)))
    assert found.cells == ["A", "1"]
    assert "Left out because no row has a value: hour, lateness." in found.text
    assert len(read(of(("A", None, 1, None), total=2)).cells) == 4


def test_a_page_says_how_many_rows_it_leaves_out() -> None:
    assert "1 of 3,456 rows, in order; --as csv writes all." in read(of(ROW, total=3456)).text
    worst = replace(TABLE, worst="lateness")
    text = of(ROW, total=2, table=worst)
    assert (
        "1 of 2 rows, with the highest values of lateness; --as csv writes all." in read(text).text
    )
    assert re.findall(
        'aria-sort="descending"><button type="button" title="Seconds.">([^<]*)<',
        text,
    ) == ["lateness"]


def test_an_alarm_is_highlighted() -> None:
    cells = [("A", HOUR, number, Decimal(1)) for number in (0, -1, None, 2)]
    text = of(*cells, table=replace(TABLE, alarms=("messages",)))
    read(text)
    assert re.findall('<td class="n alarm"><strong>(.*?)</strong>', text) == ["-1", "2"]
    # After the key, so that no other column moves it out of sight.
    assert re.findall(r"<button[^>]*>(\w+)<", text) == ["queue", "messages", "hour", "lateness"]


def test_titles_and_captions() -> None:
    """The title names the queue managers and the period."""
    span = "the whole history to 2026-03-01 09:00 UTC"
    text = page(Source("QM1, QM2", span=span), [], [])
    assert f"<title>Reports on QM1, QM2, {span}</title>" in text
    assert f'<p class="span">{span}</p>' in text
    text = of(ROW, ROW)
    assert text.count("<table") == text.count("<caption>") > 0
    assert f"<caption>{TABLE.name.capitalize()}: 2 rows</caption>" in text
    assert [each in of() for each in ("No rows.", "<table", "Overview")] == [True, False, False]


def test_an_identity_that_does_not_hold_is_above_the_overview() -> None:
    broken = Broken("dead-letters", "a.n = b.n", 2, "QM1 <DLQ>", -3)
    figure = Figure("r", Total("n", "problems", problem=True), Summed(1, {}, {}))
    text = page(Source("QM1"), [], [figure], [broken])
    said = "a.n = b.n does not hold for 2 groups of rows, such as QM1 &lt;DLQ&gt; (difference -3)"
    assert text.index(said) < text.index('<h2 id="overview">')
    assert 'class="broken" role="alert"' in text
    assert 'class="broken"' not in page(Source("QM1"), [], [figure])


def test_missing_events_are_above_the_overview() -> None:
    """The events that are left may have no problem where the removed ones had some."""
    figures = [Figure("r", Total("n", name, problem=True), Summed(0, {}, {})) for name in "ab"]
    whole = page(Source("QM1"), [], figures)
    assert "None: a; b." in whole
    assert '<p class="good">No queue has a problem.</p>' in whole
    text = page(Source("QM1", missing=["events up to 7 were <removed>"], removed=7), [], figures)
    assert text.index("<li>events up to 7 were &lt;removed&gt;.</li>") < text.index("Overview</h2>")
    assert "None after event 7: a; b." in text
    assert '<p class="note">No queue has a problem after event 7.</p>' in text


@rows(
    *(
        (EXPIRED, 12, 10, "▲ worse 12, was 10 (+20 %)"),
        (EXPIRED, 20, 2000, "▼ better 20, was 2,000 (−99 %)"),
    ),
    *((EXPIRED, 3, 0, "▲ worse 3, was 0"), (EXPIRED, 0, 3, "▼ better 0, was 3 (−100 %)")),
    *((EXPIRED, 3, 3, "= 3, was 3"), (PUT, 12, 10, "▲ 12, was 10 (+20 %)")),
)
def test_changes_are_said_in_words(total: Total, now: int, before: int, said: str) -> None:
    """Not only by colours, and without a percentage of nothing."""
    found = read(of(ROW, figures=[Figure("some-report", total, Summed(now), before)])).text
    assert said in found.replace("\N{NO-BREAK SPACE}", " ")
    assert "Changes compare the period, 1970-01-02 00:00 to 1970-01-03 00:00" in found


def test_problems_come_first_and_name_their_queues() -> None:
    figures = [
        Figure("some-report", PUT, Summed(5)),
        Figure("some-report", Total("lost", "lost", problem=True), Summed(0)),
        Figure("other", EXPIRED, Summed(2, {}, {("QM1", "LATE"): 2})),
    ]
    section = Section(TABLE, [ROW], 1, [])
    other = replace(REPORT, name="other")
    text = page(Source("shop.db"), [(REPORT, [section]), (other, [section])], figures)
    read(text)
    assert re.findall("<span>(.*?)</span> <strong>(.*?)</strong>", text) == [
        ("expired", "2"),
        ("messages put", "5"),
    ]
    assert "None: lost." in text
    assert re.findall('<th scope="row">(.*?)</th>', text) == ["LATE"]
    assert re.findall('<li><a href="#(.*?)">', text) == ["other", "some-report"]
    assert "No queue has a problem." in of(ROW, figures=figures[:2])


def test_text_of_a_store_stays_text(tmp_path: Path) -> None:
    def found(text: str) -> tuple[list[str], set[str]]:
        folder = tmp_path / str(len([*tmp_path.iterdir()]))
        folder.mkdir()
        reader = read(made_page(folder, ["dead-letters"], rows=3, text=(text,)).read_text("utf-8"))
        return reader.elements, {key for key, _ in reader.attributes}

    plain = found("A")
    for text in HOSTILE:
        assert found(text) == plain, text


@pytest.mark.parametrize("name", names())
def test_a_page_needs_nothing_beside_it(name: str, tmp_path: Path) -> None:
    text = made_page(tmp_path, [name], rows=3, text=("A",)).read_text("utf-8")
    found = read(text)
    assert found.elements.count("script") == 1
    assert not {"img", "iframe", "object", "form"} & set(found.elements)
    assert {
        value for key, value in found.attributes if key == "href" and not str(value).startswith("#")
    } == {"data:,"}
    assert not {"src", "onclick", "onload"} & {key for key, _ in found.attributes}
    assert not re.search(r"url\(|@import|https?:(?!//www\.w3\.org/)", text)
    for table in report(name).tables:
        assert f'id="{name}.{table.name}"' in text
        assert table.chart is None or {table.chart.value, table.chart.by} <= {
            each.name for each in table.columns
        }


def test_what_pages_read_is_declared() -> None:
    for table in (table for name in names() for table in report(name).tables):
        columns = {column.name: column.type for column in table.columns}
        assert all(columns[total.column] == "bigint" for total in table.totals)
        assert table.worst in ("", *columns)
        assert table.chart is None or table.chart.beside in ("", *columns)


def test_many_rows_stay_small(tmp_path: Path) -> None:
    """A row of a report takes some 300 bytes; with a million of them the page does not grow, but
    with each table.
    """
    size = made_page(tmp_path, rows=2000, text=("ORDERS.BACKOUT", "REPLIES")).stat().st_size
    assert size < 3_100_000


OF_EXPIRED = report("expired-messages")


def test_every_report_has_a_page_that_begins_with_it(tmp_path: Path) -> None:
    to = Page(tmp_path, 3, Source("shop.db"))
    for declared in (OF_EXPIRED, report("backouts")):
        result = to.write(
            declared,
            declared.tables[0],
            made_rows(declared.tables[0], MOST_ROWS + 1, ("A",)),
        )
        assert result.path == tmp_path / f"{declared.name}.html"
        assert (result.rows_written, len(result.summary_rows)) == (MOST_ROWS + 1, 3)
        to.end(declared, [])
        assert not list(tmp_path.iterdir())
    to.close()
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert set(texts) == {"index.html", "expired-messages.html", "backouts.html"}
    names = {name: re.findall(r'<h2 id="([\w-]+)"', text) for name, text in texts.items()}
    assert {name: (*found[:2], len(found)) for name, found in names.items()} == {
        "index.html": ("overview", "expired-messages", 3),
        "expired-messages.html": ("expired-messages", "overview", 3),
        "backouts.html": ("backouts", "overview", 3),
    }
    titles = {name: re.findall("<title>(.*)</title>", text) for name, text in texts.items()}
    assert titles == {
        "index.html": ["Reports on shop.db"],
        "expired-messages.html": ["Expired messages of shop.db"],
        "backouts.html": ["Backouts of shop.db"],
    }
    assert texts["index.html"].count("<tr>") == 2 * (1 + MOST_ROWS) + 1 + texts["index.html"].count(
        '<th scope="row">',
    )


def test_the_period_before(tmp_path: Path) -> None:
    """Only tables with hours are compared."""
    assert [table.name for table in OF_EXPIRED.tables if is_of_period(table)] == ["expired"]
    to, table = (
        Page(tmp_path, 0, Source("shop.db", period=Period(0, 10, 20, True))),
        OF_EXPIRED.tables[0],
    )
    to.write(OF_EXPIRED, table, made_rows(table, 3, ("A", "B")))
    to.compare(OF_EXPIRED, table, made_rows(table, 2, ("A", "B")))
    to.end(OF_EXPIRED, [])
    to.close()
    # 997 times 8, 9 and 10, modulo 10 007.
    assert "▲ worse</span> 26,919, was 16,949" in (tmp_path / "index.html").read_text("utf-8")


@rows(
    ("ORDERS.BACKOUT", ""),
    ("414d512053484f502020202020202020fa6af98d2a78f27f", "id"),
    ("sales figures", ""),
    ("AMQ9208E: Error on receive from host 'SHOP': the connection was lost.", "sentence"),
)
def test_how_a_text_may_be_broken(text: str, kind: str) -> None:
    column = ReportColumn("text", "string", "", "")
    cell = row_of_cells([(0, column)], (text,), ())
    assert (f'class="{kind}"' in cell) == bool(kind)
    assert cell.startswith("<td class=" if kind else "<td>")
