"""`watch`: repeats a command, redraws the screen, and marks the words that changed."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from itertools import accumulate
from os import terminal_size
from typing import TextIO

from rich.cells import cell_len

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
    """What is typed after `watch` is not a command."""


def read_watch(text: str) -> tuple[float, str]:
    """The interval in seconds and the command to repeat; ValueError if there is none."""
    found = WATCH.match(text)
    command = text[found.end() :].strip() if found else ""
    if found is None or not command:
        raise WatchError("watch needs a command, for example: watch 2 DISPLAY QSTATUS(*) CURDEPTH")
    return max(float(found[1] or DEFAULT_SECONDS), LEAST_SECONDS), command


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
