"""The typed text of a command, its words, and what it says about its output; `foreach`, `watch`
and numbers.
"""

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from mqsc.console.object_names import Quoted
from mqsc.console.shell_words import SETTINGS
from mqsc.grammar.lines import BLANKS, DEFECT, LogicalLine, logical_lines
from mqsc.grammar.parse import words_of_command
from mqsc.scripts import for_each
from mqsc.scripts.for_each import FOREACH, PLACE, selection_of
from mqsc.scripts.one_command import is_command
from mqsc.shell.own_commands import (
    OwnCommandError,
    SettingError,
    Settings,
    first_word,
    is_own_command,
)

# Of a longer text only so many lines at its end are read for completion; no command is longer.
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
        if isinstance(line, LogicalLine):
            source = "\n".join(each.text for each in line.source)
            if line.fault is not None and (defect := DEFECT.search(text)):
                # The lines have a replacement character there, with which the command would be
                # carried out.
                source = source.replace("\ufffd", defect.group(), 1)
            own = (
                f"{line.text.strip()}{' -' * _reads_input(line)}"
                if is_own_command(line.text)
                else ""
            )
            yield Typed(own or source, line.source[0].number)


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
    *_, last = (None, *logical_lines(text.split("\n")))
    if isinstance(last, LogicalLine) and last.unfinished and _mark(last.text):
        return text.rstrip()[:-1].rstrip()
    return text


def _mark(text: str) -> str:
    """The mark that continues a line with an open quote (-) or parenthesis (+); blank if nothing
    is open.
    """
    opened = False
    for found in _OUTSIDE_QUOTES.finditer(text):
        if found.group() in ("(", ")"):
            opened = found.group() == "("
        elif not found[1]:
            return "-"
    return "+" if opened else ""


# The words of the shell's own commands: divided at blanks, in quotes where a word has blanks.

_WORD = re.compile(r"""'((?:[^']|'')*)'(?=\s|$)|"([^"]*)"(?=\s|$)|(\S+)""")


class PlacedWord(NamedTuple):
    """A word without its quotes, and the offset at which it begins."""

    text: str
    start: int


def checked_words(text: str) -> list[str]:
    """The words of the text; OwnCommandError for a quote that is not closed."""
    try:
        return words_of(text)
    except ValueError as error:
        raise OwnCommandError(str(error)) from error


def words_of(text: str) -> list[str]:
    """The words of a line without their quotes. ValueError for a quote that is not closed."""
    return [each.text for each in placed_words(text)]


def placed_words(text: str) -> Iterator[PlacedWord]:
    """The words of a line with their places, one by one. ValueError for a quote that is not
    closed.
    """
    for word_match in _WORD.finditer(text):
        single, double, plain = word_match.groups()
        if plain is not None and plain[0] in "'\"":
            raise ValueError(f"{plain} begins with a quote that is not closed")
        word = (
            plain
            if plain is not None
            else Quoted(double if single is None else single.replace("''", "'"))
        )
        yield PlacedWord(word, word_match.start())


# The end of a command that is about its output: > FILE, >> FILE, >! FILE, | PROGRAM, \SETTING
# VALUE.
#
# Such a mark is a word of its own outside quotes and parentheses, as the lexer of the command
# divides it. It counts only after a command without syntax errors: otherwise nothing is written or
# started, and the whole text is the command.

_BEGINS = (">", ">>", ">!", "|")
_SETTINGS = frozenset(f"\\{name}" for name in SETTINGS)


class Output(Struct, frozen=True):
    """Where the output of one command goes; all blank for the screen. `replaces`: without a
    question.
    """

    file: str = ""
    append: bool = False
    replaces: bool = False
    pipe: str = ""

    @property
    def is_screen(self) -> bool:
        return not (self.file or self.pipe)


def split_output(text: str, settings: Settings) -> tuple[str, Output, Settings]:
    """A command without its redirections, its output, and the settings for this command."""
    output, end = Output(), len(text)
    starts: list[int] = []
    for word, start in _marks(text):
        if word in _BEGINS:
            output, end = output_of(word, text[start + len(word) :].strip()), start
            break
        starts.append(start)
    for start, beyond in pairwise([*starts, end]):
        name, *value = text[start + 1 : beyond].split(maxsplit=1)
        settings = settings.changed(name, value[0].strip() if value else "")
    return _before(text, starts[0] if starts else end), output, settings


