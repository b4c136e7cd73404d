"""Where the output of a command goes: the pager, a file or a program; and `watch`, which repeats a command."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from itertools import accumulate, pairwise
from os import terminal_size
from pathlib import Path
from typing import IO, Any, TextIO

import click
from msgspec import Struct
from rich.cells import cell_len

from grammar.lines import LogicalLine, logical_lines
from grammar.parse import parse_command, words_of_command
from grammar.tree import SyntaxFault
from mqsc.console.config import value
from mqsc.console.object_names import Quoted
from mqsc.console.terminal import is_terminal
from mqsc.language.refusal import CommandRefusal
from mqsc.shell.command_text import PlacedWord, SettingError, Settings, placed_words, words_of
from mqsc.shell.own_commands import SETTINGS, first_word, is_own_command
from mqsc.verbs.analysis import analyse

# less keeps colours, ends by itself when everything fits, and leaves the text on the screen.
_PAGER_DEFAULTS = {"LESS": "FRX", "LV": "-c"}


class ScreenStream(io.TextIOBase):
    """A stream of text in front of the screen; like it in everything but what is written."""

    def __init__(self, screen: TextIO) -> None:
        self._screen = screen

    def isatty(self) -> bool:
        return is_terminal(self._screen)

    def fileno(self) -> int:
        return self._screen.fileno()

    def writable(self) -> bool:
        return True

    def copy(self, text: str) -> None:
        """Note text that is shown on the screen by something else, such as a pager."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._screen.encoding or "utf-8"


class PagerStream(ScreenStream):
    """Holds output until it is longer than the screen, then sends it to a pager; the terminal for everything else."""

    def __init__(self, screen: TextIO, command: list[str]) -> None:
        super().__init__(screen)
        self._command = command
        self._size = shutil.get_terminal_size()
        self._held: list[str] = []
        self._lines = 0
        self._pager: subprocess.Popen[bytes] | None = None

    def write(self, text: str) -> int:
        _check_is_text(text)
        if self._pager is not None:
            self._send(text)
            return len(text)
        self._held.append(text)
        self._lines += text.count("\n") + len(text) // (self._size.columns + 1)
        if self._lines >= self._size.lines - 1:
            self._start()
        return len(text)

    def _start(self) -> None:
        held, self._held = "".join(self._held), []
        try:
            environment = {**_PAGER_DEFAULTS, **self._charset(), **os.environ}
            self._pager = subprocess.Popen(self._command, stdin=subprocess.PIPE, env=environment)
        except OSError:
            # Without a pager the output is simply long.
            self._command, self._lines = [], -sys.maxsize
            self._screen.write(held)
            return
        self._send(held)

    def _charset(self) -> dict[str, str]:
        """What tells less that it gets UTF-8, which the locale C does not say: Python writes UTF-8 there, too."""
        return {"LESSCHARSET": "utf-8"} if self.encoding.lower().replace("-", "") == "utf8" else {}

    def _send(self, text: str) -> None:
        assert self._pager is not None
        assert self._pager.stdin is not None
        try:
            self._pager.stdin.write(text.encode(self.encoding, "backslashreplace"))
        except BrokenPipeError:
            # The user has left the pager, so the command can stop.
            raise click.exceptions.Exit(0) from None
        if isinstance(self._screen, ScreenStream):
            self._screen.copy(text)

    def finish(self) -> None:
        """Show what is held, or wait until the user leaves the pager."""
        if self._pager is None:
            self._screen.write("".join(self._held))
            self._held = []
            self._screen.flush()
            return
        assert self._pager.stdin is not None
        try:
            self._pager.stdin.close()
        except BrokenPipeError:
            self._held = []
        ended(self._pager)


def ended(program: subprocess.Popen[Any]) -> int:
    """The exit code of a program, when it has ended. Ctrl-C is for it alone."""
    # Not by catching KeyboardInterrupt: one that comes when the program has just ended would lose its exit code.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return program.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def pager_command() -> list[str]:
    """The user's pager by the settings; empty if there is none."""
    try:
        words = shlex.split(value("pager"))
    except ValueError:
        # A quote that is not closed: there is no such program.
        return []
    return words if words and shutil.which(words[0]) and os.environ.get("TERM", "dumb") != "dumb" else []


