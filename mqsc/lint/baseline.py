"""A baseline: the diagnostics in a file, which are not reported again.

An entry is a file, a rule and a message, without the line, which changes when lines above it do.
The file name is relative to the folder of the baseline. Errors are never part of it.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, ValidationError, convert

from mqsc.diagnostic import Diagnostic

VERSION = 1
# The file, the rule and the message.
Entry: TypeAlias = tuple[str, str, str]
_WORDS = ("file", "rule_id", "message")


class _AlikeDiagnostics(Struct):
    """Diagnostics of a file that are alike."""

    file: str
    rule_id: str
    message: str
    count: Annotated[int, Meta(ge=1)] = 1


class BaselineError(Exception):
    """A file is not a baseline; the message says why."""


class Baseline:
    """Entries with the number of diagnostics that each stands for. `known` counts those that
    were found again.
    """

    def __init__(self, folder: Path, entries: Counter[Entry]) -> None:
        self._folder = folder
        self._left = entries
        self.known = 0

    def has(self, diagnostic: Diagnostic) -> bool:
        """Whether the diagnostic is in the baseline; an entry stands for as many as there were
        when it was written.
        """
        entry = _entry(self._folder, diagnostic)
        if diagnostic.severity == "error" or not self._left[entry]:
            return False
        self._left[entry] -= 1
        self.known += 1
        return True

    @property
    def gone(self) -> int:
        """How many diagnostics of the baseline were not found."""
        return self._left.total()


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file; BaselineError for another file, OSError if it cannot be read."""
    try:
        data = json.loads(path.read_bytes())
        rows = (
            convert(data["diagnostics"], list[_AlikeDiagnostics])
            if data["version"] == VERSION
            else []
        )
    except (ValueError, KeyError, TypeError, RecursionError, ValidationError) as error:
        raise BaselineError(
            f"{path} is not a baseline of mqsc check; write it with --write-baseline",
        ) from error
    if data["version"] != VERSION:
        raise BaselineError(
            f"{path} is a baseline of version {data['version']}; this is version {VERSION}",
        )
    entries = {(row.file, row.rule_id, row.message): row.count for row in rows}
    return Baseline(path.resolve().parent, Counter(entries))


def baseline_text(path: Path, diagnostics: Iterable[Diagnostic]) -> str:
    """The content of a baseline file for these diagnostics, sorted, an entry per line, for
    review.
    """
    folder = path.resolve().parent
    counted = Counter(
        _entry(folder, diagnostic) for diagnostic in diagnostics if diagnostic.severity != "error"
    )
    rows = [
        {**dict(zip(_WORDS, entry, strict=True)), "count": counted[entry]}
        for entry in sorted(counted)
    ]
    # In ASCII: a message may quote bytes that are not UTF-8.
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    return f'{{"version": {VERSION}, "diagnostics": [\n{lines}\n]}}\n' if rows else _EMPTY


_EMPTY = f'{{"version": {VERSION}, "diagnostics": []}}\n'


def _entry(folder: Path, diagnostic: Diagnostic) -> Entry:
    file = Path(os.path.relpath(diagnostic.file, folder)).as_posix() if diagnostic.file else "-"
    return file, diagnostic.rule_id, diagnostic.message
