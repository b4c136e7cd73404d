"""The commands that the shell has beside MQSC, as rows. Loaded before the first prompt, so it imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from store.table import table


class OwnCommand(Struct, frozen=True):
    """A command of the shell.

    `takes` is its syntax after the name, `about` its help. A command of the command line has that as `path`;
    `subcommands` are the ones of a group that make sense inside a shell. The output of a command that only `reads` is
    paged: leaving the pager ends the command.
    """

    name: str
    takes: str
    about: str
    path: tuple[str, ...] = ()
    subcommands: tuple[str, ...] = ()
    reads: bool = False


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ROWS = tuple(
    OwnCommand(name, takes, about, _words(path), _words(subcommands), bool(reads))
    for name, takes, about, path, subcommands, reads in map(dict.values, table(__file__, "own_commands.csv"))
)
OWN_COMMANDS: Mapping[str, OwnCommand] = {row.name: row for row in ROWS}

# Settings are typed after a backslash: alone for the session, after a command for that command.
FORMATS = ("table", "vertical", "classic", "json", "csv")
SETTINGS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "format": (FORMATS, "How DISPLAY is shown; classic is runmqsc's layout."),
    "sort": ((), "Sort tables by this attribute; -ATTRIBUTE for descending order, nothing for none."),
    "timing": (("on", "off"), "Show how long each command took."),
    "pager": (("on", "off"), "Show output longer than the screen with $PAGER or less."),
    "keys": (("emacs", "vi"), "The keys for editing."),
}


class OwnCommandError(Exception):
    """A command of the shell failed; the text says why, a line for each sentence."""


def first_word(text: str) -> str:
    """The first word of a command in lower case."""
    words = text.split(maxsplit=1)
    return words[0].lower() if words else ""


def is_own_command(text: str) -> bool:
    """Whether the text is for the shell itself: a command of its own, a setting, or a question."""
    word = first_word(text)
    return word.startswith(("\\", "?")) or (word in OWN_COMMANDS and word != "end")
