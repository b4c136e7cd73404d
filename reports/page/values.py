"""Values in readable form. Text from a store is made harmless to the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from mqsc.reports.declaration import ReportColumn, Unit

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
