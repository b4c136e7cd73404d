"""A report as one self-contained HTML page, without scripts, images or links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from html import escape
from typing import Any, NamedTuple

from reports.chart import Sum, chart
from reports.declaration import Report, ReportColumn, Table

# As many as a browser shows without delay; --as csv writes all rows.
MOST_ROWS = 1000
NUMBERS = ("bigint", "decimal")
# Browsers then load and run nothing, whatever a message contains.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --line: #8884; --bar: #3b6ea8; --soft: #8881; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 78rem; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .25rem; }
p { margin: .25rem 0 .75rem; } .about { opacity: .75; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; }
table { border-collapse: collapse; font-size: .85rem; min-width: 100%; }
th, td { padding: .3rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { background: var(--soft); white-space: nowrap; } tr:last-child td { border-bottom: 0; }
td { unicode-bidi: isolate; overflow-wrap: break-word; max-width: 28rem; }
td.moment, td.number { white-space: nowrap; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.alarm { background: #b3261e; color: #fff; } .none { opacity: .4; }
svg { display: block; max-width: 100%; height: auto; margin: .5rem 0 1rem; font: 12px system-ui, sans-serif; }
svg rect { fill: var(--bar); } svg text { fill: currentColor; }
details { margin: .5rem 0; font-size: .85rem; } dt { font-weight: 600; } dd { margin: 0 0 .3rem 1.5rem; }
@media print { .wide { overflow: visible; border: 0; } th { background: none; } }
""".strip()
_VISIBLE = {**{code: 0x2400 + code for code in range(32) if code not in (9, 10)}, 127: 0x2421}


class Section(NamedTuple):
    """A table on a page: its first rows, the number of all rows, and the sums for its chart."""

    table: Table
    rows: Sequence[tuple[Any, ...]]
    total: int
    sums: Sequence[Sum]


def page(report: Report, sections: Sequence[Section], about: Sequence[str]) -> str:
    """The page of a report; `about` are sentences on its source."""
    return "\n".join(_lines(report, sections, about)) + "\n"


def visible(text: str) -> str:
    """Replace control characters, which browsers drop or refuse, by visible symbols."""
    return text.translate(_VISIBLE)


def _lines(report: Report, sections: Sequence[Section], about: Sequence[str]) -> Iterator[str]:
    title = escape(report.name)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>"
    yield f"<h1>{title}</h1>\n<p>{escape(report.doc)}</p>"
    yield from (f'<p class="about">{escape(visible(sentence))}</p>' for sentence in about)
    for section in sections:
        yield from _section(section)
    yield "</body>\n</html>"


def _section(section: Section) -> Iterator[str]:
    table = section.table
    yield f'<section id="{escape(table.name)}">\n<h2>{escape(table.name)}</h2>\n<p>{escape(table.doc)}</p>'
    if not section.rows:
        yield "<p>No rows.</p>\n</section>"
        return
    if table.chart is not None:
        yield chart(section.sums, table.chart.label or table.chart.value.replace("_", " "), visible)
    if section.total > len(section.rows):
        yield f"<p>The first {len(section.rows)} of {section.total} rows; --as csv writes all.</p>"
    heads = "".join(
        f'<th scope="col"{_class(column)} title="{escape(column.doc)}">{escape(column.name)}</th>'
        for column in table.columns
    )
    yield f'<div class="wide"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>'
    for row in section.rows:
        cells = (
            _cell(column, value, is_alarm=column.name == table.alarm and bool(value))
            for column, value in zip(table.columns, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody>\n</table></div>\n<details><summary>What the columns mean</summary>\n<dl>"
    yield from (f"<dt>{escape(column.name)}</dt><dd>{escape(column.doc)}</dd>" for column in table.columns)
    yield "</dl></details>\n</section>"


def _class(column: ReportColumn) -> str:
    if column.type.startswith(NUMBERS):
        return ' class="number"'
    return ' class="moment"' if column.type == "timestamp" else ""


def _cell(column: ReportColumn, value: Any, *, is_alarm: bool) -> str:
    if value is None:
        return '<td class="none">–</td>'
    if is_alarm:
        return f'<td class="number alarm"><strong>{escape(visible(_text(value)))}</strong></td>'
    return f"<td{_class(column)}>{escape(visible(_text(value)))}</td>"


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat(" ").replace("+00:00", "Z")
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(value)