@contextmanager
def going_to(output: Output, *, paged: bool) -> Iterator[None]:
    """Send stdout to the output while the block runs; OSError if a file cannot be opened."""
    if output.file:
        mode = "a" if output.append else "w"
        with Path(output.file).open(mode, encoding="utf-8", errors="backslashreplace") as file, redirect_stdout(file):
            yield
        return
    if output.pipe:
        yield from _to_command(output.pipe)
        return
    command = pager_command() if paged and is_terminal(sys.stdout) else []
    if not command:
        yield
        return
    stream = PagerStream(sys.stdout, command)
    try:
        with redirect_stdout(stream):
            yield
    except click.exceptions.Exit:
        # The user has left the pager.
        return
    finally:
        stream.finish()


def _to_command(command: str) -> Iterator[None]:
    # The user typed this command for their shell, as in any other shell.
    started = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, text=True, errors="backslashreplace")
    assert started.stdin is not None
    try:
        with suppress(click.exceptions.Exit), redirect_stdout(_PipeStream(started.stdin)):
            yield
    finally:
        # head and the like read only the beginning.
        with suppress(BrokenPipeError):
            started.stdin.close()
        ended(started)


class _PipeStream(io.TextIOBase):
    """A pipe whose closed end ends the command that writes to it."""

    def __init__(self, pipe: IO[str]) -> None:
        self._pipe = pipe

    def write(self, text: str) -> int:
        _check_is_text(text)
        try:
            return self._pipe.write(text)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def flush(self) -> None:
        try:
            self._pipe.flush()
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def writable(self) -> bool:
        return True


def _check_is_text(text: object) -> None:
    """Refuse bytes: click recognises a stream of text by that."""
    if not isinstance(text, str):
        raise TypeError("a stream of text")


# The end of a command that is about its output: > FILE, >> FILE, >! FILE, | PROGRAM, \SETTING VALUE.
#
# Such a mark is a word of its own outside quotes and parentheses, as the lexer of the command divides it. It counts
# only after a command without syntax errors: otherwise nothing is written or started, and the whole text is the
# command.

_BEGINS = (">", ">>", ">!", "|")
_SETTINGS = frozenset(f"\\{name}" for name in SETTINGS)


class Output(Struct, frozen=True):
    """Where the output of one command goes; all blank for the screen. `replaces`: without a question."""

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
    begun = WATCH.match(text) or _selection_of(text)
    if begun is not None:
        # A name takes the place of {} in the command of a foreach.
        command = text[begun.end() :].replace(PLACE, "_" * len(PLACE))
        yield from (PlacedWord(word, begun.end() + start) for word, start in _marks(command))
        return
    if first_word(text) == _FOREACH:
        return
    # The parameters of `explain trigger(...)` are written as in MQSC.
    own = is_own_command(text) and not (first_word(text) == "explain" and "(" in text)
    yield from _marks_of_own(text) if own else _marks_of_mqsc(text)


def _is_mark(word: str) -> bool:
    return word in _BEGINS or word in _SETTINGS


def _marks_of_own(text: str) -> Iterator[PlacedWord]:
    try:
        yield from (each for each in placed_words(text) if _is_mark(each.text) and not isinstance(each.text, Quoted))
    except ValueError:
        # Of the words before the open quote, none was a redirection: the command itself reports the quote.
        return


def _marks_of_mqsc(text: str) -> Iterator[PlacedWord]:
    lines = [each for each in logical_lines(text.split("\n")) if isinstance(each, LogicalLine)]
    if len(lines) != 1:
        return
    (line,) = lines
    marks = [
        PlacedWord(word, _offset(text, *line.position(start)))
        for terminal, word, start, _ in words_of_command(line)
        if terminal == "KEYWORD" and _is_mark(word)
    ]
    # What closes a parenthesis is not about the output: the text before may end in a question mark by chance.
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


def is_command(text: str) -> bool:
    """Whether the text is one command without syntax errors, or a question about one."""
    if text.endswith("?"):
        return True
    lines = [each for each in logical_lines(text.split("\n")) if isinstance(each, LogicalLine)]
    try:
        found = [analyse(parse_command(each)) for each in lines]
    except SyntaxFault:
        return False
    return len(found) == 1 and not isinstance(found[0], CommandRefusal)


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


# `foreach OBJECT(NAME) [WHERE(...)] DO COMMAND`: a command for each object that DISPLAY finds.

_DO = re.compile(r"\sDO\s+", re.IGNORECASE)
_FOREACH = "foreach"
PLACE = "{}"


def _selection_of(text: str) -> re.Match[str] | None:
    """The DO of a foreach, after a valid selection; None for another command."""
    if first_word(text) != _FOREACH:
        return None
    return next((found for found in _DO.finditer(text) if is_command(_display(text[: found.start()]))), None)


