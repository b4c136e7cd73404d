"""Rows as CSV for spreadsheets and other programs."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TextIO

# As FORMULA_STARTS of the reports, which a test compares.
FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r\n")


Escape = Callable[[str], str]


def write_csv(rows: Iterable[Mapping[str, Any]], out: TextIO, escape: Escape = str) -> None:
    """CSV with a heading on `out`, every cell escaped for it.

    Columns that only later rows have are found by reading all rows first.
    A field with fields of its own is a column for each of them, such as `body.text`. As in the CSV
    of reports, a text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    write = csv.writer(out, lineterminator="\n").writerow
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow
    for cells in grid(_without_parents([*map(flattened, rows)]), escape, _csv_cell):
        # A carriage return would end the row for other readers, and is quoted only if everything
        # is.
        (quoted if any("\r" in cell for cell in cells) else write)(cells)


def flattened(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """The row with the fields of its fields, whose names follow a dot."""
    flat = dict[str, Any]()
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat |= flattened(value, f"{before}{name}.")
        else:
            flat[f"{before}{name}"] = value
    return flat


def _without_parents(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rows without the empty fields that have fields of their own in another row."""
    words = dict.fromkeys(chain.from_iterable(rows))
    parents = {word.rpartition(".")[0] for word in words}
    for row in rows:
        yield {
            word: value for word, value in row.items() if value is not None or word not in parents
        }


def cell_text(value: Any) -> str:
    """A value in one cell: items with commas between, None as nothing, booleans as in JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(_item_text, value))
    return str(value)


def grid(
    rows: Iterable[Mapping[str, Any]],
    escape: Escape = str,
    text_of: Callable[[Any], str] = cell_text,
) -> Iterator[list[str]]:
    """The keywords of all rows, then the texts of each row; nothing without a row."""
    known = [*rows]
    words = [*dict.fromkeys(chain.from_iterable(known))]
    if words:
        yield [escape(word) for word in words]
    for row in known:
        yield [escape(text_of(row.get(word, ""))) for word in words]


def _item_text(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False) if isinstance(item, (dict, list)) else str(item)


def _csv_cell(value: Any) -> str:
    text = cell_text(value)
    is_number = isinstance(value, (int, float))
    return f"'{text}" if not is_number and text.startswith(FORMULA_STARTS) else text
