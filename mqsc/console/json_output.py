"""Data on stdout as JSON: one array with an element a line, or a JSON object per line; each written as it comes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TextIO

from mqsc.console.options import is_terminal

JSON_FORMATS = ("json", "jsonl")


class Rows:
    """Writes objects to `out`; as an array its brackets are written on entering and leaving."""

    def __init__(self, out: TextIO, *, array: bool) -> None:
        self._out = out
        self._array = array
        # A terminal is sent no character that could steer it.
        self._ascii = is_terminal(out)
        self._written = 0

    def __enter__(self) -> Rows:
        if self._array:
            self._out.write("[")
        return self

    def __exit__(self, *_: object) -> None:
        self._out.write("\n]\n" if self._array else "")

    def write(self, row: Mapping[str, Any]) -> None:
        """One whole object."""
        self.begin()
        self._out.write(self.text_of(row))
        self.finish()

    def text_of(self, row: Mapping[str, Any]) -> str:
        """An object as JSON."""
        return json.dumps(row, ensure_ascii=self._ascii)

    def begin(self) -> None:
        """What stands before an object."""
        if self._array:
            self._out.write(",\n" if self._written else "\n")
        self._written += 1

    def finish(self) -> None:
        """What stands after an object."""
        if not self._array:
            self._out.write("\n")
