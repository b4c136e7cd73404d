"""Expiry: put-time rules, remaining time (S43–S45, E26–E28)."""

from __future__ import annotations

import pytest

from mqsc.store.rules.expiry import (
    capped,
    elapsed_tenths,
    expires_at,
    is_expired,
    put_fault,
    remaining,
)
from tests.store.tables import named_rows, named_verdicts

PUT_AT = 1_700_000_000_000_000

test_what_a_put_accepts = named_verdicts(
    put_fault,
    ("E01", 0, 2013),
    ("E02", -2, 2013),
    ("A1 unlimited", -1, 0),
    ("A1 lowest", 1, 0),
    ("E41", 1_000_000_000, 0),
)

test_the_lowest_cap_on_the_path_counts = named_verdicts(
    capped,
    ("no cap", -1, [], -1),
    ("no cap, finite", 30, [], 30),
    ("E20", -1, [100, 50], 50),
    ("E21", 30, [100], 30),
    ("E23", 6000, [600], 600),
    ("E23 both forms", 6000, [600, 500], 500),
    ("NOLIMIT", 6000, [-1, 0], 6000),
)


# (id, expiry, seconds since the put, expiry remaining)
@named_rows(
    ("E03", 50, 2.0, 30),
    ("E04", 50, 5.0, 0),
    ("E05", -1, 10 * 365 * 86_400.0, -1),
    ("E19", 100, 4.0, 60),
    ("E45", 50, 4.0, 10),
    ("A2 floor", 50, 2.099999, 30),
    ("A2 last moment", 50, 4.999999, 1),
    ("A2 beyond", 50, 7.0, 0),
    ("A2 a tenth beyond is not unlimited", 50, 5.1, 0),
    ("design 3.7: a clock that went back", 50, -3.0, 50),
)
def test_what_remains(expiry: int, seconds: float, left: int) -> None:
    now = PUT_AT + round(seconds * 1_000_000)
    assert remaining(expiry, PUT_AT, now) == left
    assert is_expired(expires_at(expiry, PUT_AT), now) is (expiry != -1 and left <= 0)
    at = expires_at(expiry, PUT_AT)
    assert (at is not None and now >= at) is is_expired(expires_at(expiry, PUT_AT), now)


@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_a_message_is_expired_from_the_moment_it_expires_at(beyond: int) -> None:
    at = expires_at(33, PUT_AT)
    assert at == PUT_AT + 3_300_000
    assert is_expired(at, at + beyond) is (beyond >= 0)


def test_elapsed_time_counts_whole_tenths() -> None:
    assert [elapsed_tenths(0, now) for now in (-1, 0, 99_999, 100_000, 250_000)] == [0, 0, 0, 1, 2]
