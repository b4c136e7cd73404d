"""Tables of the product that are CSV files beside the modules that read them."""

import csv


def cells(module: str, file: str) -> list[list[str]]:
    """The rows of a file beside a module, given its `__file__`, without the first line and blank
    ones.

    ValueError if a row has more or fewer cells than the first line.
    """
    return _lines(module, file)[1:]


def table(module: str, file: str) -> list[dict[str, str]]:
    """The rows of a file as `cells` reads them, each by the names in the first line."""
    columns, *rows = _lines(module, file)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _lines(module: str, file: str) -> list[list[str]]:
    name = f"{module.rpartition('/')[0]}/{file}"
    with open(name, encoding="utf-8", newline="") as lines:
        found = [*filter(None, csv.reader(lines))]
    for row in found:
        if len(row) != len(found[0]):
            raise ValueError(
                f"{name}: {len(row)} cells instead of {len(found[0])}: {','.join(row)}",
            )
    return found
