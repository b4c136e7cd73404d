"""Tables on a page."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Any

from mqsc.reports.declaration import ReportColumn, Table, Unit
from mqsc.reports.page.values import EMPTY, exact, unit_of, visible, written

# As many as a browser shows without delay, for all tables of all reports; --as csv writes all rows.
MOST_ROWS = 250
# Numbers that may be shown rounded. Rows are sorted by the exact ones.
_ROUNDED = (Unit.BYTES, Unit.SECONDS, Unit.PER_SECOND)
# A text of more characters has a wider column.
LONG = 30
PageRow = tuple[Any, ...]


def columns_shown(
    declared: Table,
    rows: Sequence[PageRow],
    total: int,
) -> list[tuple[int, ReportColumn]]:
    """The columns that a page shows of a table whose first rows these are, each with its place
    in a row.
    """
    # Only if all rows are shown is it certain that a column has no value.
    used = (
        place
        for place in _places(declared)
        if total > len(rows) or any(row[place] is not None for row in rows)
    )
    return [(place, declared.columns[place]) for place in used]


def _places(declared: Table) -> list[int]:
    """The places of all columns: those with alarms follow the key, where they can be seen."""
    names = [column.name for column in declared.columns]
    places = list(range(len(names)))
    alarms = [names.index(alarm) for alarm in declared.alarms]
    if not alarms:
        return places
    rest = [place for place in places if place not in alarms]
    key = max(map(names.index, declared.order)) + 1
    return [*rest[:key], *alarms, *rest[key:]]


def row_of_cells(
    columns: Sequence[tuple[int, ReportColumn]],
    row: PageRow,
    alarms: Sequence[str],
) -> str:
    """The cells of a row, as HTML: a page may have 100,000 of them, which a template would write
    in twice the time.
    """
    return "".join(_cell(column, row[place], alarms) for place, column in columns)


def _cell(column: ReportColumn, value: Any, alarms: Sequence[str]) -> str:
    unit = unit_of(column)
    number = "" if unit is None else "n "
    if value is None:
        return f'<td class="{number}none">{EMPTY}</td>'
    text, whole = escape(written(column, value)), escape(visible(exact(value)))
    if column.name in alarms and value:
        return f'<td class="n alarm"><strong>{text}</strong></td>'
    is_rounded = unit in _ROUNDED or isinstance(value, datetime)
    kind = ""
    if column.type == "timestamp":
        kind = "t"
    elif number:
        kind = number if value else f"{number}zero"
    else:
        kind = _kind_of_text(text)
    title = f' title="{whole}"' if is_rounded and text != whole else ""
    return f'<td class="{kind.strip()}"{title}>{text}</td>' if kind else f"<td>{text}</td>"


def _kind_of_text(text: str) -> str:
    """What keeps a long text from being broken into many lines; nothing for most texts, since
    each cell of a large table would have it.
    """
    if len(text) <= LONG:
        return ""
    return "sentence" if " " in text else "id"
