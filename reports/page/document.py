"""A page as HTML.

The only script sorts tables. The policy of the page names its hash, so that a browser runs nothing
else and loads nothing, whatever a message contains.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mqsc.reports.declaration import Report, Table
from mqsc.reports.identities import Broken
from mqsc.reports.output import PAGE, Result, page_of, result_of, values_of
from mqsc.reports.page import charts, overview, table_sums, tables, values
from mqsc.reports.page.tables import MOST_ROWS

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from jinja2 import Template


STYLE = files(__package__).joinpath("style.css").read_text("utf-8").strip()
SCRIPT = files(__package__).joinpath("sort.js").read_text("utf-8").strip()
_HASH = b64encode(sha256(SCRIPT.encode()).digest()).decode()
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    f"script-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; form-action 'none'"
)


class Section(NamedTuple):
    """A table on a page: its worst rows, the number of all rows, and the sums for its chart, and
    lines of queues.
    """

    table: Table
    rows: Sequence[tuple[Any, ...]]
    total: int
    sums: Sequence[table_sums.Sum]
    lines: Sequence[table_sums.Line] = ()


# The reports of a page with their tables.
Sections = Sequence[tuple[Report, Sequence[Section]]]


class Source(NamedTuple):
    """Where a page is from: its title, when it was made, a sentence below, and facts (label and
    text) at its end.

    `span` is the period in words; `kind` says what page it is, and `about` begins the title of its
    window. Events up to `removed` are missing; the sentences `missing` say so, and what is
    uncertain without them.
    """

    name: str
    made_at: str = ""
    sentence: str = ""
    facts: Sequence[tuple[str, str]] = ()
    period: overview.Period | None = None
    span: str = ""
    kind: str = "mqsc report"
    about: str = "Reports on"
    missing: Sequence[str] = ()
    removed: int = 0


class Drawings:
    """The charts of a run, each drawn once for all of its pages."""

    def __init__(self) -> None:
        self._charts: dict[str, list[charts.Drawing]] = {}
        self._sparklines: dict[tuple[str, str], str] = {}

    def of(self, anchor: str, section: Section) -> list[charts.Drawing]:
        """The charts of a table; `anchor` is its place on the page."""
        if anchor not in self._charts:
            self._charts[anchor] = _drawings(section)
        return self._charts[anchor]

    def sparkline(self, figure: overview.Figure) -> str:
        """The small chart beside a total."""
        key = figure.report, figure.total.label
        if key not in self._sparklines:
            self._sparklines[key] = charts.sparkline(figure.summed.by_hour)
        return self._sparklines[key]


def page(
    source: Source,
    reports: Sections,
    figures: Sequence[overview.Figure],
    broken: Sequence[object] = (),
    first: str = "",
    drawings: Drawings | None = None,
) -> str:
    """The page of a run: the sections of its reports, the totals in them, and the identities that
    do not hold.

    The report `first` is before all others and before the overview, and in the title: the page is
    that of this report.
    """
    problems = overview.problems(figures)
    with_problems = {problem.report for problem in problems}
    tiles = [(figure, overview.change(figure, source.period)) for figure in figures]
    return _template().render(
        source=source,
        first=first,
        drawings=drawings or Drawings(),
        # Problems first.
        reports=sorted(
            reports,
            key=lambda pair: (pair[0].name != first, pair[0].name not in with_problems),
        ),
        tiles=sorted(tiles, key=lambda pair: pair[0] not in problems),
        figures=figures,
        problems=problems,
        broken=[*map(str, broken)],
    )


@cache
def _template() -> Template:
    # Only pages need it; a run says which library is missing.
    from jinja2 import Environment, StrictUndefined

    def shown(value: object) -> object:
        # Not what macros have made, which is a class of its own.
        return values.visible(value) if type(value) is str else value

    lines: Any = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=shown, **lines)
    environment.filters |= {
        "words": values.words,
        "capitalised": values.capitalised,
        "grouped": values.count,
    }
    environment.globals |= {
        "charts": charts,
        "overview": overview,
        "tables": tables,
        "values": values,
    }
    environment.globals |= {"policy": POLICY, "style": STYLE, "script": SCRIPT}
    return environment.from_string(files(__package__).joinpath("page.html").read_text("utf-8"))


def _drawings(section: Section) -> list[charts.Drawing]:
    declared = section.table
    chart = charts.draw(declared.chart, section.sums) if declared.chart else None
    lines = charts.draw_lines(section.lines, declared.curve.label) if declared.curve else None
    return [each for each in (chart, lines) if each]


class Page:
    """Collects what the page of a run shows, and writes it when all reports are made."""

    def __init__(self, out: Path, summary: int, source: Source) -> None:
        self._out = out
        self._summary = summary
        self._source = source
        self._reports: list[tuple[Report, list[Section]]] = []
        self._sections: list[Section] = []
        self._figures: list[overview.Figure] = []
        self._broken: list[Broken] = []

    def write(self, report: Report, table: Table, rows: pa.Table) -> Result:
        """Keep what the page will show of the table."""
        first = tuple(values_of(table_sums.worst_first(table, rows).slice(0, MOST_ROWS)))
        sums, lines = table_sums.charted(table, rows), table_sums.lines(table, rows)
        self._sections.append(Section(table, first, rows.num_rows, sums, lines))
        # A column without a value is not known, which is not 0.
        known = [
            each
            for each in table.totals
            if not rows.num_rows or rows[each.column].null_count < rows.num_rows
        ]
        self._figures += (
            overview.Figure(report.name, each, table_sums.summed(table, rows, each.column))
            for each in known
        )
        return result_of(report, table, rows, self._out / page_of(report.name), self._summary)

    def compare(self, report: Report, table: Table, rows: pa.Table) -> None:
        """Take the rows of the same table for the period before."""
        before = {each: table_sums.summed(table, rows, each.column).total for each in table.totals}
        for place, figure in enumerate(self._figures):
            if figure.report == report.name and figure.total in before:
                self._figures[place] = figure._replace(before=before[figure.total])

    def end(self, report: Report, broken: Sequence[Broken]) -> None:
        """Take the report with its tables, and its identities that do not hold."""
        self._reports.append((report, self._sections))
        self._broken += broken
        self._sections = []

    def close(self) -> None:
        """Write the page of the run, and one for every report, which begins with that report."""
        drawings = Drawings()
        names = {"": PAGE, **{report.name: page_of(report.name) for report, _ in self._reports}}
        for first, name in names.items():
            text = page(self._source, self._reports, self._figures, self._broken, first, drawings)
            (self._out / name).write_text(text, "utf-8")


def is_of_period(table: Table) -> bool:
    """Whether the totals of a table are those of a period: other tables show what is there at
    the end of it.
    """
    return bool(table.totals) and table_sums.HOUR_COLUMN in (
        column.name for column in table.columns
    )
