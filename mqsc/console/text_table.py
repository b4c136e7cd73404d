"""Text tables: a line per row where that fits, otherwise transposed, a line per column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import count, islice
from typing import Any

GAP = "  "


def table_lines(headings: Sequence[str], rows: Sequence[Sequence[Any]], width: int) -> Iterator[str]:
    """The lines of a table of at most `width` characters, exceeded only by a single value that is wider."""
    cells = [[cell_text(value) for value in row] for row in rows]
    right = [all(isinstance(row[column], (int, float, Decimal)) for row in rows) for column in range(len(headings))]
    upright = list(_aligned([list(headings), *cells], right))
    if not rows or max(map(len, upright)) <= width:
        yield from upright
        return
    remaining = iter(cells)
    for group in count():
        taken = list(islice(remaining, _fitting(headings, cells, width)))
        if not taken:
            return
        yield from [""] if group else []
        yield from _aligned([list(line) for line in zip(headings, *taken, strict=True)], [False] * (len(taken) + 1))


def cell_text(value: Any) -> str:
    """A value as text: times in ISO format with Z, None as a dash."""
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value)


def _aligned(lines: list[list[str]], right: Sequence[bool]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        parts = (
            f"{cell:>{width}}" if is_right else f"{cell:<{width}}"
            for cell, width, is_right in zip(line, widths, right, strict=True)
        )
        yield GAP.join(parts).rstrip()


def _fitting(headings: Sequence[str], cells: list[list[str]], width: int) -> int:
    """How many rows of a transposed table fit next to the headings; at least one."""
    widest = max(len(cell) for row in cells for cell in row) + len(GAP)
    return max((width - max(map(len, headings))) // widest, 1)
