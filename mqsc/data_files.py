"""Tables of data that are CSV files beside the modules that use them."""

from __future__ import annotations

from pathlib import Path


def rows_beside(module: str, name: str) -> list[list[str]]:
    """The rows of a CSV file in the folder of a module (its `__file__`), without the heading."""
    # Not loaded by commands that need no such table.
    import csv

    with Path(module).with_name(name).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))[1:]
