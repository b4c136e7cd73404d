"""The commands of the command line, and what help, completion, the manual page and the site say of each.

A row of commands.csv has the command; the module and the function that perform it, or the help of a group that only has
commands; the line about it; for a command on the first page, its place there, its task and a few words; and examples,
one a line. A test parses each of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from store.table import table

# The names of IBM's programs have a heading of their own on the first page.
_IBM = "IBM"
_ROWS = table(__file__, "commands.csv")
EXAMPLES: Mapping[str, tuple[str, ...]] = {row["command"]: tuple(row["examples"].split("\n")) for row in _ROWS}
_PLACED = sorted((row for row in _ROWS if row["place"]), key=lambda row: int(row["place"]))
# The commands by task, each in a few words.
TASKS: Mapping[str, Mapping[str, str]] = {
    task: {row["command"]: row["words"] for row in _PLACED if row["task"] == task}
    for task in dict.fromkeys(row["task"] for row in _PLACED)
    if task != _IBM
}
IBM_NAMES = [row["command"] for row in _PLACED if row["task"] == _IBM]


class CommandRow(NamedTuple):
    """Where a command is, and the line about it. A group that only has commands is nowhere: `help` is its help."""

    module: str
    function: str
    about: str
    help: str = ""


def commands_in(group: str = "") -> dict[str, CommandRow]:
    """The commands in a group by their last word; without a name, those of the command line."""
    rows = ((*row["command"].rpartition(" "), row) for row in _ROWS if row["command"])
    found = {name: row for path, _, name, row in rows if path == group}
    return {
        name: CommandRow(*row["target"].partition(":")[::2], row["about"], row["help"]) for name, row in found.items()
    }
