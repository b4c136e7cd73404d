"""Replies as people read them in the shell: tables, brief errors; or in another format."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec.structs import replace

from mqsc.console.display_layout import answer_lines
from mqsc.console.json_output import print_json
from mqsc.console.tables import Screen, blocks, table
from mqsc.console.terminal import columns, fitted, is_terminal, printable
from mqsc.language.request import Request
from mqsc.reply import Answer, Row
from mqsc.shell.settings import Settings

# Read for the depth bar, and hidden if it was not asked for.
_LIMIT = "MAXDEPTH"
_QUEUES = frozenset({"QLOCAL", "QUEUE"})


def for_people(request: Request) -> tuple[Request, frozenset[str]]:
    """A DISPLAY of depths that also reads the limit, for the depth bar; and the keywords that were not asked for."""
    asked = request.requested
    bare = request.verb == "DISPLAY" and request.noun in _QUEUES and "CURDEPTH" in asked
    if not bare or _LIMIT in asked or request.has("ALL"):
        return request, frozenset()
    return replace(request, requested=(*asked, _LIMIT)), frozenset({_LIMIT})


def show_answer(answer: Answer, settings: Settings, screen: Screen, hidden: frozenset[str]) -> int:
    """Print an answer on stdout; return the number of rows."""
    counted = _Counted(_sorted(answer.rows, settings.sort))
    rows = without(counted, hidden) if settings.format in _AS_DATA else counted
    if not answer.each:
        _write(answer_lines(answer))
        return 0
    _SHOWN[settings.format](replace(answer, rows=rows), screen, hidden)
    return counted.number


def without(rows: Iterable[Row], hidden: frozenset[str]) -> Iterable[Row]:
    """The rows without the hidden keywords."""
    return ({word: value for word, value in row.items() if word not in hidden} for row in rows) if hidden else rows


class _Counted:
    """Rows, counted as they are read."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.number = 0
        self._rows = rows

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.number += 1
            yield row


def _sorted(rows: Iterable[Row], by: str) -> Iterable[Row]:
    """The rows by an attribute, those without it last; as they come if there is none."""
    keyword = by.lstrip("-")
    if not keyword:
        return rows
    found = [*rows]
    having = sorted(
        (row for row in found if keyword in row), key=lambda row: _order(row[keyword]), reverse=by[0] == "-"
    )
    if len(found) > 1 and not having:
        sys.stderr.write(f"mqsc: not sorted: {printable(keyword)} is not shown\n")
    return [*having, *(row for row in found if keyword not in row)]


def _order(value: Any) -> tuple[bool, int, str]:
    """Numbers before texts."""
    return (False, value, "") if isinstance(value, int) else (True, 0, str(value))


def _csv(found: Iterable[Row]) -> None:
    """CSV with a heading; columns that only later rows have are found by reading all rows first."""
    rows = [*found]
    words = [*dict.fromkeys(chain.from_iterable(rows))]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(words)
    shows = printable if is_terminal(sys.stdout) else str
    for row in rows:
        writer.writerow([shows(_cell(row.get(word, ""))) for word in words])


def _cell(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


_SHOWN: Mapping[str, Callable[[Answer, Screen, frozenset[str]], object]] = {
    "table": lambda answer, screen, hidden: _write_styled(table(answer.rows, screen, hidden)),
    "vertical": lambda answer, screen, hidden: _write_styled(blocks(answer.rows, screen, hidden)),
    "classic": lambda answer, screen, hidden: _write(answer_lines(answer)),
    "json": lambda answer, screen, hidden: print_json("json", answer.rows),
    "csv": lambda answer, screen, hidden: _csv(answer.rows),
}
_AS_DATA = frozenset({"classic", "json", "csv"})


def _write(lines: Iterable[str]) -> None:
    """Print lines; on a terminal, control characters are escaped, and lines broken between words."""
    on_terminal = is_terminal(sys.stdout)
    for line in lines:
        for part in fitted(printable(line), columns()) if on_terminal else (line,):
            sys.stdout.write(f"{part}\n")


def _write_styled(lines: Iterable[str]) -> None:
    """Print lines whose values are escaped already, and which may contain styles."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
