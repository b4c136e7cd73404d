"""Replies and rows on the terminal, errors in one line, mistaken words, and questions."""

from __future__ import annotations

import csv
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from rich.cells import cell_len

from mqsc.console.object_names import nearest_word
from mqsc.console.tables import Screen, answer_lines, blocks, table
from mqsc.console.terminal import columns, fitted, is_terminal, print_json, printable
from mqsc.language.command_table import verb_of
from mqsc.language.reply import Answer, Row
from mqsc.language.request import Request
from mqsc.shell.command_text import ENDINGS, Settings
from mqsc.shell.own_commands import OWN_COMMANDS
from store.admin.inquiring import inquire
from store.catalog import kinds_of
from store.error import MQError, StoreError

if TYPE_CHECKING:
    from store.client.api import QueueManager


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
    csv.writer(sys.stdout, lineterminator="\n").writerows(_grid(found))


def _grid(found: Iterable[Row]) -> Iterator[list[str]]:
    """The keywords of all rows, then the texts of each row; nothing without a row."""
    rows = [*found]
    words = [*dict.fromkeys(chain.from_iterable(rows))]
    shows = printable if is_terminal(sys.stdout) else str
    if words:
        yield words
    for row in rows:
        yield [shows(_cell(row.get(word, ""))) for word in words]


def _tsv(found: Iterable[Row]) -> None:
    """Tab-separated values under a heading; a tab, newline or backslash in a value is escaped with a backslash."""
    for cells in _grid(found):
        sys.stdout.write("\t".join(cell.translate(_IN_TSV) for cell in cells) + "\n")


def _markdown(found: Iterable[Row]) -> None:
    """A table in Markdown."""
    heading, *rows = [*_grid(found)] or [[]]
    for cells in (heading, ["---"] * len(heading), *rows):
        sys.stdout.write(f"| {' | '.join(cell.translate(_IN_MARKDOWN) for cell in cells)} |\n")


_IN_TSV = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"})
_IN_MARKDOWN = str.maketrans({"|": "\\|", "\\": "\\\\", "\n": "<br>", "\r": "", "<": "&lt;"})


