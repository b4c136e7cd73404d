"""The terminal and output as JSON: widths, colours, the layout of help, and the options that all
commands have.
"""

from __future__ import annotations

import io
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from mqsc.console.elsewhere import Elsewhere

if TYPE_CHECKING:
    from mqsc.store.client.api import QueueManager

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
    # A command that nobody can hear does what it was asked for, and ends with its own code.
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


# The layout of `--help`: click's, but in one column on a terminal that is too narrow for two.

# Below this width a column for the options leaves too little for what they mean.
_NARROW = 60
_HANGING = "    "


class HelpFormatter(click.HelpFormatter):
    """Breaks lines between words only, at any width."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if self.width >= _NARROW:
            super().write_usage(prog, args, prefix)
            return
        for line in wrapped(
            " ".join(f"Usage: {prog} {args}".split()),
            self.width,
            hanging=_HANGING,
        ):
            self.write(f"{line}\n")

    def write_text(self, text: str) -> None:
        """As click does, but also break lines that do not fit where a command asks to keep its lines."""
        start = len(self.buffer)
        super().write_text(text)
        lines = "".join(self.buffer[start:]).split("\n")
        self.buffer[start:] = ["\n".join(part for line in lines for part in self._fitting(line))]

    def _fitting(self, line: str) -> Iterator[str]:
        indent = line[: len(line) - len(line.lstrip())]
        yield from (
            [line]
            if len(line) <= self.width
            else wrapped(line.strip(), self.width, indent, indent + _HANGING)
        )

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = 30,
        col_spacing: int = 2,
    ) -> None:
        if self.width >= _NARROW:
            super().write_dl([*rows], col_max, col_spacing)
            return
        indent = " " * self.current_indent
        for term, meaning in rows:
            lines = [
                *wrapped(term, self.width, indent),
                *wrapped(meaning, self.width, indent + _HANGING),
            ]
            self.write("".join(f"{line}\n" for line in lines if line.strip()))


# The values of the options that all commands have.


class Choices(NamedTuple):
    """The values of the common options; None for an option that was not given."""

    store: str | None = None
    qmgr: str | None = None
    format: str | None = None
    quiet: bool | None = None
    user: str | None = None
    # Whether the store is a copy as it was in the past.
    is_past: bool = False
    # The queue manager of IBM MQ elsewhere of which the store is a copy.
    elsewhere: Elsewhere | None = None

    def store_url(self) -> str:
        """The URL of the store: --store, else MQSC_STORE, else that of the settings, else
        `default_store`.
        """
        from mqsc.store.client.store_url import url_of

        return url_of(self.named_store() or default_store())

    def named_store(self) -> str:
        """The store that --store, MQSC_STORE or the settings name; blank if none does."""
        named = self.store or os.environ.get("MQSC_STORE")
        if named:
            return named
        from mqsc.console.config import value

        return os.path.expanduser(str(value("store")))

    def store_is_missing(self) -> bool:
        """Whether the store is in a file that does not exist."""
        from mqsc.store.client.store_url import path_of

        path = path_of(self.store_url())
        return path is not None and not os.path.exists(path)

    def qmgr_name(self) -> str | None:
        """The queue manager named by --qmgr or MQSC_QMGR; None means the store's default."""
        return self.qmgr or os.environ.get("MQSC_QMGR") or None

    def user_name(self) -> str | None:
        """The user to act as, named by --user or MQSC_USER; None for who runs the command, also
        for a blank `user`.
        """
        return (os.environ.get("MQSC_USER") if self.user is None else self.user) or None

    def bring_messages(self, qmgr: QueueManager, pattern: str) -> None:
        """Have the messages of queues elsewhere in the copy; all others are in the store already."""
        if self.elsewhere is not None:
            self.elsewhere.bring_messages(qmgr, pattern)

    def bring_states(self, qmgr: QueueManager) -> None:
        """Have the depths and handles of queues elsewhere in the copy."""
        if self.elsewhere is not None:
            self.elsewhere.bring_states(qmgr)

    def inform(self, sentence: str) -> None:
        """Print an informational message on stderr, unless --quiet was given."""
        if not self.quiet:
            notice(sentence)


