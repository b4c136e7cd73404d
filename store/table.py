"""Tables of the product that are CSV files beside the modules that read them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path


def table(module: str, file: str) -> Iterator[Mapping[str, str]]:
    """The rows of a file beside a module, by column; `module` is the `__file__` of the module."""
    with Path(module).with_name(file).open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines)