def _cell(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


_SHOWN: Mapping[str, Callable[[Answer, Screen, frozenset[str]], object]] = {
    "table": lambda answer, screen, hidden: _write_styled(table(answer.rows, screen, hidden)),
    "vertical": lambda answer, screen, hidden: _write_styled(blocks(answer.rows, screen, hidden)),
    "classic": lambda answer, screen, hidden: _write(answer_lines(answer)),
    "json": lambda answer, screen, hidden: print_json("json", answer.rows),
    "csv": lambda answer, screen, hidden: _csv(answer.rows),
    "tsv": lambda answer, screen, hidden: _tsv(answer.rows),
    "markdown": lambda answer, screen, hidden: _markdown(answer.rows),
}
# Formats without a depth bar.
_AS_DATA = frozenset(_SHOWN) - {"table", "vertical"}
# Formats that a program reads: their output has no sentences.
DATA_FORMATS = _AS_DATA - {"classic"}


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


# An error in a typed command, in at most three lines: its place, the message, and a suggestion.
#
# Scripts and pipes get runmqsc's text with the full syntax; in the shell `?` shows the syntax on request.

SYNTAX_HINT = "(? shows the syntax)"
REST = " …"
_NO_BREAK = "\N{NO-BREAK SPACE}"
_PLACE = re.compile(r"line \d+, column \d+: (.*)")
_WORD = re.compile(r"'[^']*'?|[^\s,()';=]+|.")
# With a source line before the caret, one line is left on a wide screen.
_LINES = 2
_WIDE = 80


def brief_error(answer: Answer, text: str, *, prompt: int | None, width: int, has_syntax: bool) -> list[str]:
    """The lines for a refused command; empty if the answer is not about a place in `text`.

    `prompt` is the width of the prompt if the text is on the line above; otherwise its line is shown again.
    """
    found = next(filter(None, map(_PLACE.fullmatch, answer.text.split("\n"))), None)
    if answer.position is None or found is None:
        return []
    line, column = answer.position
    lines = text.split("\n")
    source = lines[line - 1] if line <= len(lines) else ""
    before = cell_len(printable(source[: column - 1]))
    shown: list[str] = []
    if prompt is not None and prompt + cell_len(source) < width:
        before += prompt
    else:
        shown, before = _excerpt(source, line if len(lines) > 1 else 0, column, width)
    word = _WORD.match(source, column - 1)
    length = min(max(cell_len(word.group()) if word else 1, 1), width - before)
    sentence = f"{answer.message_id}: {found[1]}"
    most = _LINES - bool(shown) if width >= _WIDE else width
    sentences = _within(f"{sentence} {SYNTAX_HINT}" if has_syntax else sentence, width, most)
    return [*shown, f"{' ' * before}{'^' * length}", *(sentences or _cut(sentence, width, most)), *answer.once]


def _excerpt(source: str, line: int, column: int, width: int) -> tuple[list[str], int]:
    """A source line, or the part around the column, with its number if it is not 0; and the column of the caret."""
    number = f"{line}: " if line else ""
    room = width - len(number) - 1
    indent = len(source) - len(source.lstrip())
    source, column = source[indent:], max(column - indent, 1)
    start = 0 if len(source) <= room else max(min(column - 1 - room // 2, len(source) - room), 0)
    part = printable(source[start : start + room])
    return [f"{number}{part}"], len(number) + cell_len(printable(source[start : column - 1]))


def _within(sentence: str, width: int, most: int) -> list[str]:
    """The sentence in at most so many lines, broken between words; empty if it is longer."""
    unbroken = sentence.replace(SYNTAX_HINT, SYNTAX_HINT.replace(" ", _NO_BREAK))
    lines = textwrap.wrap(unbroken, width, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_NO_BREAK, " ") for line in lines] if len(lines) <= most else []


def _cut(sentence: str, width: int, most: int) -> list[str]:
    """The sentence in so many lines, with an ellipsis in place of the rest."""
    lines = textwrap.wrap(sentence, width, break_long_words=False, break_on_hyphens=False)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], textwrap.shorten(lines[most - 1], width - len(REST), placeholder="") + REST]


# Suggestions for a first word that is neither MQSC nor a command of the shell.


def hint_for(word: str) -> str:
    """What to type instead; blank if MQSC's own error is better."""
    if not word.isalpha() or verb_of(word.upper()):
        return ""
    if word == "mqsc":
        return "this is the shell of mqsc: type commands without mqsc before them"
    own = {*OWN_COMMANDS, *map(str.lower, ENDINGS)}
    near = nearest_word(word, own)
    return f"'{word}' is not a command; did you mean {near}?" if near in own else ""


# Questions before a typed command that removes messages. Scripts are never asked.


def removes_messages(request: Request) -> bool:
    """Whether the request would remove the messages of a queue."""
    clears = (request.verb, request.noun) == ("CLEAR", "QLOCAL")
    return clears or (request.verb == "DELETE" and request.options.get("PURGE") == "PURGE")


def question(request: Request, depth: int) -> str | None:
    """What to ask before a request on a queue with so many messages; None if there is nothing to lose."""
    if not depth or not removes_messages(request):
        return None
    messages, them = ("1 message", "it") if depth == 1 else (f"{depth} messages", "them")
    how = f"Delete the queue with {them}" if request.verb == "DELETE" else f"Remove {them}"
    return f"{request.name} has {messages}. {how}? [y/N] "


def depth_of(qmgr: QueueManager, name: str) -> int:
    """The depth of a local queue; 0 if there is none, or if the queue manager does not run."""
    try:
        row = next(iter(inquire(qmgr, kinds_of("QLOCAL"), name)), None)
    except (MQError, StoreError):
        # The command itself reports why.
        return 0
    return int(row["CURDEPTH"]) if row and row["QUEUE"] == name else 0
