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
_ON_OR_OFF = ("on", "off")
# Typed after a backslash, alone on a line: name, what it takes, what it does.
BACKSLASH = {
    "tee": ("[FILE]", "Copy all output to FILE as well, until \\tee without a file."),
    "once": ("FILE | '| PROGRAM'", "Send the output of the next command there."),
    "e": (
        "[COMMAND]",
        "Edit the command, or the last one, with $VISUAL or $EDITOR; Ctrl-X Ctrl-E edits what is typed.",
    ),
    "f": ("[NAME]", "Run a saved command, or list them."),
    "fs": ("NAME COMMAND", "Save a command under a name."),
    "fd": ("NAME", "Delete a saved command."),
}
# Settings are typed after a backslash: alone for the session, after a command for that command.
SETTINGS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "format": (config.SHELL_FORMATS, "How output is shown; classic is runmqsc's layout."),
    "sort": (
        (),
        "Sort tables by this attribute; -ATTRIBUTE for descending order, nothing for none.",
    ),
    "timing": (_ON_OR_OFF, "Show how long each command took."),
    "pager": (_ON_OR_OFF, "Show output longer than the screen with $PAGER or less."),
    "keys": (("emacs", "vi"), "The keys for editing."),
    "system": (_ON_OR_OFF, "Whether DISPLAY of * shows SYSTEM objects."),
}
OUTPUT = [
    (
        "COMMAND > FILE",
        "Write the output to a file; >> appends to it, >! replaces it without a question.",
    ),
    ("COMMAND | PROGRAM", "Send the output to a program, through your shell."),
    ("! COMMAND", "Run a command of your own shell; ! alone starts one."),
    ("help DEFINE QLOCAL", "The syntax of a command; help DEFINE lists its objects."),
    ("help TRIGTYPE, help 2053", "The meaning of a keyword, value, code, message or concept."),
]
KEYS = [
    ("Tab", "complete"),
    ("Right", "take the suggestion from the history"),
    ("Ctrl-R", "search the history"),
    ("Ctrl-X Ctrl-E", "edit in your editor"),
    ("Ctrl-C", "clear the line, or stop a command"),
    ("Ctrl-D", "leave"),
]


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
