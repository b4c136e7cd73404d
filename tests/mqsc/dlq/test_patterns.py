"""Matching (dlq-rules §3.1): rows, and the fast tests against a slow and obvious one."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqsc.dlq.patterns import covers, literal_end, literal_start, matches_text, takes_anything
from tests.mqsc.dlq.tables import FEW, FIELD

LENGTH = 8


def obviously_matches(pattern: str, text: str, length: int) -> bool:
    """The algorithm sign by sign, on the blank-padded field, trying every length of an asterisk."""
    pattern, field = pattern.rstrip(" "), text.ljust(length)

    @cache
    def from_here(at: int, position: int) -> bool:
        rest = field[position:]
        if at == len(pattern):
            return not rest.strip(" ")
        if position == len(field):
            return not pattern[at:].strip("*")
        if pattern[at] == "*":
            return any(from_here(at + 1, further) for further in range(position, len(field) + 1))
        if pattern[at] == "?":
            return bool(rest.strip(" ")) and from_here(at + 1, position + 1)
        return pattern[at] == field[position] and from_here(at + 1, position + 1)

    return from_here(0, 0)


@given(FEW, FIELD)
def test_fast_and_obvious_matching_agree(pattern: str, text: str) -> None:
    assert matches_text(pattern, text, LENGTH) == obviously_matches(pattern, text, LENGTH)


@given(st.lists(st.sampled_from(["A", "B", " ", "*", "?", "AB", "A*", "?*", "* "]), max_size=8).map("".join), FIELD)
def test_they_agree_on_many_wildcards(pattern: str, text: str) -> None:
    assert matches_text(pattern, text, LENGTH) == obviously_matches(pattern, text, LENGTH)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("ORDERS", "ORDERS", True),
        ("ORDERS", "ORDERS.NEW", False),
        ("ORDERS  ", "ORDERS", True),  # trailing blanks never matter
        (" ORDERS", "ORDERS", False),  # leading ones do
        ("A B", "A B", True),
        ("A B", "A  B", False),
        ("orders", "ORDERS", False),  # T15
        ("OR?ERS", "ORDERS", True),
        ("A?B", "A B", True),  # an embedded blank is a character
        ("ORDERS?", "ORDERS", False),  # T14
        ("?", "", False),  # T14
        ("?*", "", False),  # T14
        ("?*", "X", True),
        ("?*", " X", True),
        (" ", "", True),
        (" ", "X", False),
        ("*", "", True),
        ("*", "ANY", True),
        ("", "", True),
        ("A*", "A", True),
        ("A**", "ABC", True),
        ("*C", "ABC", True),
        ("*C", "ABCD", False),
        ("A*C*E", "ABCDE", True),
        ("*A*C*E*G*", "ABCDEFG", True),
        ("ABCDEFGH*", "ABCDEFGH", True),  # the field is full: only asterisks may be left
        ("ABCDEFG *", "ABCDEFG", True),
        ("ABCDEFG *", "ABCDEFGH", False),
        ("AB *", "AB", True),  # a blank may be padding when an asterisk takes the rest
        ("AB ?", "AB", False),
        ("*\\*", "A\\B", True),  # T16: a backslash is a character like any other
        ("\\*", "*", False),  # T16
        ("[A]", "A", False),
        ("A.C", "ABC", False),
        ("é*", "École", False),
        ("É*", "École", True),
    ],
)
def test_matching(pattern: str, text: str, expected: bool) -> None:
    assert matches_text(pattern, text, LENGTH) is expected
    assert obviously_matches(pattern, text, LENGTH) is expected


def test_many_asterisks_cost_no_time() -> None:
    pattern = "A*" * 47 + "B"
    assert not matches_text(pattern, "A" * 48, 48)
    assert matches_text(pattern, "A" * 47 + "B", 48)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("*", True),
        ("**", True),
        ("* ", True),
        (" *", False),
        ("* *", False),
        (None, True),
        ("?*", False),
        ("", False),
        (" ", False),
        (0, False),
    ],
)
def test_what_takes_anything(value: str | int | None, expected: bool) -> None:
    assert takes_anything(value) is expected


@given(FEW, FEW, FIELD)
def test_a_covering_pattern_matches_all_that_the_covered_one_matches(wide: str, narrow: str, text: str) -> None:
    if covers(wide, narrow) and matches_text(narrow, text, LENGTH):
        assert matches_text(wide, text, LENGTH)


@given(FEW)
def test_a_pattern_covers_itself_and_is_covered_by_an_asterisk(pattern: str) -> None:
    assert covers("*", pattern)
    assert covers(pattern, pattern)


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        ("A*", "AB", True),
        ("A*", "AB*", True),
        ("A*", "A", True),
        ("AB*", "A*", False),
        ("*B", "A*B", True),
        ("?*", "A*", True),
        ("?*", "*", False),
        ("?*", " ", False),
        ("A?", "AB", True),
        ("A?", "A?", True),
        ("A?", "A*", False),
        ("AB", "A?", False),
        ("A", "A", True),
        ("a", "A", False),
    ],
)
def test_covering(wide: str, narrow: str, expected: bool) -> None:
    assert covers(wide, narrow) is expected


@given(FEW, FIELD)
def test_a_matching_text_begins_and_ends_as_the_pattern_says(pattern: str, text: str) -> None:
    if matches_text(pattern, text, LENGTH):
        assert text.startswith(literal_start(pattern))
        assert text.endswith(literal_end(pattern))
