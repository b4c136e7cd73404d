"""The one way in which reading MQSC or a rules table fails."""

from __future__ import annotations


class SyntaxFault(Exception):
    """What was found at one place of the source, and what would be right there.

    `line` and `column` count from 1, `column` in characters (a tab is one). `found` is the offending text, or
    "end of the command". `expected` lists what could stand there. `reason` is a sentence for people, without a full
    stop, that says both.
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
