"""Text tables: rows in, lines out."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from mqsc.console.text_table import table_lines

ROWS = [("ORDERS", 3, Decimal("1.500000")), ("Q", 12, Decimal("20.000000"))]


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (40, ["queue   messages  lateness", "ORDERS         3       1.5", "Q             12        20"]),
        (25, ["queue     ORDERS  Q", "messages  3       12", "lateness  1.5     20"]),
        (
            20,
            ["queue     ORDERS", "messages  3", "lateness  1.5", "", "queue     Q", "messages  12", "lateness  20"],
        ),
    ],
)
def test_table(width: int, lines: list[str]) -> None:
    assert list(table_lines(("queue", "messages", "lateness"), ROWS, width)) == lines


def test_moments_and_nothing() -> None:
    rows = [(datetime(2026, 3, 2, 9, tzinfo=UTC), None)]
    assert list(table_lines(("hour", "cause"), rows, 80)) == ["hour                  cause", "2026-03-02T09:00:00Z  -"]