def _marks(text: str) -> Iterator[PlacedWord]:
    """The marks after a valid command, with their places."""
    begun = _WATCH.match(text) or _selection_of(text)
    if begun is not None:
        # A name takes the place of {} in the command of a foreach.
        command = text[begun.end() :].replace(PLACE, "_" * len(PLACE))
        yield from (PlacedWord(word, begun.end() + start) for word, start in _marks(command))
        return
    if first_word(text) == FOREACH:
        return
    # The parameters of `explain trigger(...)` are written as in MQSC.
    own = is_own_command(text) and not (first_word(text) == "explain" and "(" in text)
    yield from _marks_of_own(text) if own else _marks_of_mqsc(text)


def _is_mark(word: str) -> bool:
    return word in _BEGINS or word in _SETTINGS


def _marks_of_own(text: str) -> Iterator[PlacedWord]:
    try:
        yield from (
            each
            for each in placed_words(text)
            if _is_mark(each.text) and not isinstance(each.text, Quoted)
        )
    except ValueError:
        # Of the words before the open quote, none was a redirection: the command itself reports the
        # quote.
        return


def _marks_of_mqsc(text: str) -> Iterator[PlacedWord]:
    lines = [each for each in logical_lines(text.split("\n")) if isinstance(each, LogicalLine)]
    if len(lines) != 1:
        return
    (line,) = lines
    marks = [
        PlacedWord(word.value, _offset(text, *line.position(word.start_pos or 0)))
        for word in words_of_command(line)
        if word.type == "KEYWORD" and _is_mark(word)
    ]
    # What closes a parenthesis is not about the output: the text before may end in a question mark
    # by chance.
    rest = text[marks[0].start :] if marks else ""
    if marks and is_command(_before(text, marks[0].start)) and rest.count(")") <= rest.count("("):
        yield from marks


def _offset(text: str, line: int, column: int) -> int:
    """The offset in a text of several lines of a line and column, both from 1."""
    return sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column - 1


def _before(text: str, place: int) -> str:
    """The command before a mark, without the continuation of the line before."""
    command = text[:place].rstrip()
    is_continued = "\n" in text[len(command) : place] and command.endswith(("+", "-"))
    return command[:-1].rstrip() if is_continued else command


def output_of(mark: str, target: str) -> Output:
    """The output after one of the marks; SettingError."""
    if not target:
        what = "a shell command" if mark == "|" else "a file"
        raise SettingError(f"{mark} must be followed by {what}")
    if mark == "|":
        return Output(pipe=target)
    try:
        words = words_of(target)
    except ValueError as error:
        raise SettingError(str(error)) from error
    if len(words) > 1:
        raise SettingError(f"{mark} takes one file; a name with blanks must be in quotes")
    return Output(file=os.path.expanduser(words[0]), append=mark == ">>", replaces=mark == ">!")


# `foreach OBJECT(NAME) [WHERE(...)] DO COMMAND`.

# After `use`, the names that foreach found would be names of another queue manager.
_ALONE = frozenset({"watch", FOREACH, "use"})


def _selection_of(text: str) -> re.Match[str] | None:
    """The DO of a foreach, after a valid selection; None for another command."""
    return selection_of(text) if first_word(text) == FOREACH else None


def split_foreach(text: str) -> tuple[str, str]:
    """The DISPLAY that selects the objects, and the command for each; SettingError."""
    try:
        selection, command = for_each.split_foreach(text)
    except for_each.ForEachError as error:
        raise SettingError(str(error)) from error
    return selection, _repeatable(command)


def _repeatable(command: str) -> str:
    """A command for another one to repeat; SettingError if it works only alone."""
    word = first_word(command)
    if word[:1] in ("!", "\\") or word in _ALONE:
        raise SettingError(f"{word} works only as a command of its own")
    return command


# `watch [SECONDS] COMMAND`.

# What is before the command: the word itself and the seconds.
_WATCH = re.compile(r"\s*watch\s+(?:(\d+(?:\.\d+)?)s?\s+)?", re.IGNORECASE)
_DEFAULT_SECONDS = 2.0
_LEAST_SECONDS = 0.1


class WatchError(ValueError):
    """The text after `watch` is not a command."""


def read_watch(text: str) -> tuple[float, str]:
    """The interval in seconds and the command to repeat; ValueError if there is none."""
    found = _WATCH.match(text)
    command = text[found.end() :].strip() if found else ""
    if found is None or not command:
        raise WatchError("watch needs a command, for example: watch 2 DISPLAY QSTATUS(*) CURDEPTH")
    return max(float(found[1] or _DEFAULT_SECONDS), _LEAST_SECONDS), _repeatable(command)


# A number after `browse`: the browse of that message.

# The numbers of messages in a browse, which are no values of options.
_NUMBERS = re.compile(r"(\s--\S+\s+\S+)|\s+\d+(?!\S)")


def without_numbers(browse: str) -> str:
    """A browse command without the numbers of messages, to which one can be added."""
    return _NUMBERS.sub(r"\1", browse)
