"""Data on stdout as JSON: one array with an element per line, or an object per line; each is written immediately."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from mqsc.console.terminal import is_terminal

JSON_FORMATS = ("json", "jsonl")


def position_row(position: tuple[int, int] | None) -> dict[str, int] | None:
    """The position of an error as data."""
    return None if position is None else {"line": position[0], "column": position[1]}


def print_json(format: str | None, rows: Iterable[Mapping[str, Any]]) -> bool:
    """Write the rows to stdout if the format is json or jsonl; False, and no row is computed, if it is another one."""
    with json_rows(format) as output:
        if output is not None:
            for row in rows:
                output.write(row)
    return output is not None


@contextmanager
def json_rows(format: str | None) -> Iterator[JsonRows | None]:
    """Write rows to stdout one by one, for a command that does more with each; None if the format is not JSON."""
    if format not in JSON_FORMATS:
        yield None
        return
    with JsonRows(sys.stdout, array=format == "json") as rows:
        yield rows


class JsonRows:
    """Writes objects to `out`; with `array`, entering and leaving the context writes the brackets."""

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
        return json.dumps(row, ensure_ascii=self._ascii)

    def begin(self) -> None:
        """Write what separates an object from the one before it."""
        if self._array:
            self._out.write(",\n" if self._written else "\n")
        self._written += 1

    def finish(self) -> None:
        """Write what ends an object."""
        if not self._array:
            self._out.write("\n")
