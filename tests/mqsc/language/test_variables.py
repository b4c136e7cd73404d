"""Variables of scripts."""

from __future__ import annotations

import pytest

from mqsc.language.variables import parse_assignments
from tests.rows import rows


@rows(
    ((), {}),
    (("A=1", "B="), {"A": "1", "B": ""}),
    (("A=b=c", "A='"), {"A": "'"}),
    (("env.name-1=x y",), {"env.name-1": "x y"}),
)
def test_assignments(given: tuple[str, ...], values: dict[str, str]) -> None:
    assert parse_assignments(given) == values


@pytest.mark.parametrize(
    "given",
    ["", "A", "=1", "1A=x", "A B=x", "A=a\nb", "A=\r", "A=\udcff", "A=\0"],
)
def test_what_is_no_assignment(given: str) -> None:
    with pytest.raises(ValueError):
        parse_assignments([given])
