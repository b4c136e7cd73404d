"""The shell's own commands and settings, help and explain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from mqsc.console import help, object_names, parameters, past
from mqsc.console.options import Choices
from mqsc.console.shell_words import (
    BACKSLASH,
    KEYS,
    OUTPUT,
    SETTINGS,
    SHELL_COMMANDS,
    OwnCommand,
    backslash_usage,
    setting_usage,
)
from mqsc.console.terminal import DATA_FORMATS, HelpFormatter, wrapped
from mqsc.console.text.reasons import error_text
from mqsc.explain.subjects import is_attribute, topic_lines
from mqsc.language import command_table, reply
from mqsc.store.catalog.spelling import hint
from mqsc.store.client.api import QueueManager, Store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError
from mqsc.verbs.analysis import syntax_begun_by

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
        for name, row in help.commands_in().items()
    },
    **{row.name: row for row in SHELL_COMMANDS},
}
# The first words of commands of MQSC that are commands of the shell otherwise.
_ALSO_MQSC = {"archive": "log", "backup": "cfstruct"}

ON = {"on": True, "off": False}


class SettingError(ValueError):
    """A setting or redirection that is not valid; the text says what would be."""


class Settings(Struct, frozen=True):
    """How output is shown."""

    format: str = "table"
    sort: str = ""
    timing: bool = False
    pager: bool = True
    keys: str = "emacs"
    system: bool = True

    def changed(self, name: str, value: str) -> Settings:
        """These settings with another value; SettingError."""
        words, _ = _known(name)
        if words and value.lower() not in words:
            raise SettingError(
                f"\\{name} takes {', '.join(words[:-1])} or {words[-1]}, not '{value}'",
            )
        if name == "sort":
            _check_is_attribute(value.lstrip("-").upper())
            return replace(self, sort=value.upper())
        given: dict[str, Any] = {name: ON.get(value.lower(), value.lower())}
        return replace(self, **given)

    @property
    def data_format(self) -> str | None:
        """The value of --format for commands of the command line; None for text."""
        return self.format if self.format in DATA_FORMATS else None

    @property
    def layout(self) -> tuple[str, str]:
        """The settings that only DISPLAY observes."""
        return self.format, self.sort

    def shown(self, name: str) -> str:
        """The value of a setting as it is typed."""
        _known(name)
        value = getattr(self, name)
        return (
            str(value)
            if isinstance(value, str)
            else next(word for word, on in ON.items() if on is value)
        )


def _check_is_attribute(word: str) -> None:
    if word and not is_attribute(word):
        raise SettingError(
            f"\\sort takes an attribute that DISPLAY shows; there is no attribute {word}",
        )


def _known(name: str) -> tuple[tuple[str, ...], str]:
    if name not in SETTINGS:
        known = hint(f"\\{name}", [f"\\{each}" for each in SETTINGS], "use")
        raise SettingError(f"there is no setting \\{name}; {known}")
    return SETTINGS[name]


class OwnCommandError(Exception):
    """A command of the shell failed; the text says why, a line for each sentence."""


def first_word(text: str) -> str:
    """The first word of a command in lower case."""
    words = text.split(maxsplit=1)
    return words[0].lower() if words else ""


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
    return {*command.lower().split()[1:2]} & help.commands_in(first_word(command)).keys()


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


# Of these, the command in them is carried out or refused; or they lead elsewhere.
_IN_PAST = frozenset({"as-of", "on", "use", "watch", "foreach"})
_HERE = "here"


class PastInUse:
    """Whether the shell shows the past, or a target: `moment` is what the prompt says of that,
    blank for the present of the store. `target` is the name of the target, or blank.
    """

    def __init__(self) -> None:
        self.moment = ""
        self.target = ""
        self._copy = self._former = ExitStack()
        self._present: Store | None = None
        # The name of the queue manager of that store.
        self._name = ""

    def refuse(self, command: str) -> None:
        """OwnCommandError if the past is shown, and the command does not only read."""
        if self.moment and not (first_word(command) in _IN_PAST or only_reads(command)):
            raise OwnCommandError(
                reply.message_line(
                    command_table.ONLY_DISPLAYED,
                    first_word(command),
                    detail=self.shown,
                ),
            )

    @property
    def shown(self) -> str:
        """What can only be displayed."""
        return self.target or command_table.THE_PAST

    def go_to_target(
        self,
        choices: Choices,
        qmgr: QueueManager,
        words: list[str],
    ) -> QueueManager:
        """The queue manager of a target as it is now or, with `here`, that of the store again;
        OwnCommandError. The copy that was in use before stays until `leave_former`.
        """
        if words == [_HERE]:
            return self.go(choices, qmgr, ["now"])
        from mqsc.console.target import opened_queue_manager
        from mqsc.targets.declared import target_named
        from mqsc.targets.reading import read_target

        copy = ExitStack()
        try:
            (name,) = words
            state = copy.enter_context(read_target(choices, target_named(name)))
            elsewhere = copy.enter_context(opened_queue_manager(state.choices))
            state.bring_states(elsewhere)
        except ValueError as error:
            raise OwnCommandError("name one target, or here") from error
        except click.ClickException as error:
            raise OwnCommandError(error.format_message()) from error
        self._use(copy, qmgr, moment=name, target=name)
        return elsewhere

    def go(self, choices: Choices, qmgr: QueueManager, words: list[str]) -> QueueManager:
        """The queue manager as it was at a moment or, with `now`, as it is; OwnCommandError.

        The copy that was in use before stays until `leave_former`.
        """
        present = self._present_of(qmgr)
        copy = ExitStack()
        moment = ""
        past_queue_manager = None
        try:
            if words != ["now"]:
                when = parameters.EventOrMoment().read(" ".join(words))
                name = self._name if self.target else qmgr.name
                chosen = choices._replace(store=url_of_file(present.path or ""), qmgr=name)
                past_queue_manager = copy.enter_context(past.past_queue_manager(chosen, when))
                moment = parameters.iso(past_queue_manager.now() // MICROSECONDS * MICROSECONDS)
        except (ValueError, click.ClickException) as error:
            said = error.format_message() if isinstance(error, click.ClickException) else str(error)
            raise OwnCommandError(said) from error
        back = self._name if self.target else qmgr.name
        self._use(copy, qmgr, moment=moment)
        return past_queue_manager or present.queue_manager(back)

    def _present_of(self, qmgr: QueueManager) -> Store:
        """The store that the shell was started with."""
        return self._present if self.moment and self._present is not None else qmgr.store

    def _use(self, copy: ExitStack, qmgr: QueueManager, *, moment: str, target: str = "") -> None:
        self._present = self._present_of(qmgr)
        if not self.target:
            self._name = qmgr.name
        self._former = self._copy
        self._copy = copy
        self.moment = moment
        self.target = target

    def leave_former(self) -> None:
        self._former.close()

    def close(self) -> None:
        self._copy.close()


# `explain trigger(QUEUE) [if('put priority 5')]`, as one types it beside MQSC.

_EXPLAIN_TRIGGER = re.compile(
    r"explain\s+trigger\s*\(\s*([^()]*?)\s*\)(?:\s*if\s*\(\s*('(?:[^']|'')*')\s*\))?\s*;?",
    re.IGNORECASE,
)


def as_trigger_explain(text: str) -> str:
    """The command `trigger explain` that such a text stands for; other text as it is."""
    found = _EXPLAIN_TRIGGER.fullmatch(text)
    return (
        text
        if found is None
        else f"trigger explain {found[1]}{f' --if {found[2]}' if found[2] else ''}"
    )


# `help` and `?` in the shell: an overview, the syntax of a command, the meaning of a word.

# The share of the screen that the first of two columns may take.
_FIRST_COLUMN = 0.4


def help_lines(words: list[str], width: int, last: str) -> Iterator[str]:
    """Help on words of the shell or of MQSC; without words, an overview. A `?` alone asks about
    `last`, the last command.
    """
    if not words:
        yield from _overview(width)
        return
    if words == ["?"]:
        yield from _about_last(last, width)
        return
    name = words[0].lower().lstrip("\\")
    if name in OWN_COMMANDS and len(words) == 1:
        row = OWN_COMMANDS[name]
        yield from _pairs([(row.usage, row.about)], width)
        return
    if words[0].startswith("\\") and (name in SETTINGS or name in BACKSLASH):
        yield from _pairs(
            [setting_usage(name) if name in SETTINGS else backslash_usage(name)], width
        )
        return
    yield from topic_lines(words, width)


def _overview(width: int) -> Iterator[str]:
    yield from wrapped(
        "MQSC: type a command and press Enter. A line that ends in + or - continues.",
        width,
    )
    yield from wrapped(f"Verbs: {', '.join(sorted(command_table.COMMANDS))}.", width)
    yield ""
    yield from help.by_task(help.commands_in(), width)
    yield from wrapped(f"IBM's names: {' '.join(help.IBM_NAMES)}", width)
    yield "Of the shell:"
    yield from _pairs([(row.usage, row.about) for row in SHELL_COMMANDS], width)
    yield ""
    yield from _pairs([backslash_usage(name) for name in BACKSLASH], width)
    yield ""
    yield from wrapped("Settings, for the session or at the end of a command:", width)
    yield from _pairs([setting_usage(name) for name in SETTINGS], width)
    yield ""
    yield from _pairs(OUTPUT, width)
    yield ""
    yield from wrapped("Keys: " + "; ".join(f"{key}: {what}" for key, what in KEYS) + ".", width)


def _about_last(last: str, width: int) -> Iterator[str]:
    syntax = syntax_begun_by(last)
    if syntax is None:
        yield from wrapped("There is no command to explain yet; help lists all.", width)
    else:
        yield from command_table.fitted(command_table.syntax_lines(syntax), width)


def _pairs(pairs: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Two columns, the second wrapped, after a few long first ones on a new line; all of them on
    a narrow screen.
    """
    layout = HelpFormatter(width=width)
    layout.indent()
    layout.write_dl([*pairs], round(width * _FIRST_COLUMN))
    yield from layout.getvalue().splitlines()
