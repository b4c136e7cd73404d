"""Tables of texts, which are CSV files beside the modules that read them."""

from __future__ import annotations

import csv
from pathlib import Path


def csv_rows(module: str, name: str) -> list[dict[str, str]]:
    """The rows of the file `name` in the folder of the file `module`, by the names in its first line."""
    with Path(module).with_name(name).open(encoding="utf-8", newline="") as lines:
        return [*csv.DictReader(lines)]
