"""Times in microseconds UTC as datetime and as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# The calendar repeats itself after 400 years.
CYCLE_YEARS = 400
CYCLE = timedelta(days=146_097) // MICROSECOND


def moment(microseconds: int) -> datetime | str:
    """A time as datetime, or, if it is outside its range, as text in the same format."""
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return iso(microseconds)


def minutes(microseconds: int) -> str:
    """A time as `YYYY-MM-DD HH:MM`, UTC."""
    return iso(microseconds, " ", "minutes").removesuffix("Z")


def plain(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; times in microseconds UTC."""
    import pyarrow as pa

    return (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()  # type: ignore[no-any-return]


def iso(microseconds: int, separator: str = "T", timespec: str = "auto") -> str:
    """A time in microseconds UTC as `YYYY-MM-DDTHH:MM:SSZ`; a year after 9999 has more digits."""
    cycles, within = divmod(microseconds, CYCLE)
    # From 1970 to 2369.
    near = EPOCH + timedelta(microseconds=within)
    year = near.year + cycles * CYCLE_YEARS
    rest = near.isoformat(separator, timespec)[4:].replace("+00:00", "Z")
    return f"{year:04}{rest}"
