"""Rows as CSV for spreadsheets and other programs."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import Any, TextIO

# As FORMULA_STARTS of the reports, which a test compares.
FORMULA_STARTS = tuple("=+-@＝＋－＠\t\r\n")

# More characters are held in a file.
HELD_IN_MEMORY = 1 << 20

Escape = Callable[[str], str]


def write_csv(rows: Iterable[Mapping[str, Any]], out: TextIO, escape: Escape = str) -> None:
    """CSV with a heading on `out`, every cell escaped for it."""
    with csv_rows(out, escape) as write:
        for row in rows:
            write(row)


@contextmanager
def csv_rows(out: TextIO, escape: Escape = str) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Takes rows one by one, and writes them on `out` as CSV at the end of the block.

    Only then all columns are known; until then, many rows are in a temporary file. A field with
    fields of its own is a column for each of them, such as `body.text`. As in the CSV of reports, a
    text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    with SpooledTemporaryFile(HELD_IN_MEMORY, "w+", encoding="utf-8") as held:
        # Whether a row has a value in the column.
        columns = dict[str, bool]()

        def hold(row: Mapping[str, Any]) -> None:
            flat = flattened(row)
            for word, value in flat.items():
                columns[word] = value is not None or columns.get(word, False)
            held.write(f"{json.dumps(flat, default=str)}\n")

        yield hold
        held.seek(0)
        _write(_shown(columns), map(json.loads, held), out, escape)


def _shown(columns: Mapping[str, bool]) -> list[str]:
    """The columns but those without a value that have fields of their own in another row."""
    parents = {word.rpartition(".")[0] for word in columns}
    return [word for word, is_filled in columns.items() if is_filled or word not in parents]


def _write(
    columns: Sequence[str],
    rows: Iterable[Mapping[str, Any]],
    out: TextIO,
    escape: Escape,
) -> None:
    write = csv.writer(out, lineterminator="\n").writerow
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerow
    for cells in _grid(columns, rows, escape, _csv_cell):
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
    return _grid([*dict.fromkeys(chain.from_iterable(known))], known, escape, text_of)


def _grid(
    words: Sequence[str],
    rows: Iterable[Mapping[str, Any]],
    escape: Escape,
    text_of: Callable[[Any], str],
) -> Iterator[list[str]]:
    if words:
        yield [escape(word) for word in words]
    for row in rows:
        yield [escape(text_of(row.get(word, ""))) for word in words]


def _item_text(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False) if isinstance(item, (dict, list)) else str(item)


def _csv_cell(value: Any) -> str:
    text = cell_text(value)
    is_number = isinstance(value, (int, float))
    return f"'{text}" if not is_number and text.startswith(FORMULA_STARTS) else text
