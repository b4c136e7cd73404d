"""Tables and values on a page."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from html import escape
from typing import Any

from mqsc.reports.catalog import ReportColumn, Table, Unit

# As many as a browser shows without delay, for all tables of all reports; --as csv writes all rows.
MOST_ROWS = 250
# Numbers that may be shown rounded. Rows are sorted by the exact ones.
_ROUNDED = (Unit.BYTES, Unit.SECONDS, Unit.PER_SECOND)
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
    kind = (
        "t"
        if column.type == "timestamp"
        else f"{number}{'' if value else 'zero'}"
        if number
        else ""
    )
    title = f' title="{whole}"' if is_rounded and text != whole else ""
    return f'<td class="{kind.strip()}"{title}>{text}</td>' if kind else f"<td>{text}</td>"


# Values in readable form. Text from a store is made harmless to the page.

# Control characters, which browsers drop or refuse, become symbols. So do those that reverse the
# direction of text.
_CONTROLS = {**{code: 0x2400 + code for code in range(32) if code not in (9, 10)}, 127: 0x2421}
_DIRECTIONS = dict.fromkeys(
    (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C),
    0xFFFD,
)
_VISIBLE = {**_CONTROLS, **_DIRECTIONS, **dict.fromkeys(range(0x80, 0xA0), 0xFFFD)}
_NUMBERS = ("bigint", "decimal")
# The size of a step, its sign, and the greatest number of it.
_BYTE_STEPS = ((10**3, "kB"), (10**6, "MB"), (10**9, "GB"), (10**12, "TB"), (10**15, "PB"))
_LONG_TIMES = ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))
_SHORT_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
EMPTY = "–"


def visible(text: str) -> str:
    """Replace characters that browsers drop, refuse or reorder by visible symbols."""
    return text.translate(_VISIBLE)


def words(name: str) -> str:
    """The name of a column, table or report as words."""
    return name.replace("_", " ").replace("-", " ")


def capitalised(text: str) -> str:
    """The text with a capital letter at its beginning, and the others as they are."""
    return text[:1].upper() + text[1:]


def unit_of(column: ReportColumn) -> Unit | None:
    """The unit of a column of numbers; None for other columns."""
    if not column.type.startswith(_NUMBERS):
        return None
    return column.unit or (Unit.COUNT if column.type == "bigint" else Unit.SECONDS)


def written(column: ReportColumn, value: Any) -> str:
    """A value as a page shows it."""
    if value is None:
        return EMPTY
    if isinstance(value, datetime):
        return exact(value.replace(microsecond=0))
    unit = unit_of(column)
    return visible(exact(value)) if unit is None else NUMBERS[unit](value)


def exact(value: Any) -> str:
    """A value without rounding or grouping, as rows are sorted by it."""
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, Decimal):
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(value)


def _moment(value: datetime) -> str:
    text = value.isoformat(" ").replace("+00:00", "")
    return text.removesuffix(":00") if not value.microsecond else text


def count(number: int) -> str:
    """A number with its thousands grouped."""
    return f"{number:,}"


def bytes_of(number: int) -> str:
    """A number of bytes in the unit of its size: 512 B, 1.2 MB."""
    size, sign = next(
        ((size, sign) for size, sign in reversed(_BYTE_STEPS) if abs(number) >= size * 0.9995),
        (1, "B"),
    )
    return f"{number} B" if size == 1 else f"{_short(number / size)} {sign}"


def seconds(value: Decimal | float) -> str:
    """A duration in the unit of its size: 250 µs, 3.3 s, 2 min 5 s, 3 d 4 h."""
    number = float(value)
    if number == 0:
        return "0 s"
    if abs(number) < 59.5:
        size, sign = next(
            ((size, sign) for size, sign in _SHORT_TIMES if abs(number) >= size * 0.9995),
            (1e-6, "µs"),
        )
        return f"{_short(number / size)} {sign}"
    size, sign, part, rest_sign = next(
        step for step in _LONG_TIMES if abs(number) >= step[0] - step[2] / 2
    )
    whole, rest = divmod(round(number / part), size // part)
    return f"{whole:,} {sign} {rest} {rest_sign}" if rest else f"{whole:,} {sign}"


def _short(number: float) -> str:
    """Three significant digits, but all digits before the point."""
    digits = max(0, 2 - len(str(int(abs(number)))) + 1)
    text = f"{number:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


NUMBERS: Mapping[Unit, Callable[[Any], str]] = {
    Unit.COUNT: count,
    Unit.CODE: exact,
    Unit.BYTES: bytes_of,
    Unit.SECONDS: seconds,
    Unit.PER_SECOND: lambda value: f"{_short(float(value))}/s",
}


def percentage(part: int, whole: int) -> str:
    """A change as a share of `whole`, with its sign."""
    share = part / whole * 100
    digits = 0 if abs(share) >= 10 or share == int(share) else 1
    text = f"{share:+,.{digits}f}\N{NO-BREAK SPACE}%"
    return text.replace("-", "\N{MINUS SIGN}")
