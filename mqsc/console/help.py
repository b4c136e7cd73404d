"""The texts of `--help`: the first page, the examples of each command, and the table of all
commands.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, pairwise, zip_longest
from typing import NamedTuple

from mqsc.console.commands import FUNCTIONS
from mqsc.console.terminal import wrapped
from mqsc.store.table import table

_INDENT = "  "
_CONTINUED = "      "
_GAP = 2

ABOUT = "An MQ-style queue manager in one SQLite file. Without a command: its shell."
OPTIONS = "--store URL  -m NAME  --format json|jsonl|csv  --quiet  --version"
EXAMPLE_LINE = "mqsc run -c 'DISPLAY QMGR'  mqsc put ORDERS hello  mqsc COMMAND -h"


def first_page(commands: Iterable[str], width: int) -> Iterator[str]:
    """The help of the command line as a whole: 24 lines if they may have 78 columns."""
    yield from wrapped("Usage: mqsc [OPTIONS] [COMMAND] [ARGS]...", width, hanging=_CONTINUED)
    yield from wrapped(ABOUT, width)
    yield from by_task(commands, width)
    for heading, text in (
        ("IBM:", " ".join(IBM_NAMES)),
        ("Options:", OPTIONS),
        ("Examples:", EXAMPLE_LINE),
    ):
        yield from wrapped(f"{heading} {text}", width, hanging=_INDENT)


def by_task(commands: Iterable[str], width: int) -> Iterator[str]:
    """The commands by task, in three columns where the width allows, or in two."""
    groups = {title: [*rows.items()] for title, rows in TASKS.items()}
    known = {name for rows in groups.values() for name, _ in rows} | set(IBM_NAMES)
    others = [(name, "") for name in commands if name not in known]
    if others:
        groups["More"] = others
    blocks = [
        [f"{title}:", *(f"{_INDENT}{name:<8} {about}".rstrip() for name, about in rows)]
        for title, rows in groups.items()
    ]
    for across in (3, 2, 1):
        columns = _in_columns(blocks, across)
        widths = [max(map(len, column)) + _GAP for column in columns]
        if sum(widths) - _GAP <= width:
            break
    for cells in zip_longest(*columns, fillvalue=""):
        yield "".join(f"{cell:<{room}}" for cell, room in zip(cells, widths, strict=True)).rstrip()


def _in_columns(blocks: list[list[str]], across: int) -> list[list[str]]:
    """The blocks in their order in so many columns, of which the longest is as short as
    possible.
    """
    cuts = ((0, *each, len(blocks)) for each in combinations(range(1, len(blocks)), across - 1))
    found = (
        [[*chain.from_iterable(blocks[low:high])] for low, high in pairwise(each)] for each in cuts
    )
    return min(found, key=lambda columns: max(map(len, columns)))


def example_lines(path: str, width: int) -> Iterator[str]:
    """The examples of a command, each on lines of at most `width` columns that a shell reads as
    one.
    """
    for example in EXAMPLES.get(path, ()):
        yield from _continued(example, width)


def _continued(example: str, width: int) -> Iterator[str]:
    """The example, broken between words with a backslash at the end of each line but the last."""
    line = _INDENT
    for word in _words(example):
        if line.strip() and len(line) + len(word) + len(" \\") > width:
            yield f"{line} \\"
            line = _CONTINUED
        line += word if not line.strip() else f" {word}"
    yield line


def _words(example: str) -> list[str]:
    """The words as they are written, with their quotes."""
    reader = shlex.shlex(example, posix=False, punctuation_chars=False)
    reader.whitespace_split = True
    reader.commenters = ""
    return [*reader]


# The commands of the command line, as help, completion, the manual pages and the site use them.
#
# A row of commands.csv has the command; the line about it; for a command on the first page, its
# place there, its task and a few words; the help of a group that only has commands; and examples,
# one a line. A test parses each of these. commands.py has the functions.

# The names of IBM's programs have a heading of their own on the first page.
_IBM = "IBM"
_ROWS = table(
    __file__, "commands.csv", ("command", "about", "place", "task", "words", "help", "examples")
)
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    row["command"]: tuple(row["examples"].split("\n")) for row in _ROWS
}
_PLACED = sorted((row for row in _ROWS if row["place"]), key=lambda row: float(row["place"]))
# The commands by task, each in a few words.
TASKS: Mapping[str, Mapping[str, str]] = {
    task: {row["command"]: row["words"] for row in _PLACED if row["task"] == task}
    for task in dict.fromkeys(row["task"] for row in _PLACED)
    if task != _IBM
}
IBM_NAMES = [row["command"] for row in _PLACED if row["task"] == _IBM]


class CommandRow(NamedTuple):
    """The module and function of a command, and its line. A group that only has commands has
    `help` instead.
    """

    module: str
    function: str
    about: str
    help: str = ""


def commands_ending_in(word: str) -> list[str]:
    """The commands of groups whose last word it is: of create, qmgr create."""
    return [row["command"] for row in _ROWS if row["command"].endswith(f" {word}")]


def commands_in(group: str = "") -> dict[str, CommandRow]:
    """The commands in a group by their last word; without a name, those of the command line."""
    rows = ((*row["command"].rpartition(" "), row) for row in _ROWS if row["command"])
    found = {name: row for path, _, name, row in rows if path == group}
    return {
        name: CommandRow(*_function_of(row["command"]), row["about"], row["help"])
        for name, row in found.items()
    }


def _function_of(command: str) -> tuple[str, str]:
    """The module and the name of the function of a command, both blank for a group that only
    has commands.
    """
    module, _, name = FUNCTIONS.get(command, "").partition(":")
    return module, name