def _display(text: str) -> str:
    """The DISPLAY that a foreach begins with."""
    return f"DISPLAY {text.split(maxsplit=1)[1] if ' ' in text.strip() else ''}"


def split_foreach(text: str) -> tuple[str, str]:
    """The DISPLAY that selects the objects, and the command for each; SettingError."""
    found = _selection_of(text)
    if found is None:
        example = "foreach QLOCAL(APP.*) WHERE(CURDEPTH GT 0) DO CLEAR QLOCAL({})"
        raise SettingError(f"foreach takes an object, a condition and a command: {example}")
    command = text[found.end() :].strip()
    if PLACE not in command:
        raise SettingError(f"the command after DO needs {PLACE} where the name goes, such as DO CLEAR QLOCAL({PLACE})")
    return _display(text[: found.start()]), _repeatable(command)


def _repeatable(command: str) -> str:
    """A command for another one to repeat; SettingError if it works only alone."""
    word = first_word(command)
    if word[:1] in ("!", "\\") or word in ("watch", _FOREACH):
        raise SettingError(f"{word} works only as a command of its own")
    return command


def with_name(command: str, name: str) -> str:
    """The command for an object, whose name is in quotes unless they are there already."""
    quoted = "'" + name.replace("'", "''") + "'"
    return command.replace(f"'{PLACE}'", quoted).replace(PLACE, quoted)


# `watch`: repeats a command, redraws the screen, and marks the words that changed.

# What is before the command: the word itself and the seconds.
WATCH = re.compile(r"\s*watch\s+(?:(\d+(?:\.\d+)?)s?\s+)?", re.IGNORECASE)
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_WORD = re.compile(r"\S+")
DEFAULT_SECONDS = 2.0
LEAST_SECONDS = 0.1
# The heading with the line below it, and the line of the cursor.
_AROUND = 3
_CLEAR, _REVERSE, _NORMAL = "\x1b[H\x1b[2J", "\x1b[7m", "\x1b[0m"


class WatchError(ValueError):
    """The text after `watch` is not a command."""


def read_watch(text: str) -> tuple[float, str]:
    """The interval in seconds and the command to repeat; ValueError if there is none."""
    found = WATCH.match(text)
    command = text[found.end() :].strip() if found else ""
    if found is None or not command:
        raise WatchError("watch needs a command, for example: watch 2 DISPLAY QSTATUS(*) CURDEPTH")
    return max(float(found[1] or DEFAULT_SECONDS), LEAST_SECONDS), _repeatable(command)


def marked(line: str, before: str | None, mark: Callable[[str], str]) -> str:
    """A line with every word marked that differs from the word at the same place of the line before."""
    plain = _STYLE.sub("", line)
    if before is None or plain == before:
        return line
    previous = {found.start(): found.group() for found in _WORD.finditer(before)}
    words = {found.group() for found in _WORD.finditer(before)}
    return _WORD.sub(
        lambda found: (
            found.group()
            if previous.get(found.start()) == found.group()
            or (found.start() not in previous and found.group() in words)
            else mark(found.group())
        ),
        plain,
    )


def watch(
    once: Callable[[], list[str]],
    screen: TextIO,
    *,
    seconds: float,
    heading: Callable[[], str],
    size: Callable[[], terminal_size] | None,
) -> None:
    """Show the lines of `once` again and again, until Ctrl-C; at most as many as a screen of that size has.

    A terminal that cannot be cleared has no size: it gets all lines one below the other, with changed words between
    asterisks.
    """
    before: list[str] = []
    never = threading.Event()
    mark = (f"{_REVERSE}{{}}{_NORMAL}" if size else "*{}*").format
    while True:
        lines = once()
        known = [before[index] if index < len(before) else None for index in range(len(lines))]
        shown = [marked(line, old if before else line, mark) for line, old in zip(lines, known, strict=True)]
        if size:
            shown = _fitting(shown, size())
        screen.write("".join([_CLEAR if size else "", *(f"{line}\n" for line in (heading(), "", *shown))]))
        screen.flush()
        before = [_STYLE.sub("", line) for line in lines]
        never.wait(seconds)


def _fitting(lines: list[str], size: terminal_size) -> list[str]:
    """The lines that fit below the heading, where one that is too long takes several, and how many are left out."""
    room = size.lines - _AROUND
    ends = [*accumulate(max(-(-cell_len(_STYLE.sub("", line)) // size.columns), 1) for line in lines)]
    if not lines or ends[-1] <= room:
        return lines
    kept = sum(end < room for end in ends)
    return [*lines[:kept], f"… {len(lines) - kept} more lines"]
