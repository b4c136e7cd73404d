"""One page for all reports of a run, with a link to it from each."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]

from reports.catalog import report
from reports.page.document import Page, Source, is_of_period
from reports.page.overview import Period
from reports.page.tables import MOST_ROWS
from tests.reports.page.made import made_rows

EXPIRED = report("expired-messages")
TABLE = EXPIRED.tables[0]


def rows(number: int) -> pa.Table:
    return made_rows(TABLE, number, ("A", "B"))


def test_every_report_leads_to_the_page(tmp_path: Path) -> None:
    to = Page(tmp_path, 3, Source("shop.db"))
    for declared in (EXPIRED, report("backouts")):
        result = to.write(declared, declared.tables[0], made_rows(declared.tables[0], MOST_ROWS + 1, ("A",)))
        assert result.path == tmp_path / f"{declared.name}.html"
        assert (result.rows_written, len(result.summary_rows)) == (MOST_ROWS + 1, 3)
        to.end(declared, [])
        assert not list(tmp_path.iterdir())
    to.close()
    texts = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert set(texts) == {"index.html", "expired-messages.html", "backouts.html"}
    assert len(set(texts.values())) == 1
    assert texts["index.html"].count("<tr>") == 2 * (1 + MOST_ROWS) + 1 + texts["index.html"].count('<th scope="row">')


def test_the_period_before(tmp_path: Path) -> None:
    to = Page(tmp_path, 0, Source("shop.db", period=Period(0, 10, 20, True)))
    to.write(EXPIRED, TABLE, rows(3))
    to.compare(EXPIRED, TABLE, rows(2))
    to.end(EXPIRED, [])
    to.close()
    # 997 times 8, 9 and 10, modulo 10 007.
    assert "▲ worse</span> 26,919, was 16,949" in (tmp_path / "index.html").read_text("utf-8")


def test_only_tables_with_hours_are_compared() -> None:
    assert [table.name for table in EXPIRED.tables if is_of_period(table)] == ["expired"]
