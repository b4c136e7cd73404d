"""The typed text of a command: where its commands end, and whether it goes on."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mqsc.grammar.lines import BLANKS, DEFECT, LogicalLine, logical_lines
from mqsc.shell.own_commands import is_own_command

# How many lines at the end of a text are read for completion; no command is longer.
_LINES_READ = 60
_OUTSIDE_QUOTES = re.compile(r"'(?:[^']|'')*('?)|[()]")
INDENT = "   "
ENDINGS = ("END", "EXIT", "QUIT")


class Typed(NamedTuple):
    """One command of a text: its own source text, and the number of the line on which it begins,
    from 1.
    """

    text: str
    line: int


def commands_of(text: str) -> Iterator[Typed]:
    """The commands of a text one by one, each with its own lines, without comments between them."""
    for line in logical_lines(text.split("\n")):
        if not isinstance(line, LogicalLine):
            continue
        if is_own_command(line.text):
            source = line.text.strip()
            if _reads_input(line):
                source += " -"
        else:
            source = _source_of(line, text)
        yield Typed(source, line.source[0].number)


def _source_of(line: LogicalLine, text: str) -> str:
    """The lines of a command as they were typed."""
    source = "\n".join(each.text for each in line.source)
    if line.fault is not None and (defect := DEFECT.search(text)):
        # The lines have a replacement character there, with which the command would be carried out.
        return source.replace("\ufffd", defect.group(), 1)
    return source


def _reads_input(line: LogicalLine) -> bool:
    """Whether a command of the shell ends in the word -, which stands for standard input and
    continues no line.
    """
    return (
        line.unfinished
        and line.source[-1].text.rstrip(BLANKS).endswith(" -")
        and is_own_command(line.text)
    )


def is_ending(text: str) -> bool:
    """Whether a command is END, EXIT or QUIT."""
    return text.strip(f"{BLANKS};").upper() in ENDINGS


def last_command(text: str) -> str:
    """The unfinished command at the end of `text` as one logical line; blank if none has begun."""
    lines = text.split("\n")[-_LINES_READ:]
    last = lines[-1]
    if last.startswith("*"):
        return "*"
    items = [*logical_lines(lines)]
    if not items or not isinstance(items[-1], LogicalLine):
        return ""
    command = items[-1]
    if not command.unfinished and (
        command.source[-1].number != len(lines) or last.rstrip(BLANKS).endswith(";")
    ):
        return ""
    # Blanks at the end of a line do not count in MQSC, but they end a word.
    ends_in_blank = last != last.rstrip(BLANKS) and not command.text.endswith(" ")
    if command.unfinished and last.rstrip(BLANKS).endswith(("+", "-")):
        return f"{command.text}{last.rstrip(BLANKS)[-1]}"
    return f"{command.text} " if ends_in_blank else command.text


def continuation(text: str) -> str | None:
    """What Enter inserts because `text` is not a complete command; None if it is complete.

    A line that ends in + or - continues as it is. If a parenthesis or quote is open, the line gets
    that mark. Enter on an empty line runs the command as it is, so that a parenthesis that was
    opened by mistake does not trap the user.
    """
    lines = text.split("\n")
    items = [*logical_lines(lines)]
    last, line = (items[-1] if items else None), lines[-1].rstrip(BLANKS)
    if not isinstance(last, LogicalLine) or not line or line.endswith(";"):
        return None
    if _reads_input(last):
        return None
    if last.unfinished:
        return f"\n{INDENT}" if line.endswith("+") and not _mark(last.text) else "\n"
    if is_own_command(last.text):
        return None
    return {"": None, "-": "-\n", "+": f" +\n{INDENT}"}[_mark(last.text)]


def without_added_mark(text: str) -> str:
    """The text without the mark that `continuation` added: the error is the open quote, not the
    mark.
    """
    items = [*logical_lines(text.split("\n"))]
    last = items[-1] if items else None
    if isinstance(last, LogicalLine) and last.unfinished and _mark(last.text):
        return text.rstrip()[:-1].rstrip()
    return text


def _mark(text: str) -> str:
    """The mark that continues a line with an open quote (-) or parenthesis (+); blank if nothing
    is open.
    """
    opened = False
    for match in _OUTSIDE_QUOTES.finditer(text):
        if match.group() in ("(", ")"):
            opened = match.group() == "("
        elif not match[1]:
            return "-"
    return "+" if opened else ""


# The numbers of messages in a browse, which are no values of options.
_NUMBERS = re.compile(r"(\s--\S+\s+\S+)|\s+\d+(?!\S)")


def without_numbers(browse: str) -> str:
    """A browse command without the numbers of messages, to which one can be added."""
    return _NUMBERS.sub(r"\1", browse)
