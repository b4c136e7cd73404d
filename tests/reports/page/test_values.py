"""Values as people read them."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from reports.catalog import ReportColumn, Unit
from reports.page.tables import bytes_of, exact, percentage, seconds, visible, written

DURATIONS = {
    **{"0": "0 s", "0.000001": "1 µs", "0.000250": "250 µs", "0.35": "350 ms", "0.9999": "1 s", "3.3": "3.3 s"},
    **{"12.345": "12.3 s", "59.4": "59.4 s", "59.6": "1 min", "125.2": "2 min 5 s", "3599.9": "1 h"},
    **{"3840": "1 h 4 min", "86399": "1 d", "277200": "3 d 5 h", "864000000": "10,000 d", "-3.3": "-3.3 s"},
}
BYTES = {
    **{0: "0 B", 999: "999 B", 1000: "1 kB", 1234: "1.23 kB", 999_999: "1 MB", 123_456_789: "123 MB"},
    **{10**15: "1 PB", 10**19: "10000 PB"},
}


def test_durations_and_bytes() -> None:
    assert {value: seconds(Decimal(value)) for value in DURATIONS} == DURATIONS
    assert {value: bytes_of(value) for value in BYTES} == BYTES


HOUR = datetime(2023, 11, 14, 22, tzinfo=UTC)


VALUES: list[tuple[str, Unit | None, Any, str, str]] = [
    *(("bigint", None, 1234567, "1,234,567", "1234567"), ("bigint", Unit.CODE, 2053, "2053", "2053")),
    *(("bigint", Unit.BYTES, 2048, "2.05 kB", "2048"), ("decimal(20,6)", None, Decimal("3.300000"), "3.3 s", "3.3")),
    ("decimal(20,6)", Unit.PER_SECOND, Decimal("1234.567800"), "1235/s", "1234.5678"),
    ("timestamp", None, HOUR, "2023-11-14 22:00", "2023-11-14 22:00"),
    ("timestamp", None, HOUR.replace(second=1, microsecond=5), "2023-11-14 22:00:01", "2023-11-14 22:00:01.000005"),
    ("timestamp", None, "12024-01-01T00:00:00Z", "12024-01-01T00:00:00Z", "12024-01-01T00:00:00Z"),
    ("string", None, "a\x00b", "a␀b", "a\x00b"),
]


@pytest.mark.parametrize(("type", "unit", "value", "text", "in_full"), VALUES)
def test_values(type: str, unit: Unit | None, value: Any, text: str, in_full: str) -> None:
    column = ReportColumn("it", type, "it", "It.", unit)
    assert (written(column, value), exact(value)) == (text, in_full)
    assert written(column, None) == "–"


def test_changes_in_percent() -> None:
    changes = ((1, 2), (-1, 1000), (-5, 5), (5000, 1))
    found = [percentage(*each).replace("\N{NO-BREAK SPACE}", " ") for each in changes]
    assert found == ["+50 %", "−0.1 %", "−100 %", "+500,000 %"]


def test_text_cannot_hide_or_reverse_anything() -> None:
    assert visible("a\x00b\x1b[2J\x7f\x85 \u202exe.\u2066\tÄЖ\n") == "a␀b␛[2J␡� �xe.�\tÄЖ\n"
