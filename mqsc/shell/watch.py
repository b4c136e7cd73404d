"""The command `watch` of the shell: repeats a command, redraws the screen, and marks the words that
changed.
"""

import re
import shutil
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from itertools import accumulate
from os import terminal_size
from typing import TextIO

from rich.cells import cell_len

from mqsc.console.parameters import iso
from mqsc.console.terminal import is_screen
from mqsc.shell.pager import ScreenStream

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_WORD = re.compile(r"\S+")
# The heading with the line below it, and the line of the cursor.
_AROUND = 3
_CLEAR = "\x1b[H\x1b[2J"
_REVERSE = "\x1b[7m"
_NORMAL = "\x1b[0m"


def marked(line: str, before: str | None, mark: Callable[[str], str]) -> str:
    """A line with every word marked that differs from the word at the same place of the line
    before.
    """
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


class _Screenful(ScreenStream):
    """Text for a terminal, kept to be compared with the text before."""

    def __init__(self, screen: TextIO) -> None:
        super().__init__(screen)
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)


def watch_command(
    command: str,
    show: Callable[[], None],
    seconds: float,
    now: Callable[[], int],
) -> None:
    """Watch what `show` prints, until Ctrl-C, below the command and the time."""
    dumb = not is_screen(sys.stdout)

    def once() -> list[str]:
        buffer = _Screenful(sys.stdout)
        with redirect_stdout(buffer):
            show()
        return buffer.text.splitlines()

    def heading() -> str:
        name = f"every {seconds:g} s: {command}"
        room = max(shutil.get_terminal_size().columns - 24, 8)
        return f"{name[:room]}  {iso(now())[:19].replace('T', ' ')}"

    try:
        watch(
            once,
            sys.stdout,
            seconds=seconds,
            heading=heading,
            size=None if dumb else shutil.get_terminal_size,
        )
    except KeyboardInterrupt:
        sys.stdout.write("\n")


def watch(
    once: Callable[[], list[str]],
    screen: TextIO,
    *,
    seconds: float,
    heading: Callable[[], str],
    size: Callable[[], terminal_size] | None,
) -> None:
    """Show the lines of `once` again and again, until Ctrl-C; at most as many as a screen of that
    size has.

    A terminal that cannot be cleared has no size: it gets all lines one below the other, with
    changed words between asterisks.
    """
    before: list[str] = []
    never = threading.Event()
    mark = (f"{_REVERSE}{{}}{_NORMAL}" if size else "*{}*").format
    while True:
        lines = once()
        known = [before[index] if index < len(before) else None for index in range(len(lines))]
        shown = [
            marked(line, old if before else line, mark)
            for line, old in zip(lines, known, strict=True)
        ]
        if size:
            shown = _fitting(shown, size())
        screen.write(
            "".join([_CLEAR if size else "", *(f"{line}\n" for line in (heading(), "", *shown))]),
        )
        screen.flush()
        before = [_STYLE.sub("", line) for line in lines]
        never.wait(seconds)


def _fitting(lines: list[str], size: terminal_size) -> list[str]:
    """The lines that fit below the heading, where one that is too long takes several, and how
    many are left out.
    """
    room = size.lines - _AROUND
    ends = [
        *accumulate(max(-(-cell_len(_STYLE.sub("", line)) // size.columns), 1) for line in lines),
    ]
    if not lines or ends[-1] <= room:
        return lines
    kept = sum(end < room for end in ends)
    return [*lines[:kept], f"… {len(lines) - kept} more lines"]
