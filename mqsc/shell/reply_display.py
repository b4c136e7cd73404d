"""Replies and remarks on the terminal, rows, errors in one line, mistaken words, and questions."""

import io
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from typing import Any, TextIO

from msgspec.structs import replace
from rich.cells import cell_len

from mqsc.console.config import value
from mqsc.console.csv_rows import grid
from mqsc.console.object_names import defined_names, nearest_word
from mqsc.console.options import Choices
from mqsc.console.tables import Screen, answer_lines, blocks, table
from mqsc.console.terminal import (
    columns,
    fitted,
    is_screen,
    is_terminal,
    print_csv,
    print_data,
    printable,
    wrapped,
)
from mqsc.console.text.reasons import counted
from mqsc.language import command_table
from mqsc.language.reply import Answer, ReplyRow
from mqsc.language.request import Request
from mqsc.scripts import for_each
from mqsc.shell import command_text, own_commands
from mqsc.store.catalog.spelling import did_you_mean, similar, suggesting
from mqsc.store.constants import MQRC
from mqsc.store.engine.definitions import namespaces
from mqsc.verbs.analysis import syntax_begun_by


class ReplyDisplay:
    """Shows the replies, errors and remarks of a session.

    `choices` choose the queue manager whose names are suggested. While output goes to a file or a
    program, `screen` is the stream for errors and remarks; None: that of the output. `indent` is
    the width of the prompt if the command is on the line above.
    """

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.screen: TextIO | None = None
        self.indent: int | None = None
        self._request: Request | None = None
        self._hidden: frozenset[str] = frozenset()

    def prepared(self, request: Request) -> Request:
        """The request to perform, whose answer is shown next."""
        self._request = request
        request, self._hidden = for_people(request)
        return request

    def show(
        self,
        answer: Answer,
        text: str,
        output: command_text.Output,
        settings: own_commands.Settings,
    ) -> None:
        """Show the answer to a command with this text: data on the output, sentences on the
        screen.
        """
        is_data = answer.shows_rows and not answer.completion
        if (
            not output.is_screen
            and not is_data
            and (answer.completion or settings.format in DATA_FORMATS)
        ):
            with redirect_stdout(self.screen):
                self.show_on_screen(answer, text, settings)
        elif output.is_screen:
            self.show_on_screen(answer, text, settings)
        else:
            show_answer(
                without_system(answer, self._request, settings)[0],
                settings,
                _shape(),
                self._hidden,
            )

    def show_on_screen(self, answer: Answer, text: str, settings: own_commands.Settings) -> None:
        """Show the answer with the place of an error, or the number of its rows."""
        if answer.completion and settings.format != "classic":
            has_syntax = syntax_begun_by(text) is not None
            lines = brief_error(
                answer,
                text,
                prompt=self.indent,
                width=screen_width(),
                has_syntax=has_syntax,
            )
            self.print(lines or _runmqsc_lines(self._with_similar_name(answer), settings))
            return
        answer, left_out = without_system(answer, self._request, settings)
        number = show_answer(answer, settings, _shape(), self._hidden)
        more = f", {left_out} of SYSTEM left out" if left_out else ""
        if (number > 1 or left_out) and settings.format in ("table", "vertical"):
            sys.stdout.write(f"({counted(number, 'row')}{more})\n")

    def _with_similar_name(self, answer: Answer) -> Answer:
        """The answer about an object that does not exist, with the name of a similar one."""
        request = self._request
        if (
            request is None
            or answer.reason != MQRC.UNKNOWN_OBJECT_NAME
            or request.name not in answer.text
        ):
            return answer
        near = similar(request.name, defined_names(self.choices, namespaces(request.kinds[0])[0]))
        return replace(answer, text=suggesting(near, answer.text)) if near else answer

    def print(self, lines: Iterable[str]) -> None:
        """Print lines, on the screen broken between words."""
        for line in lines:
            for part in _broken(line) if is_terminal(sys.stdout) else (line,):
                sys.stdout.write(f"{part}\n")

    def say(self, text: str) -> None:
        """Print an error or remark on the screen, even if the output of the command is
        redirected.
        """
        screen = self.screen or sys.stdout
        for line in text.split("\n"):
            for part in _broken(line):
                screen.write(f"{part}\n")


