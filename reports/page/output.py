"""Writes the reports of a run to one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.declaration import Report, Table
from reports.identities import Broken
from reports.output import PAGE, Result, page_of, result_of, values_of
from reports.page.document import Section, Source, page
from reports.page.overview import Figure
from reports.page.sums import HOUR, charted, summed, worst_first
from reports.page.tables import MOST_ROWS
from reports.publication import link

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


class Page:
    """Collects what the page of a run shows, and writes it when all reports are made."""

    def __init__(self, out: Path, summary: int, source: Source) -> None:
        self._out = out
        self._summary = summary
        self._source = source
        self._reports: list[tuple[Report, list[Section]]] = []
        self._sections: list[Section] = []
        self._figures: list[Figure] = []
        self._broken: list[Broken] = []

    def write(self, report: Report, table: Table, rows: pa.Table) -> Result:
        """Keep what the page will show of the table."""
        first = tuple(values_of(worst_first(table, rows).slice(0, MOST_ROWS)))
        self._sections.append(Section(table, first, rows.num_rows, charted(table, rows)))
        # A column without a value is not known, which is not 0.
        known = [each for each in table.totals if not rows.num_rows or rows[each.column].null_count < rows.num_rows]
        self._figures += (Figure(report.name, each, summed(table, rows, each.column)) for each in known)
        return result_of(report, table, rows, self._out / page_of(report.name), self._summary)

    def compare(self, report: Report, table: Table, rows: pa.Table) -> None:
        """Take the rows of the same table for the period before."""
        before = {each: summed(table, rows, each.column).total for each in table.totals}
        self._figures = [
            each._replace(before=before[each.total]) if each.report == report.name and each.total in before else each
            for each in self._figures
        ]

    def end(self, report: Report, broken: Sequence[Broken]) -> None:
        """Take the report with its tables, and its identities that do not hold."""
        self._reports.append((report, self._sections))
        self._broken += broken
        self._sections = []

    def close(self) -> None:
        """Write the page, and a link to it for every report."""
        path = self._out / PAGE
        path.write_text(page(self._source, self._reports, self._figures, self._broken), "utf-8")
        for report, _ in self._reports:
            link(path, self._out / page_of(report.name))


def is_of_period(table: Table) -> bool:
    """Whether the totals of a table are those of a period: other tables show what is there at the end of it."""
    return bool(table.totals) and HOUR in (column.name for column in table.columns)
