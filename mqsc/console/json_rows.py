"""Data on stdout, as JSON or CSV: JSON as one array with an element a line, or an object a line,
each written immediately; CSV as one table, written when all rows are known.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

import click

from mqsc.console.terminal import is_terminal, json_text, print_line, printable

JSON_FORMATS = ("json", "jsonl")
CSV_FORMAT = "csv"
# Formats that a program reads: their output has no sentences.
DATA_FORMATS = (*JSON_FORMATS, CSV_FORMAT)


def picked(record: object, names: str) -> dict[str, Any]:
    """The attributes of a record with these names, as data."""
    values = {name: getattr(record, name) for name in names.split()}
    return {name: [*value] if isinstance(value, tuple) else value for name, value in values.items()}


def position_row(position: tuple[int, int] | None) -> dict[str, int] | None:
    """The position of an error as data."""
    return None if position is None else {"line": position[0], "column": position[1]}


def print_data(format: str | None, rows: Iterable[Mapping[str, Any]]) -> bool:
    """Write the rows to stdout if the format is json, jsonl or csv; False, and no row is computed,
    if it is another one.
    """
    if format == CSV_FORMAT:
        print_csv(rows)
        return True
    with json_rows(format) as output:
        if output is not None:
            for row in rows:
                output.write(row)
    return output is not None


def print_csv(rows: Iterable[Mapping[str, Any]], out: TextIO | None = None) -> None:
    """Write the rows as CSV to `out`, by default stdout; on a terminal, every cell is escaped."""
    from mqsc.console.csv_rows import write_csv  # most commands do without

    stream = out or sys.stdout
    write_csv(rows, stream, printable if is_terminal(stream) else str)


def print_rows(
    format: str | None,
    rows: Iterable[Mapping[str, Any]],
    lines: Iterable[str],
    hanging: str = "    ",
) -> None:
    """Write the rows to stdout if the format is json, jsonl or csv, otherwise the lines, as
    `print_line` does.

    A line end in a line is one of its data, and escaped.
    """
    if not print_data(format, rows):
        for line in lines:
            print_line(printable(line), hanging)


@contextmanager
def rows_of_csv() -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Takes rows one by one, and writes them to stdout as CSV at the end of the block."""
    from mqsc.console.csv_rows import csv_rows

    with csv_rows(sys.stdout, printable if is_terminal(sys.stdout) else str) as write:
        yield write


@contextmanager
def json_rows(format: str | None) -> Iterator[JsonRows | None]:
    """Write rows to stdout one by one, for a command that does more with each; None if the
    format is not JSON.

    UsageError for CSV, whose heading is known only after the last row.
    """
    if format == CSV_FORMAT:
        raise click.UsageError(
            "this command prints its rows one by one, so it has no --format csv; use jsonl",
        )
    if format not in JSON_FORMATS:
        yield None
        return
    with JsonRows(sys.stdout, array=format == "json") as rows:
        yield rows


class JsonRows:
    """Writes objects to `out`; with `array`, entering and leaving the context writes the
    brackets.
    """

    def __init__(self, out: TextIO, *, array: bool) -> None:
        self._out = out
        self._array = array
        # Escape non-ASCII characters on a terminal: some of them control it.
        self._ascii = is_terminal(out)
        self._written = 0

    def __enter__(self) -> JsonRows:
        if self._array:
            self._out.write("[")
        return self

    def __exit__(self, *_: object) -> None:
        self._out.write("\n]\n" if self._array else "")

    def write(self, row: Mapping[str, Any]) -> None:
        self.begin()
        self._out.write(self.text_of(row))
        self.finish()

    def text_of(self, row: Mapping[str, Any]) -> str:
        return json_text(row, ascii_only=self._ascii)

    def begin(self) -> None:
        """Write what separates an object from the one before it."""
        if self._array:
            self._out.write(",\n" if self._written else "\n")
        self._written += 1

    def finish(self) -> None:
        """Write what ends an object."""
        if not self._array:
            self._out.write("\n")
