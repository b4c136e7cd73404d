"""Output on the terminal: widths, characters that it cannot show, lines that fit it."""

from __future__ import annotations

import io
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TextIO

import click

# Control characters except tab, and the characters that reorder or hide text.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

# Between two columns.
_GAP = re.compile(r" {3,}")


def is_terminal(stream: Any) -> bool:
    """Whether `stream` is a terminal; False for a stream that is closed or has no isatty."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def is_screen(stream: Any) -> bool:
    """Whether `stream` is a terminal that can do more than print lines, by what TERM says."""
    return is_terminal(stream) and os.environ.get("TERM") not in (None, "", "dumb")


def printable(line: str) -> str:
    """`line` with control characters escaped as \\xNN or \\uNNNN, so that data cannot control
    the terminal.
    """
    return _CONTROL.sub(_escaped, line) if not line.isascii() or not line.isprintable() else line


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """The value as JSON in one line, with escapes for characters that control a terminal."""
    import json  # the help of a command does not need it

    text = json.dumps(value, ensure_ascii=ascii_only)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_utf8(stream: TextIO) -> TextIO:
    """`stream`, for text that a program will read as a file: in UTF-8, whatever the locale is,
    if no terminal.
    """
    if not is_terminal(stream) and isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8")
    return stream


def shown_on(stream: TextIO, text: str) -> str:
    """`text` for `stream`: on a terminal, its lines without control characters; elsewhere as it
    is.
    """
    return "\n".join(printable_lines(text)) if is_terminal(stream) else text


def printable_lines(text: str) -> list[str]:
    """The lines of `text`, each without control characters."""
    return [printable(line) for line in text.split("\n")]


def wrapped(text: str, width: int, indent: str = "", hanging: str | None = None) -> Iterator[str]:
    """`text` after `indent` as lines of at most `width`, broken between words; `hanging` begins the
    further lines.

    Only a word that is longer than that makes a longer line.
    """
    if len(indent) + len(text) <= width:
        yield indent + text
        return
    further = indent if hanging is None else hanging
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
    )


def packed(
    items: Iterable[str],
    separator: str,
    width: int,
    indent: str = "",
    hanging: str | None = None,
) -> Iterator[str]:
    """The items after `indent` with `separator` between them, as lines of at most `width`, broken
    between items; `hanging` begins the further lines.

    An item is broken between words only if it is longer than a line.
    """
    further = indent if hanging is None else hanging
    end = separator.rstrip()
    line, begin = "", indent
    for item in items:
        longer = f"{line}{separator}{item}" if line else item
        if line and len(begin) + len(longer) + len(end) > width:
            yield from wrapped(f"{line}{end}", width, begin, further)
            line, begin = item, further
        else:
            line = longer
    if line:
        yield from wrapped(line, width, begin, further)


def fitted(line: str, width: int) -> Iterator[str]:
    """A line of one or two columns as lines of at most `width`: a line for each column, broken
    between words.
    """
    if len(line) <= width:
        yield line
        return
    indent = line[: len(line) - len(line.lstrip())]
    for column in _GAP.split(line.strip()):
        yield from wrapped(column, width, indent, f"{indent}    ")


def print_line(line: str, hanging: str = "    ") -> None:
    """Print a line on stdout, escaped; on a terminal broken between words, where `hanging`
    begins further lines.
    """
    for part in wrapped("\n".join(printable_lines(line)), columns(), hanging=hanging):
        click.echo(part)


def notice(sentence: str) -> None:
    """Print a sentence on stderr, escaped; broken between words if that is a terminal."""
    lines = printable_lines(sentence)
    if is_terminal(sys.stderr):
        lines = [part for line in lines for part in wrapped(line, terminal_width(), hanging="    ")]
    # Without stderr a command still does its work, and ends with its own code.
    with suppress(OSError):
        for line in lines:
            click.echo(line, err=True)


def columns() -> int:
    """The maximum width of a table on stdout: the terminal's; unlimited elsewhere, because
    programs read lines.
    """
    return terminal_width() if is_terminal(sys.stdout) else sys.maxsize


def terminal_width() -> int:
    """The width of the terminal, or what the environment says it is."""
    from shutil import get_terminal_size  # imports what the help of a command does not need

    return get_terminal_size().columns


def _escaped(character: re.Match[str]) -> str:
    number = ord(character.group())
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
