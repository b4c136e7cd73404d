"""The end of a command that is about its output: > FILE, >> FILE, >! FILE, | PROGRAM, \\SETTING
VALUE.

Such a mark is a word of its own outside quotes and parentheses, as the lexer of the command divides
it. It counts only after a command without syntax errors: otherwise nothing is written or started,
and the whole text is the command.
"""

import os
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from mqsc.console.object_names import Quoted
from mqsc.console.shell_words import SETTINGS
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.parse import words_of_command
from mqsc.scripts.for_each import FOREACH, PLACE
from mqsc.scripts.one_command import is_command
from mqsc.shell.own_commands import first_word, is_own_command
from mqsc.shell.quoted_words import PlacedWord, placed_words, words_of
from mqsc.shell.repeated_commands import WATCH, foreach_selection
from mqsc.shell.settings import SettingError, Settings

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
    begun = WATCH.match(text) or foreach_selection(text)
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
