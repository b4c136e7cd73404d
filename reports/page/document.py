"""A page as HTML.

The only script sorts tables. The policy of the page names its hash, so that a browser runs nothing else and loads
nothing, whatever a message contains.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reports.catalog import Report, Table
from reports.identities import Broken
from reports.output import PAGE, Result, page_of, result_of, values_of
from reports.page import charts, overview, tables
from reports.page.tables import MOST_ROWS, capitalised, count, percentage, visible, words
from reports.publication import link

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


STYLE = files(__package__).joinpath("style.css").read_text("utf-8").strip()
SCRIPT = files(__package__).joinpath("sort.js").read_text("utf-8").strip()
_HASH = b64encode(sha256(SCRIPT.encode()).digest()).decode()
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    f"script-src 'sha256-{_HASH}'; img-src data:; base-uri 'none'; form-action 'none'"
)


class Section(NamedTuple):
    """A table on a page: its worst rows, the number of all rows, and the sums for its chart, and lines of queues."""

    table: Table
    rows: Sequence[tuple[Any, ...]]
    total: int
    sums: Sequence[overview.Sum]
    lines: Sequence[overview.Line] = ()


# The reports of a page with their tables.
Sections = Sequence[tuple[Report, Sequence[Section]]]


class Source(NamedTuple):
    """Where a page is from: its title, when it was made, a sentence below, and facts (label and text) at its end.

    `span` is the period in words; `kind` says what page it is, and `about` begins the title of its window.
    """

    name: str
    made: str = ""
    sentence: str = ""
    facts: Sequence[tuple[str, str]] = ()
    period: overview.Period | None = None
    span: str = ""
    kind: str = "mqsc report"
    about: str = "Reports on"


def page(source: Source, reports: Sections, figures: Sequence[overview.Figure], broken: Sequence[object] = ()) -> str:
    """The page of a run: the sections of its reports, the totals in them, and the identities that do not hold."""
    return "\n".join(_lines(source, reports, figures, broken)) + "\n"


def _lines(
    source: Source, reports: Sections, figures: Sequence[overview.Figure], broken: Sequence[object]
) -> Iterator[str]:
    name = escape(visible(source.name))
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    # Without it, browsers ask the server for an icon.
    yield '<link rel="icon" href="data:,">'
    title = ", ".join(filter(None, (name, _text(source.span))))
    yield f"<title>{_text(source.about)} {title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>"
    made = f", {_text(source.made)}" if source.made else ""
    yield f'<header>\n<p class="kind">{_text(source.kind)}{made}</p>\n<h1>{name}</h1>'
    if source.span:
        yield f'<p class="span">{_text(source.span)}</p>'
    yield f"<p>{_text(source.sentence)}</p>"
    with_problems = {each.report for each in overview.problems(figures)}
    ordered = sorted(reports, key=lambda pair: pair[0].name not in with_problems)
    links = "".join(f'<li><a href="#{_id(each)}">{_title(each.name)}</a></li>' for each, _ in ordered)
    yield f'<nav aria-label="Reports"><ul>{links}</ul></nav>\n</header>\n<main>'
    if broken:
        yield '<section class="broken" role="alert" aria-labelledby="broken">'
        yield '<h2 id="broken">Figures that do not add up</h2>'
        yield f"<ul>{''.join(f'<li>{_text(str(each))}</li>' for each in broken)}</ul>\n</section>"
    yield from _overview(source, figures)
    for report, sections in ordered:
        yield from _report(report, sections)
    yield "</main>\n<footer>\n<h2>About this page</h2>\n<dl>"
    yield from (f"<div><dt>{_text(label)}</dt><dd>{_text(text)}</dd></div>" for label, text in source.facts)
    yield f"</dl>\n</footer>\n<script>{SCRIPT}</script>\n</body>\n</html>"


def _overview(source: Source, figures: Sequence[overview.Figure]) -> Iterator[str]:
    if not figures:
        return
    changes = [overview.change(each, source.period) for each in figures]
    found = overview.problems(figures)
    yield '<section aria-labelledby="overview">\n<h2 id="overview">Overview</h2>'
    if source.period is not None and any(changes):
        yield f'<p class="note">{_text(overview.described(source.period))}</p>'
    yield '<ul class="tiles">'
    # Problems first.
    for figure, changed in sorted(zip(figures, changes, strict=True), key=lambda pair: pair[0] not in found):
        if figure in found or figure.summed.total or (changed and changed.before):
            yield _tile(figure, changed, source.period, is_problem=figure in found)
    yield "</ul>"
    none = [each.total.label for each in figures if each not in found and not each.summed.total]
    if none:
        yield f'<p class="note">None: {escape("; ".join(none))}.</p>'
    shown, worst, number = overview.ranked(figures)
    if worst:
        yield '<h3 id="worst-queues">Queues with the most problems</h3>'
        of = f"The worst {len(worst)} of {count(number)} queues" if number > len(worst) else "Worst first"
        yield f'<p class="note">{of}, by their shares of all problems.</p>'
        yield from tables.queues([each.total.label for each in shown], worst, "worst-queues")
    elif any(each.total.problem for each in figures):
        yield '<p class="good">No queue has a problem.</p>'
    yield "</section>"


def _tile(
    figure: overview.Figure, changed: overview.Change | None, period: overview.Period | None, *, is_problem: bool
) -> str:
    number = count(figure.summed.total)
    parts = [f'<li class="tile{" problem" if is_problem else ""}"><a href="#{escape(figure.report)}">']
    parts.append(f"<span>{escape(figure.total.label)}</span> <strong>{number}</strong></a>")
    spark = charts.sparkline(figure.summed.by_hour) if figure.summed.total else ""
    if spark:
        parts.append(f'<div class="spark" aria-hidden="true">{spark}</div>')
    if changed is not None and (changed.now or changed.before):
        parts.append(_change(figure, changed, is_selected=period is not None and period.is_selected))
    return "".join([*parts, "</li>"])


def _change(figure: overview.Figure, changed: overview.Change, *, is_selected: bool) -> str:
    difference = changed.now - changed.before
    sign = "▲" if difference > 0 else "▼" if difference < 0 else "="
    share = f" ({percentage(difference, changed.before)})" if changed.before > 0 and difference else ""
    # What is worse or better is said in words too, for those who cannot see the colour.
    verdict = ("worse" if difference > 0 else "better") if figure.total.problem and difference else ""
    said = f'<span class="{verdict}">{sign} {verdict}</span> ' if verdict else f"{sign} "
    period = "" if is_selected else " in 24 h"
    return f'<p class="change">{said}{count(changed.now)}{period}, was {count(changed.before)}{share}</p>'


def _report(report: Report, sections: Sequence[Section]) -> Iterator[str]:
    yield f'<section aria-labelledby="{_id(report)}">\n<h2 id="{_id(report)}">{_title(report.name)}</h2>'
    yield f"<p>{escape(report.doc)}</p>"
    if report.identities:
        says = "; ".join(each.says for each in report.identities)
        yield f'<p class="note">Checked: {escape(says)}.</p>'
    for section in sections:
        yield from _section(report, section)
    yield "</section>"


def _section(report: Report, section: Section) -> Iterator[str]:
    declared = section.table
    anchor = f"{report.name}.{declared.name}"
    yield f'<h3 id="{escape(anchor)}">{_title(declared.name)}</h3>\n<p>{escape(declared.doc)}</p>'
    if not section.rows:
        yield '<p class="note">No rows.</p>'
        return
    curve = declared.curve.label if declared.curve else ""
    drawn = (declared.chart and charts.draw(declared.chart, section.sums), charts.draw_lines(section.lines, curve))
    for drawing in filter(None, drawn):
        yield "<figure>"
        yield f"<figcaption><strong>{_text(drawing.title)}</strong> · {_text(' · '.join(drawing.facts))}</figcaption>"
        for name, svg in drawing.svg.items():
            yield f'<div class="{name}" role="img" aria-label="{_text(drawing.title)}">{svg}</div>'
        yield "</figure>"
    yield from tables.table(declared, section.rows, section.total, anchor)


def _id(report: Report) -> str:
    return escape(report.name)


def _title(name: str) -> str:
    return escape(capitalised(words(name)))


def _text(text: str) -> str:
    return escape(visible(text))


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
        first = tuple(values_of(overview.worst_first(table, rows).slice(0, MOST_ROWS)))
        sums, lines = overview.charted(table, rows), overview.lines(table, rows)
        self._sections.append(Section(table, first, rows.num_rows, sums, lines))
        # A column without a value is not known, which is not 0.
        known = [each for each in table.totals if not rows.num_rows or rows[each.column].null_count < rows.num_rows]
        self._figures += (
            overview.Figure(report.name, each, overview.summed(table, rows, each.column)) for each in known
        )
        return result_of(report, table, rows, self._out / page_of(report.name), self._summary)

    def compare(self, report: Report, table: Table, rows: pa.Table) -> None:
        """Take the rows of the same table for the period before."""
        before = {each: overview.summed(table, rows, each.column).total for each in table.totals}
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
    return bool(table.totals) and overview.HOUR_COLUMN in (column.name for column in table.columns)
