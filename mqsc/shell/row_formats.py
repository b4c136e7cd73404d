"""Rows in the formats of the shell."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from mqsc.console.answer_layout import answer_lines
from mqsc.console.csv_rows import grid
from mqsc.console.json_rows import print_csv, print_data
from mqsc.console.tables import Screen, blocks, table
from mqsc.console.terminal import columns, fitted, is_terminal, printable
from mqsc.language.reply import Answer, ReplyRow
from mqsc.language.request import Request
from mqsc.shell.settings import Settings

# Read for the depth bar, and hidden if it was not asked for.
_LIMIT = "MAXDEPTH"
_QUEUES = frozenset({"QLOCAL", "QUEUE"})


def for_people(request: Request) -> tuple[Request, frozenset[str]]:
    """A DISPLAY of depths that also reads the limit, for the depth bar; and the keywords that
    were not asked for.
    """
    requested = request.requested
    bare = request.verb == "DISPLAY" and request.noun in _QUEUES and "CURDEPTH" in requested
    if not bare or _LIMIT in requested or request.has("ALL"):
        return request, frozenset()
    return replace(request, requested=(*requested, _LIMIT)), frozenset({_LIMIT})


def show_answer(
    answer: Answer,
    settings: Settings,
    screen: Screen,
    hidden: frozenset[str],
) -> int:
    """Print an answer on stdout; return the number of rows."""
    counted = _Counted(_sorted(answer.rows, settings.sort))
    rows = without(counted, hidden) if settings.format in _AS_DATA else counted
    if not answer.shows_rows:
        _write(answer_lines(answer))
        return 0
    _SHOWN[settings.format](replace(answer, rows=rows), screen, hidden)
    return counted.number


def without(rows: Iterable[ReplyRow], hidden: frozenset[str]) -> Iterable[ReplyRow]:
    """The rows without the hidden keywords."""
    return (
        ({word: value for word, value in row.items() if word not in hidden} for row in rows)
        if hidden
        else rows
    )


class _Counted:
    """Rows, counted as they are read."""

    def __init__(self, rows: Iterable[ReplyRow]) -> None:
        self.number = 0
        self._rows = rows

    def __iter__(self) -> Iterator[ReplyRow]:
        for row in self._rows:
            self.number += 1
            yield row


def _sorted(rows: Iterable[ReplyRow], by: str) -> Iterable[ReplyRow]:
    """The rows by an attribute, those without it last; as they come if there is none."""
    keyword = by.lstrip("-")
    if not keyword:
        return rows
    all_rows = [*rows]
    having = sorted(
        (row for row in all_rows if keyword in row),
        key=lambda row: _order(row[keyword]),
        reverse=by[0] == "-",
    )
    if len(all_rows) > 1 and not having:
        sys.stderr.write(f"mqsc: not sorted: {printable(keyword)} is not shown\n")
    return [*having, *(row for row in all_rows if keyword not in row)]


def _order(value: Any) -> tuple[bool, int, str]:
    """Numbers before texts."""
    return (False, value, "") if isinstance(value, int) else (True, 0, str(value))


def _escape() -> Callable[[str], str]:
    return printable if is_terminal(sys.stdout) else str


def _tsv(rows: Iterable[ReplyRow]) -> None:
    """Tab-separated values under a heading; a tab, newline or backslash in a value is escaped
    with a backslash.
    """
    for cells in grid(rows, _escape()):
        sys.stdout.write("\t".join(cell.translate(_IN_TSV) for cell in cells) + "\n")


def _markdown(reply_rows: Iterable[ReplyRow]) -> None:
    """A table in Markdown."""
    heading, *rows = [*grid(reply_rows, _escape())] or [[]]
    for cells in (heading, ["---"] * len(heading), *rows):
        sys.stdout.write(f"| {' | '.join(cell.translate(_IN_MARKDOWN) for cell in cells)} |\n")


_IN_TSV = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"})
_IN_MARKDOWN = str.maketrans(
    {
        "|": "\\|",
        "\\": "\\\\",
        "\n": "<br>",
        "\r": "",
        "<": "&lt;",
        "&": "&amp;",
        "[": "\\[",
        "`": "\\`",
    },
)
_SHOWN: Mapping[str, Callable[[Answer, Screen, frozenset[str]], object]] = {
    "table": lambda answer, screen, hidden: _write_styled(table(answer.rows, screen, hidden)),
    "vertical": lambda answer, screen, hidden: _write_styled(blocks(answer.rows, screen, hidden)),
    "classic": lambda answer, screen, hidden: _write(answer_lines(answer)),
    "json": lambda answer, screen, hidden: print_data("json", answer.rows),
    "jsonl": lambda answer, screen, hidden: print_data("jsonl", answer.rows),
    "csv": lambda answer, screen, hidden: print_csv(answer.rows),
    "tsv": lambda answer, screen, hidden: _tsv(answer.rows),
    "markdown": lambda answer, screen, hidden: _markdown(answer.rows),
}
# Formats without a depth bar.
_AS_DATA = frozenset(_SHOWN) - {"table", "vertical"}
# Formats that a program reads: their output has no sentences.
DATA_FORMATS = _AS_DATA - {"classic"}


def _write(lines: Iterable[str]) -> None:
    """Print lines; on a terminal, control characters are escaped, and lines broken between
    words.
    """
    on_terminal = is_terminal(sys.stdout)
    for line in lines:
        for part in fitted(printable(line), columns()) if on_terminal else (line,):
            sys.stdout.write(f"{part}\n")


def _write_styled(lines: Iterable[str]) -> None:
    """Print lines whose values are escaped already, and which may contain styles."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
