"""Times that Python's datetime has, and those that it does not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reports.catalog import EPOCH, MICROSECOND, iso, moment

DAY = 86_400_000_000
LAST = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // MICROSECOND
FIRST = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND

TEXTS = [
    (0, "1970-01-01T00:00:00Z"),
    (1, "1970-01-01T00:00:00.000001Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (LAST, "9999-12-31T23:59:59.999999Z"),
    (LAST + 1, "10000-01-01T00:00:00Z"),
    # 10000 is a leap year.
    (LAST + 1 + 59 * DAY, "10000-02-29T00:00:00Z"),
    (FIRST, "0001-01-01T00:00:00Z"),
    (FIRST - 1, "0000-12-31T23:59:59.999999Z"),
    ((1 << 63) - 1, "294247-01-10T04:00:54.775807Z"),
]


@pytest.mark.parametrize(("microseconds", "text"), TEXTS)
def test_times_as_text(microseconds: int, text: str) -> None:
    assert iso(microseconds) == text
    found = moment(microseconds)
    assert found == (EPOCH + timedelta(microseconds=microseconds) if FIRST <= microseconds <= LAST else text)


def test_times_as_text_for_people() -> None:
    assert iso(LAST + 1, " ", "seconds") == "10000-01-01 00:00:00Z"
