"""The shell's own commands: which they are, and what they only read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from mqsc.console import commands, object_names
from mqsc.console.options import Choices, say_word_of_today
from mqsc.console.shell_words import SHELL_COMMANDS, OwnCommand
from mqsc.console.text.reasons import error_text
from mqsc.shell.settings import SettingError, Settings
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.error import MQError

# All others are commands of the command line, with their options. These change nothing, and neither
# do subcommands with such names.
_READING = frozenset(
    "amqsbcg bisect blame browse check depth diff dmpmqaut dmpmqcfg dspmq dspmqaut expiry export "
    "history mqrc pcf "
    "poison trace".split(),
)
_READING_SUBCOMMANDS = frozenset({"show", "explain", "list", "map", "test", "verify"})
OWN_COMMANDS: Mapping[str, OwnCommand] = {
    **{
        name: OwnCommand(name, "", row.about, (name,), name in _READING)
        for name, row in commands.commands_in().items()
    },
    **{row.name: row for row in SHELL_COMMANDS},
}
# The first words of commands of MQSC that are commands of the shell otherwise.
_ALSO_MQSC = {"archive": "log", "backup": "cfstruct"}


class OwnCommandError(Exception):
    """A command of the shell failed; the text says why, a line for each sentence."""


def first_word(text: str) -> str:
    """The first word of a command in lower case."""
    words = text.split(maxsplit=1)
    return words[0].lower() if words else ""


def in_words_of_today(text: str) -> str:
    """The command; if it begins with an earlier word, with the word of today, which a line on
    stderr says.
    """
    word = first_word(text)
    now = commands.EARLIER_WORDS.get(word)
    if now is None:
        return text
    say_word_of_today(word, now)
    return f"{now}{text.lstrip()[len(word) :]}"


def is_own_command(text: str) -> bool:
    """Whether the text is for the shell itself: a command of its own, a setting, or a question."""
    word, second = (*text.lower().split(maxsplit=2), "", "")[:2]
    if word.startswith(("\\", "?", "!")):
        return True
    is_mqsc = word == "end" or (word in _ALSO_MQSC and second.startswith(_ALSO_MQSC[word]))
    return word in OWN_COMMANDS and not is_mqsc


def check_layout(command: str, settings: Settings, session: Settings) -> None:
    """SettingError if a command is not DISPLAY, and has settings after it that only DISPLAY
    observes.
    """
    is_shown = is_own_command(command) and first_word(command) not in ("watch", "foreach")
    if not is_shown or settings.layout == session.layout:
        return
    if settings.data_format is None or settings.sort != session.sort:
        raise SettingError(
            "this command is shown as text or with \\format json, jsonl or csv; \\sort is for "
            "DISPLAY",
        )


def only_reads(command: str) -> bool:
    """Whether a command of the shell or of MQSC only reads, so that leaving the pager may end
    it.
    """
    row = OWN_COMMANDS.get(first_word(command))
    if row is not None or is_own_command(command):
        shows = (
            row is None or row.reads or not _READING_SUBCOMMANDS.isdisjoint(_subcommand(command))
        )
        return shows and "--follow" not in command
    return first_word(command) in ("display", "dis") or command.rstrip().endswith("?")


def _subcommand(command: str) -> set[str]:
    """The second word of a command if it is the name of a command in a group."""
    return {*command.lower().split()[1:2]} & commands.commands_in(first_word(command)).keys()


NO_QUEUE_MANAGER = "This store has no queue manager; qmgr create NAME makes one."


def queue_manager_named(store: Store, name: str) -> QueueManager:
    """A queue manager of the store, by its name as it is typed; OwnCommandError lists those that
    there are.
    """
    names = [row.name for row in store.queue_managers()]
    try:
        return store.queue_manager(
            name if name in names or isinstance(name, object_names.Quoted) else name.upper(),
        )
    except MQError as error:
        known = f"This store has {', '.join(names)}." if names else NO_QUEUE_MANAGER
        raise OwnCommandError(f"{error_text(error)} {known}") from error


# Runs `mqsc` with arguments and returns the exit code; it also takes the name of the command in the
# shell, for errors.
RunCommand = Callable[[list[str], str], int]


class SessionSurroundings(Struct, frozen=True):
    """What a session needs of the command line and the terminal; `ask` asks a question that is
    answered yes or no.
    """

    choices: Choices
    run: RunCommand
    ask: Callable[[str], bool]