def without_system(
    answer: Answer,
    request: Request | None,
    settings: own_commands.Settings,
) -> tuple[Answer, int]:
    """The answer to a request without SYSTEM objects if they are not wanted, and how many were
    left out.
    """
    return (answer, 0) if settings.system else for_each.without_system(answer, request)


def screen_width() -> int:
    """The width of the screen in columns, even while output goes elsewhere."""
    return shutil.get_terminal_size().columns


def _broken(line: str) -> Iterable[str]:
    return wrapped(printable(line), screen_width(), hanging="    ")


def _runmqsc_lines(answer: Answer, settings: own_commands.Settings) -> list[str]:
    buffer = io.StringIO()
    with redirect_stdout(buffer):
        show_answer(answer, settings.changed("format", "classic"), _shape(), frozenset())
    return buffer.getvalue().splitlines()


def _shape() -> Screen:
    styled = is_screen(sys.stdout) and bool(value("colours"))
    return Screen(screen_width(), styled=styled, blocks=_has(sys.stdout, "█░"))


def _has(stream: TextIO, characters: str) -> bool:
    """Whether the encoding of a stream has the characters."""
    with suppress(UnicodeEncodeError, LookupError):
        characters.encode(getattr(stream, "encoding", None) or "utf-8")
        return True
    return False


# Rows in the formats of the shell.

# Read for the depth bar, and hidden if it was not asked for.
_LIMIT = "MAXDEPTH"
_QUEUES = frozenset({"QLOCAL", "QUEUE"})


def for_people(request: Request) -> tuple[Request, frozenset[str]]:
    """A DISPLAY of depths that also reads the limit, for the depth bar; and the keywords that
    were not asked for.
    """
    asked = request.requested
    bare = request.verb == "DISPLAY" and request.noun in _QUEUES and "CURDEPTH" in asked
    if not bare or _LIMIT in asked or request.has("ALL"):
        return request, frozenset()
    return replace(request, requested=(*asked, _LIMIT)), frozenset({_LIMIT})


def show_answer(
    answer: Answer,
    settings: own_commands.Settings,
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


# An error in a typed command, in at most three lines: its place, the message, and a suggestion.
#
# Scripts and pipes get runmqsc's text with the full syntax; in the shell `?` shows the syntax on
# request.

SYNTAX_HINT = "(? shows the syntax)"
REST = " …"
_NO_BREAK = "\N{NO-BREAK SPACE}"
_PLACE = re.compile(r"line \d+, column \d+: (.*)")
_WORD = re.compile(r"'[^']*'?|[^\s,()';=]+|.")
# With a source line before the caret, one line is left on a wide screen.
_LINES = 2
_WIDE = 80


def brief_error(
    answer: Answer,
    text: str,
    *,
    prompt: int | None,
    width: int,
    has_syntax: bool,
) -> list[str]:
    """The lines for a refused command; empty if the answer is not about a place in `text`.

    `prompt` is the width of the prompt if the text is on the line above; otherwise its line is
    shown again.
    """
    place = next(filter(None, map(_PLACE.fullmatch, answer.text.split("\n"))), None)
    if answer.position is None or place is None:
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
    sentence = f"{answer.message_id}: {place[1]}"
    most = _LINES - bool(shown) if width >= _WIDE else width
    sentences = _within(f"{sentence} {SYNTAX_HINT}" if has_syntax else sentence, width, most)
    return [
        *shown,
        f"{' ' * before}{'^' * length}",
        *(sentences or _cut(sentence, width, most)),
        *answer.once,
    ]


def _excerpt(source: str, line: int, column: int, width: int) -> tuple[list[str], int]:
    """A source line, or the part around the column, with its number if it is not 0; and the
    column of the caret.
    """
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
    return [
        *lines[: most - 1],
        textwrap.shorten(lines[most - 1], width - len(REST), placeholder="") + REST,
    ]


# Suggestions for a first word that is neither MQSC nor a command of the shell.


def hint_for(word: str) -> str:
    """What to type instead; blank if MQSC's own error is better."""
    if not word.isalpha() or command_table.verb_of(word.upper()):
        return ""
    if word == "mqsc":
        return "this is the shell of mqsc: type commands without mqsc before them"
    endings = {*map(str.lower, command_text.ENDINGS)}
    if word in endings:
        return f"{word} is typed alone, without words after it"
    own = {*own_commands.OWN_COMMANDS, *endings}
    near = nearest_word(word, own)
    return f"'{word}' is not a command; {did_you_mean([near])}" if near in own else ""
