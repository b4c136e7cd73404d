"""Times in microseconds UTC as the PutDate and PutTime of a message, and back."""

from __future__ import annotations

import pytest

from mqsc.store.message_times import put_date_and_time, put_moment

MOMENTS = [
    (0, "19700101", "00000000"),
    (1_700_000_000_000_000, "20231114", "22132000"),
    (1_700_000_000_129_999, "20231114", "22132012"),
    (951_868_799_990_000, "20000229", "23595999"),
    (-10_000, "19691231", "23595999"),
]


@pytest.mark.parametrize(("moment", "date", "clock_time"), MOMENTS)
def test_put_date_and_time_are_gmt_cut_to_hundredths(
    moment: int,
    date: str,
    clock_time: str,
) -> None:
    assert put_date_and_time(moment) == (date, clock_time)


@pytest.mark.parametrize(("moment", "date", "clock_time"), MOMENTS)
def test_put_moment_reads_them_again(moment: int, date: str, clock_time: str) -> None:
    assert put_moment(date, clock_time) == moment // 10_000 * 10_000


@pytest.mark.parametrize(
    ("date", "clock_time"),
    [("", ""), ("20231399", "22132000"), ("20231114", "noon")],
)
def test_put_moment_of_a_message_without_one(date: str, clock_time: str) -> None:
    assert put_moment(date, clock_time) is None
