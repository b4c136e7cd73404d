"""Names of objects, and generic ones."""

from __future__ import annotations

from mqsc.store.rules import names
from mqsc.store.rules.names import LAST
from tests.rows import rows
from tests.store.tables import giving, verdicts

test_valid_names = verdicts(
    names.is_object_name,
    *giving(True, "Q", "a.B/c_d%9", "Q" * 48),
    *giving(False, "Q" * 49, "", "A B", "A-B", "Ä", "A\n"),
)


@rows(
    *giving(0, ("Q", ""), ("Q", "QM1"), ("Q", "QM2")),
    *giving(2085, ("", ""), ("", "QM1"), ("A B", ""), ("A B", "QM2")),
    ("", "QM2", 2184),
    *giving(2086, ("Q", "A B"), ("", "A B")),
)
def test_what_mqopen_says(name: str, queue_manager: str, reason: int) -> None:
    assert names.name_fault(name, queue_manager, "QM1") == reason


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
    assert [name for name in matching if not names.matches(pattern, name)] == []
    assert [name for name in others if names.matches(pattern, name)] == []
    low, high = names.prefix_range(pattern)
    assert [name for name in matching if name < low or (high and name >= high)] == []
    assert [name for name in others if low <= name and (not high or name < high)] == []


# The range includes its first name and ends before its last.
test_ranges = verdicts(
    names.prefix_range,
    *(("AB*", ("AB", "AC")), ("AB", ("AB", "AB\0")), ("*", ("", "")), ("Z*", ("Z", "["))),
)
test_generic_names = verdicts(
    names.is_generic,
    *giving(True, "*", "A*"),
    *giving(False, "A", "*A", ""),
)
