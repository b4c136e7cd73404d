"""Diagnostics of a document: at once those of the commands that changed, and a little later those
of the document as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import NamedTuple

from lsprotocol import types

from mqsc.diagnostic import Diagnostic
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.table_check import lint_table
from mqsc.dlq.table_reading import parse_table
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.lint.script_check import ScriptCheck
from mqsc.lint.script_reading import read_script
from mqsc.lsp.regions import MQSC, RULES, Region, alike, commands_around, regions

# An editor shows no more in a document, and sending 10,000 takes a second. Errors come first.
MOST_SHOWN = 1000
# With more lines changed, only the check of the whole document looks at them: each takes a
# twentieth of a millisecond.
MOST_AT_ONCE = 500
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_WORD = re.compile(r"[\w.%/$-]+")


class StaleError(Exception):
    """The document has changed since the check began."""


class Checked(NamedTuple):
    """The lines of a document when it was checked, and what was found."""

    lines: list[str]
    diagnostics: list[types.Diagnostic]


def checked(path: str, text: str, is_stale: Callable[[], bool]) -> Checked:
    """What `mqsc check` and `mqsc dlq check` find in a document; StaleError as soon as
    `is_stale`.
    """
    diagnostics = sorted(
        _of_document(path, text, is_stale), key=lambda each: int(each.severity or 0)
    )
    return Checked(text.split("\n"), diagnostics[:MOST_SHOWN])


def _of_document(path: str, text: str, is_stale: Callable[[], bool]) -> Iterator[types.Diagnostic]:
    def watched(lines: list[str]) -> Iterator[str]:
        for line in lines:
            if is_stale():
                raise StaleError
            yield line

    for region in regions(path, text):
        if region.kind == RULES:
            parsed = parse_table(watched(region.lines))
            diagnostics = (
                parsed.diagnostics
                if parsed.table is None
                else lint_table(parsed.table, QueueManagerFacts())
            )
        else:
            with ScriptCheck() as check:
                check.read(watched(region.lines))
                diagnostics = tuple(check.diagnostics())
        yield from (_diagnostic(region, diagnostic) for diagnostic in diagnostics)


def known_at_once(path: str, text: str, last: Checked) -> Checked:
    """What the last check found in commands that have not changed, and the errors that those
    which have show alone.
    """
    lines = text.split("\n")
    first = alike(lines, last.lines)
    after = min(
        alike(reversed(lines), reversed(last.lines)),
        len(lines) - first,
        len(last.lines) - first,
    )
    # What was one command may be two now.
    ranges = [commands_around(each, first, len(each) - after) for each in (lines, last.lines)]
    first = min(begin for begin, _ in ranges)
    after = min(
        len(each) - beyond for each, (_, beyond) in zip((lines, last.lines), ranges, strict=True)
    )
    kept = [
        _moved(
            diagnostic, len(lines) - len(last.lines) if diagnostic.range.start.line >= first else 0
        )
        for diagnostic in last.diagnostics
        if not first <= diagnostic.range.start.line < len(last.lines) - after
    ]
    return Checked(lines, [*kept, *_errors_between(path, text, first, len(lines) - after)])


def _moved(diagnostic: types.Diagnostic, lines: int) -> types.Diagnostic:
    """The diagnostic so many lines further down."""
    moved = deepcopy(diagnostic) if lines else diagnostic
    moved.range.start.line += lines
    moved.range.end.line += lines
    return moved


def _errors_between(path: str, text: str, first: int, beyond: int) -> Iterator[types.Diagnostic]:
    """The errors of commands on some lines that can be found without other commands."""
    for region in regions(path, text) if beyond - first <= MOST_AT_ONCE else ():
        begin = max(first - region.line, 0)
        part = Region(
            MQSC,
            region.line + begin,
            region.column,
            region.lines[begin : max(beyond - region.line, 0)],
        )
        commands = (line for line in logical_lines(part.lines) if isinstance(line, LogicalLine))
        commands_read = read_script(commands) if region.kind == MQSC else ()
        yield from (
            _diagnostic(part, each) for each in commands_read if isinstance(each, Diagnostic)
        )


def _diagnostic(region: Region, diagnostic: Diagnostic) -> types.Diagnostic:
    line, column = max(diagnostic.line - 1, 0), max(diagnostic.column - 1, 0)
    text = region.lines[line] if line < len(region.lines) else ""
    word = _WORD.match(text, column)
    end = word.end() if word else min(column + 1, len(text))
    start = types.Position(region.line + line, region.column + column)
    place = types.Range(start, types.Position(region.line + line, region.column + max(end, column)))
    return types.Diagnostic(
        place,
        diagnostic.text,
        _SEVERITIES[diagnostic.severity],
        diagnostic.rule_id,
        source="mqsc",
    )
