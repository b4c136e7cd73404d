"""Generic names: the names they match, and which are valid."""

from __future__ import annotations

import pytest

from mqsc.language.generic_names import GenericName, is_generic, matches
from mqsc.language.value_types import OrAsterisk
from store.catalog.types import InvalidValueError, Name


@pytest.mark.parametrize(
    ("pattern", "text", "matched"),
    [
        ("*", "", True),
        ("*", "A", True),
        ("A*", "A", True),
        ("A*", "AB", True),
        ("A*", "a", False),
        ("A*", "BA", False),
        ("A", "A", True),
        ("A", "AB", False),
        ("A_*", "AXB", False),
    ],
)
def test_matches(pattern: str, text: str, matched: bool) -> None:
    assert (matches(pattern, text), is_generic(pattern)) == (matched, pattern.endswith("*"))


def test_accepted_names() -> None:
    accepted = [GenericName().accept(text) for text in ("*", "A*", "A  ", "A.B")]
    assert accepted == ["*", "A*", "A", "A.B"]
    assert (OrAsterisk(Name(4)).accept("*"), OrAsterisk(Name(4)).accept("ABCD")) == ("*", "ABCD")


@pytest.mark.parametrize("text", ["A*B", "**", "A B*", "A" * 49])
def test_refused_names(text: str) -> None:
    with pytest.raises(InvalidValueError):
        GenericName().accept(text)
    with pytest.raises(InvalidValueError):
        OrAsterisk(Name(48)).accept(text)
