"""Tables of the product that are CSV files beside the modules that read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def table(module: str, file: str) -> Iterator[Mapping[str, str]]:
    """The rows of a file beside a module, by column; `module` is the `__file__` of the module.

    Only the last column may have commas, in quotes; no cell has quotes in it.
    """
    # Read without csv, because the import and its DictReader take longer than all the rest of it.
    with open(f"{module.rpartition('/')[0]}/{file}", encoding="utf-8") as lines:
        head, *rows = lines.read().splitlines()
    columns = head.split(",")
    for row in rows:
        *cells, last = row.split(",", len(columns) - 1)
        yield dict(zip(columns, (*cells, last.strip('"')), strict=True))
