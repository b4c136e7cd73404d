"""Tables of a page: they scroll in a region of their own, and their columns sort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Any

from reports.declaration import ReportColumn, Table, Unit
from reports.page.overview import RankedQueue
from reports.page.values import EMPTY, count, exact, unit_of, visible, words, written

# As many as a browser shows without delay, for all tables of all reports; --as csv writes all rows.
MOST_ROWS = 250
# Numbers that may be shown rounded. Rows are sorted by the exact ones.
_ROUNDED = (Unit.BYTES, Unit.SECONDS, Unit.PER_SECOND)
Row = tuple[Any, ...]


def table(declared: Table, rows: Sequence[Row], total: int, anchor: str) -> Iterator[str]:
    """The first rows of a table of `total` rows, with the meaning of its columns; `anchor` is the id of its heading."""
    places = _places(declared)
    # Only if all rows are shown is it certain that a column has no value.
    used = [place for place in places if total > len(rows) or any(row[place] is not None for row in rows)]
    columns = [declared.columns[place] for place in used]
    if total > len(rows):
        order = f"with the highest values of {words(declared.worst)}" if declared.worst else "in order"
        shown = f"{count(len(rows))} of {count(total)} rows, {order}"
        yield f'<p class="note">{shown}; <code>--as csv</code> writes all.</p>'
    yield from _opened(anchor, f"{words(declared.name).capitalize()}: {count(total)} {'row' if total == 1 else 'rows'}")
    sorted_by = "" if declared.alarms else declared.worst
    heads = "".join(_head(column, is_sorted=column.name == sorted_by) for column in columns)
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>"
    for row in rows:
        cells = (_cell(column, row[place], declared.alarms) for place, column in zip(used, columns, strict=True))
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"
    yield "<details><summary>What the columns mean</summary><dl>"
    yield from (f"<div><dt>{escape(words(column.name))}</dt><dd>{escape(column.doc)}</dd></div>" for column in columns)
    yield "</dl>"
    empty = [words(column.name) for column in declared.columns if column not in columns]
    if empty:
        yield f"<p>Left out because no row has a value: {escape(', '.join(empty))}.</p>"
    yield "</details>"


def _places(declared: Table) -> list[int]:
    """The places of the columns in their order on a page: those with alarms follow the key, where they can be seen."""
    names = [column.name for column in declared.columns]
    places = list(range(len(names)))
    alarms = [names.index(each) for each in declared.alarms]
    if not alarms:
        return places
    rest = [place for place in places if place not in alarms]
    key = max(map(names.index, declared.order)) + 1
    return [*rest[:key], *alarms, *rest[key:]]


def queues(labels: Sequence[str], ranked: Sequence[RankedQueue], anchor: str) -> Iterator[str]:
    """The table of the queues with the most problems, a column for each problem."""
    yield from _opened(anchor, "The queues with the most problems, and how many of each problem they have.", "cards")
    heads = [_plain_head("queue", False), _plain_head("queue manager", False)]
    heads += [_plain_head(label, True) for label in labels]
    yield f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>"
    for each in ranked:
        # On a narrow screen each row is a block of lines, and each number has its heading beside it.
        cells = "".join(
            f'<td class="n{"" if number else " zero"}" data-label="{escape(label)}">{count(number)}</td>'
            for label, number in zip(labels, each.numbers, strict=True)
        )
        name, qmgr = (escape(visible(text)) for text in (each.queue, each.qmgr))
        yield f'<tr><th scope="row">{name}</th><td data-label="queue manager">{qmgr}</td>{cells}</tr>'
    yield "</tbody></table></div>"


def _opened(anchor: str, caption: str, kind: str = "") -> Iterator[str]:
    # The keyboard scrolls only what it can reach.
    yield f'<div class="scroll" role="region" aria-labelledby="{escape(anchor)}" tabindex="0">'
    yield f'<table class="{kind}">' if kind else "<table>"
    yield f"<caption>{escape(caption)}</caption>"


def _head(column: ReportColumn, *, is_sorted: bool) -> str:
    return _plain_head(words(column.name), unit_of(column) is not None, column.doc, is_sorted)


def _plain_head(text: str, is_number: bool, doc: str = "", is_sorted: bool = False) -> str:
    kind = ' class="n"' if is_number else ""
    state = ' aria-sort="descending"' if is_sorted else ""
    title = f' title="{escape(doc)}"' if doc else ""
    return f'<th scope="col"{kind}{state}><button type="button"{title}>{escape(text)}</button></th>'


def _cell(column: ReportColumn, value: Any, alarms: Sequence[str]) -> str:
    unit = unit_of(column)
    number = "" if unit is None else "n "
    if value is None:
        return f'<td class="{number}none">{EMPTY}</td>'
    text, whole = escape(written(column, value)), escape(visible(exact(value)))
    if column.name in alarms and value:
        return f'<td class="n alarm"><strong>{text}</strong></td>'
    is_rounded = unit in _ROUNDED or isinstance(value, datetime)
    kind = "t" if column.type == "timestamp" else f"{number}{'' if value else 'zero'}" if number else ""
    title = f' title="{whole}"' if is_rounded and text != whole else ""
    return f'<td class="{kind.strip()}"{title}>{text}</td>' if kind else f"<td>{text}</td>"
