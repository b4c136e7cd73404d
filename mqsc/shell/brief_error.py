"""An error in a typed command, in at most three lines: its place, the message, and a suggestion.

Scripts and pipes get runmqsc's text with the full syntax; in the shell `?` shows the syntax on
request.
"""

import re
import textwrap

from rich.cells import cell_len

from mqsc.console.terminal import printable
from mqsc.language.reply import Answer

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
