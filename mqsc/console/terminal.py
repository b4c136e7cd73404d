"""Output for a terminal: its width, and text without control characters."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
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


def printable(line: str) -> str:
    """`line` with control characters escaped as \\xNN or \\uNNNN, so that data cannot control the terminal."""
    return _CONTROL.sub(_escaped, line) if not line.isascii() or not line.isprintable() else line


def shown_on(stream: TextIO, text: str) -> str:
    """`text` for `stream`: on a terminal, its lines without control characters; elsewhere as it is."""
    return "\n".join(printable_lines(text)) if is_terminal(stream) else text


def printable_lines(text: str) -> list[str]:
    """The lines of `text`, each without control characters."""
    return [printable(line) for line in text.split("\n")]


def wrapped(text: str, width: int, indent: str = "", hanging: str | None = None) -> Iterator[str]:
    """`text` after `indent` as lines of at most `width`, broken between words; `hanging` begins the further lines.

    Only a word that is longer than that makes a longer line.
    """
    if len(indent) + len(text) <= width:
        yield indent + text
        return
    further = indent if hanging is None else hanging
    yield from textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )


def fitted(line: str, width: int) -> Iterator[str]:
    """A line of one or two columns as lines of at most `width`: a line for each column, broken between words."""
    if len(line) <= width:
        yield line
        return
    indent = line[: len(line) - len(line.lstrip())]
    for column in _GAP.split(line.strip()):
        yield from wrapped(column, width, indent, f"{indent}    ")


def print_line(line: str, hanging: str = "    ") -> None:
    """Print a line on stdout: on a terminal escaped and broken between words, where `hanging` begins further lines."""
    for part in wrapped(shown_on(sys.stdout, line), columns(), hanging=hanging):
        click.echo(part)


def notice(sentence: str) -> None:
    """Print a sentence on stderr: escaped, and broken between words, if that is a terminal."""
    if is_terminal(sys.stderr):
        for line in printable_lines(sentence):
            for part in wrapped(line, shutil.get_terminal_size().columns, hanging="    "):
                click.echo(part, err=True)
    else:
        click.echo(sentence, err=True)


def columns() -> int:
    """The maximum width of a table on stdout: the terminal's; unlimited elsewhere, because programs read lines."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else sys.maxsize


def _escaped(found: re.Match[str]) -> str:
    number = ord(found.group())
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
