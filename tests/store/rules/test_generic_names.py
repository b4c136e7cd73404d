"""Generic names: the names they match, and the same as ranges of a sorted index."""

from __future__ import annotations

from store.rules.names import LAST, is_generic, matches, prefix_range
from tests.store.tables import rows


# (pattern, names that match, names that do not match)
@rows(
    ("*", ["", "A", "z", LAST], []),
    ("AB*", ["AB", "AB.C", "ABZ", f"AB{LAST}"], ["A", "AA", "AC", "ab", ""]),
    ("AB", ["AB"], ["AB ", "ABC", "A", "AB\0"]),
    ("A_*", ["A_", "A_B"], ["A.", "AB"]),
    ("A%*", ["A%", "A%B"], ["A", "AB"]),
    ("A*B", ["A*B"], ["AXB", "A*"]),
    ("A**", ["A*", "A*B"], ["A", "AB"]),
    ("", [""], ["A"]),
)
def test_which_names_match(pattern: str, matching: list[str], others: list[str]) -> None:
    assert [name for name in matching if not matches(pattern, name)] == []
    assert [name for name in others if matches(pattern, name)] == []
    low, high = prefix_range(pattern)
    assert [name for name in matching if name < low or (high and name >= high)] == []
    assert [name for name in others if low <= name and (not high or name < high)] == []


@rows(("AB*", "AB", "AC"), ("AB", "AB", "AB\0"), ("*", "", ""), ("Z*", "Z", "["))
def test_the_range_includes_its_first_name_and_ends_before_its_last(pattern: str, low: str, high: str) -> None:
    assert prefix_range(pattern) == (low, high)


def test_an_asterisk_at_the_end_makes_a_name_generic() -> None:
    assert [is_generic(text) for text in ("*", "A*", "A", "*A", "")] == [True, True, False, False, False]
