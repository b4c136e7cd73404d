"""The commands, settings and keys that only the shell has, for the shell and for help on them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mqsc.console import config
from mqsc.store.table import cells


class OwnCommand(Struct, frozen=True):
    """A command of the shell.

    `takes` is its syntax after the name, `about` its help. A command of the command line has that
    as `path`. The output of a command that only `reads` is paged: leaving the pager ends the
    command.
    """

    name: str
    takes: str
    about: str
    path: tuple[str, ...] = ()
    reads: bool = False

    @property
    def usage(self) -> str:
        """What is typed."""
        return f"{self.name} {self.takes}".rstrip()


# The commands that only the shell has, or that do more in it: those on messages know its unit of
# work.
SHELL_COMMANDS = tuple(
    OwnCommand(name, takes, about, tuple(path.split()), bool(reads))
    for name, takes, about, path, reads in cells(
        __file__,
        "shell_commands.csv",
        ("name", "takes", "about", "path", "reads"),
        {"reads": ("", "yes")},
    )
)
_WORDS = cells(
    __file__,
    "shell_words.csv",
    ("kind", "word", "takes", "about"),
    {"kind": ("setting", "backslash", "output", "key")},
)
# Typed after a backslash, alone on a line: name, what it takes, what it does.
BACKSLASH = {word: (takes, about) for kind, word, takes, about in _WORDS if kind == "backslash"}
# Settings are typed after a backslash: alone for the session, after a command for that command.
SETTINGS: Mapping[str, tuple[tuple[str, ...], str]] = {
    word: (
        config.SHELL_FORMATS if word == "format" else tuple(filter(None, takes.split("|"))),
        about,
    )
    for kind, word, takes, about in _WORDS
    if kind == "setting"
}
OUTPUT = [(word, about) for kind, word, _, about in _WORDS if kind == "output"]
KEYS = [(word, about) for kind, word, _, about in _WORDS if kind == "key"]


def setting_usage(name: str) -> tuple[str, str]:
    """What is typed for a setting, and what it is."""
    values, about = SETTINGS[name]
    return f"\\{name} {'|'.join(values) or '[ATTRIBUTE]'}", about


def backslash_usage(name: str) -> tuple[str, str]:
    """What is typed for a command after a backslash, and what it does."""
    takes, about = BACKSLASH[name]
    return f"\\{name} {takes}", about


def usage_of(word: str) -> tuple[str, str] | None:
    """What is typed for a word of the shell, with or without its backslash, and what it does."""
    name = word.lower().removeprefix("\\")
    if name in SETTINGS:
        return setting_usage(name)
    if name in BACKSLASH and (word.startswith("\\") or len(name) > 2):
        return backslash_usage(name)
    return next(((row.usage, row.about) for row in SHELL_COMMANDS if row.name == name), None)


def shell_words() -> list[str]:
    """The names of the commands and settings."""
    return [*(row.name for row in SHELL_COMMANDS), *SETTINGS, *BACKSLASH]
