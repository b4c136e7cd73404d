"""The exception for text that is not valid MQSC or not a valid rules table."""

from __future__ import annotations


class SyntaxFault(Exception):
    """A syntax error at one position of the source.

    `line` and `column` count from 1; `column` counts characters, a tab as one. `found` is the offending text, or
    "end of the command". `expected` lists what would be valid there. `reason` explains both in a sentence for people,
    without a full stop.
    """

    def __init__(self, line: int, column: int, found: str, expected: tuple[str, ...], reason: str) -> None:
        super().__init__(line, column, found, expected, reason)
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.reason}"
