"""Tables of the product that are CSV files beside the modules that read them."""

from __future__ import annotations

import csv


def cells(module: str, file: str) -> list[list[str]]:
    """The rows of a file beside a module, given its `__file__`, without the first line and blank ones."""
    return _lines(module, file)[1:]


def table(module: str, file: str) -> list[dict[str, str]]:
    """The rows of a file beside a module, each by the names in the first line. ValueError if a row is not as long."""
    columns, *rows = _lines(module, file)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _lines(module: str, file: str) -> list[list[str]]:
    with open(f"{module.rpartition('/')[0]}/{file}", encoding="utf-8", newline="") as lines:
        return [*filter(None, csv.reader(lines))]
