"""Matching (dlq-rules §3.1): single cases, and the fast tests compared with a simple, slow one."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from mqsc.dlq.matching import covers, literal_end, literal_start, matches_everything, matches_text
from tests.mqsc.dlq.tables import FEW, FIELD

LENGTH = 8


def obviously_matches(pattern: str, text: str, length: int) -> bool:
    """Compare character by character with the padded field, trying every length for an asterisk."""
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
def test_fast_and_obvious_matching_agree_on_many_wildcards(pattern: str, text: str) -> None:
    assert matches_text(pattern, text, LENGTH) == obviously_matches(pattern, text, LENGTH)


MATCHING = [
    ("ORDERS", "ORDERS", True),
    ("ORDERS", "ORDERS.NEW", False),
    ("ORDERS  ", "ORDERS", True),  # trailing blanks never matter
    (" ORDERS", "ORDERS", False),  # leading blanks matter
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
    ("ABCDEFGH*", "ABCDEFGH", True),  # the field is full, so only asterisks may follow
    ("ABCDEFG *", "ABCDEFG", True),
    ("ABCDEFG *", "ABCDEFGH", False),
    ("AB *", "AB", True),  # the blank is padding
    ("AB ?", "AB", False),
    ("*\\*", "A\\B", True),  # T16: a backslash is a character like any other
    ("\\*", "*", False),  # T16
    ("[A]", "A", False),
    ("A.C", "ABC", False),
    ("é*", "École", False),
    ("É*", "École", True),
]


def matching_is_as_expected(pattern: str, text: str, expected: bool) -> bool:
    fast, obvious = matches_text(pattern, text, LENGTH), obviously_matches(pattern, text, LENGTH)
    return fast is obvious is expected


def test_matching() -> None:
    assert [row for row in MATCHING if not matching_is_as_expected(*row)] == []


def test_many_asterisks_take_no_time() -> None:
    pattern = "A*" * 47 + "B"
    assert not matches_text(pattern, "A" * 48, 48)
    assert matches_text(pattern, "A" * 47 + "B", 48)


EVERYTHING: list[tuple[str | int | None, bool]] = [
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
]


def test_patterns_that_match_everything() -> None:
    assert [row for row in EVERYTHING if matches_everything(row[0]) is not row[1]] == []


@given(FEW, FEW, FIELD)
def test_a_pattern_matches_every_text_of_the_patterns_that_it_covers(wide: str, narrow: str, text: str) -> None:
    if covers(wide, narrow) and matches_text(narrow, text, LENGTH):
        assert matches_text(wide, text, LENGTH)


@given(FEW)
def test_a_pattern_covers_itself_and_is_covered_by_an_asterisk(pattern: str) -> None:
    assert covers("*", pattern)
    assert covers(pattern, pattern)


COVERING = [
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
]


def test_covering() -> None:
    assert [row for row in COVERING if covers(row[0], row[1]) is not row[2]] == []


@given(FEW, FIELD)
def test_a_matching_text_begins_and_ends_with_the_literal_parts(pattern: str, text: str) -> None:
    if matches_text(pattern, text, LENGTH):
        assert text.startswith(literal_start(pattern))
        assert text.endswith(literal_end(pattern))
