"""Patterns of text fields, and which covers another."""

from __future__ import annotations

from functools import cache

from hypothesis import given, strategies as st

from mqsc.dlq.text_patterns import (
    covers,
    literal_end,
    literal_start,
    matches_everything,
    matches_text,
)
from tests.mqsc.dlq.tables import FEW, FIELD
from tests.rows import rows

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


MANY_WILDCARDS = st.lists(
    st.sampled_from(["A", "B", " ", "*", "?", "AB", "A*", "?*", "* "]),
    max_size=8,
).map("".join)


@given(FEW | MANY_WILDCARDS, FIELD)
def test_fast_and_obvious_matching_agree(pattern: str, text: str) -> None:
    assert matches_text(pattern, text, LENGTH) == obviously_matches(pattern, text, LENGTH)


@rows(
    *(("ORDERS", "ORDERS", True), ("ORDERS", "ORDERS.NEW", False)),
    *(
        ("ORDERS  ", "ORDERS", True),
        (" ORDERS", "ORDERS", False),
    ),  # leading blanks matter, trailing ones never
    *(
        ("A B", "A B", True),
        ("A B", "A  B", False),
        ("A?B", "A B", True),
    ),  # an embedded blank is a character
    ("orders", "ORDERS", False),  # T15
    ("OR?ERS", "ORDERS", True),
    *(("ORDERS?", "ORDERS", False), ("?", "", False), ("?*", "", False)),  # T14
    *(
        ("?*", "X", True),
        ("?*", " X", True),
        (" ", "", True),
        (" ", "X", False),
        ("*", "", True),
        ("*", "ANY", True),
    ),
    *(
        ("", "", True),
        ("A*", "A", True),
        ("A**", "ABC", True),
        ("*C", "ABC", True),
        ("*C", "ABCD", False),
    ),
    *(("A*C*E", "ABCDE", True), ("*A*C*E*G*", "ABCDEFG", True)),
    ("ABCDEFGH*", "ABCDEFGH", True),  # the field is full, so only asterisks may follow
    *(("ABCDEFG *", "ABCDEFG", True), ("ABCDEFG *", "ABCDEFGH", False)),
    *(("AB *", "AB", True), ("AB ?", "AB", False)),  # the blank is padding
    *(
        ("*\\*", "A\\B", True),
        ("\\*", "*", False),
    ),  # T16: a backslash is a character like any other
    *(("[A]", "A", False), ("A.C", "ABC", False), ("é*", "École", False), ("É*", "École", True)),
)
def test_matching(pattern: str, text: str, matches: bool) -> None:
    assert (
        matches_text(pattern, text, LENGTH) is obviously_matches(pattern, text, LENGTH) is matches
    )


def test_many_asterisks_take_no_time() -> None:
    pattern = "A*" * 47 + "B"
    assert [matches_text(pattern, text, 48) for text in ("A" * 48, "A" * 47 + "B")] == [False, True]


@rows(
    *((pattern, True) for pattern in ("*", "**", "* ", None)),
    *((pattern, False) for pattern in (" *", "* *", "?*", "", " ", 0)),
)
def test_patterns_that_match_everything(pattern: str | int | None, matches: bool) -> None:
    assert matches_everything(pattern) is matches


@given(FEW, FEW, FIELD)
def test_a_pattern_matches_every_text_of_the_patterns_that_it_covers(
    wide: str,
    narrow: str,
    text: str,
) -> None:
    """It covers itself, and is covered by an asterisk."""
    if covers(wide, narrow) and matches_text(narrow, text, LENGTH):
        assert matches_text(wide, text, LENGTH)
    assert covers("*", wide)
    assert covers(wide, wide)


@rows(
    *(
        (wide, narrow, True)
        for wide, narrow in (("A*", "AB"), ("A*", "AB*"), ("A*", "A"), ("*B", "A*B"))
    ),
    *(
        (wide, narrow, True)
        for wide, narrow in (("?*", "A*"), ("A?", "AB"), ("A?", "A?"), ("A", "A"))
    ),
    *((wide, narrow, False) for wide, narrow in (("AB*", "A*"), ("?*", "*"), ("?*", " "))),
    *((wide, narrow, False) for wide, narrow in (("A?", "A*"), ("AB", "A?"), ("a", "A"))),
)
def test_covering(wide: str, narrow: str, covered: bool) -> None:
    assert covers(wide, narrow) is covered


@given(FEW, FIELD)
def test_a_matching_text_begins_and_ends_with_the_literal_parts(pattern: str, text: str) -> None:
    if matches_text(pattern, text, LENGTH):
        assert text.startswith(literal_start(pattern))
        assert text.endswith(literal_end(pattern))