def default_store() -> str:
    """The path of the default store in the user's data folder, which is created readable by the
    user only.
    """
    from platformdirs import user_data_path

    folder = user_data_path("mqsc", appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(folder / "mqsc.db")


def choices_of(context: click.Context) -> Choices:
    """The values of the common options given so far."""
    return context.ensure_object(Choices)


# Data on stdout. As JSON: one array with an element per line, or an object per line; each is written
# immediately. As CSV: one table, written when all rows are known.

JSON_FORMATS = ("json", "jsonl")
CSV_FORMAT = "csv"
# Formats that a program reads: their output has no sentences.
DATA_FORMATS = (*JSON_FORMATS, CSV_FORMAT)


def picked(record: object, names: str) -> dict[str, Any]:
    """The attributes of a record with these names, as data."""
    values = {name: getattr(record, name) for name in names.split()}
    return {name: [*value] if isinstance(value, tuple) else value for name, value in values.items()}


def position_row(position: tuple[int, int] | None) -> dict[str, int] | None:
    """The position of an error as data."""
    return None if position is None else {"line": position[0], "column": position[1]}


def print_data(format: str | None, rows: Iterable[Mapping[str, Any]]) -> bool:
    """Write the rows to stdout if the format is json, jsonl or csv; False, and no row is computed,
    if it is another one.
    """
    if format == CSV_FORMAT:
        print_csv(rows)
        return True
    with json_rows(format) as output:
        if output is not None:
            for row in rows:
                output.write(row)
    return output is not None


def print_csv(rows: Iterable[Mapping[str, Any]], out: TextIO | None = None) -> None:
    """Write the rows as CSV to `out`, by default stdout; on a terminal, every cell is escaped."""
    from mqsc.console.csv_rows import write_csv  # most commands do without

    stream = out or sys.stdout
    write_csv(rows, stream, printable if is_terminal(stream) else str)


def print_rows(format: str | None, rows: Iterable[Mapping[str, Any]], lines: Iterable[str]) -> None:
    """Write the rows to stdout if the format is json, jsonl or csv, otherwise the lines, as
    `print_line` does.

    A line end in a line is one of its data, and escaped.
    """
    if not print_data(format, rows):
        for line in lines:
            print_line(printable(line))


@contextmanager
def json_rows(format: str | None) -> Iterator[JsonRows | None]:
    """Write rows to stdout one by one, for a command that does more with each; None if the
    format is not JSON.

    UsageError for CSV, whose heading is known only after the last row.
    """
    if format == CSV_FORMAT:
        raise click.UsageError(
            "this command prints its rows one by one, so it has no --format csv; use jsonl",
        )
    if format not in JSON_FORMATS:
        yield None
        return
    with JsonRows(sys.stdout, array=format == "json") as rows:
        yield rows


class JsonRows:
    """Writes objects to `out`; with `array`, entering and leaving the context writes the
    brackets.
    """

    def __init__(self, out: TextIO, *, array: bool) -> None:
        self._out = out
        self._array = array
        # Escape non-ASCII characters on a terminal: some of them control it.
        self._ascii = is_terminal(out)
        self._written = 0

    def __enter__(self) -> JsonRows:
        if self._array:
            self._out.write("[")
        return self

    def __exit__(self, *_: object) -> None:
        self._out.write("\n]\n" if self._array else "")

    def write(self, row: Mapping[str, Any]) -> None:
        self.begin()
        self._out.write(self.text_of(row))
        self.finish()

    def text_of(self, row: Mapping[str, Any]) -> str:
        return json_text(row, ascii_only=self._ascii)

    def begin(self) -> None:
        """Write what separates an object from the one before it."""
        if self._array:
            self._out.write(",\n" if self._written else "\n")
        self._written += 1

    def finish(self) -> None:
        """Write what ends an object."""
        if not self._array:
            self._out.write("\n")
