"""Helps while a command is typed: completion, colours, the line of help. Knows MQSC and the
shell's own commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

from mqsc.console import object_names, parameters
from mqsc.console.shell_words import BACKSLASH, SETTINGS, OwnCommand
from mqsc.explain.lookup import known_words
from mqsc.language.command_table import COMMANDS, verb_of
from mqsc.shell import command_text, unit_commands
from mqsc.shell.completion import completions, existing_names, is_outside_values
from mqsc.shell.highlighting import highlighted
from mqsc.shell.hint import hint
from mqsc.shell.own_commands import OWN_COMMANDS, first_word
from mqsc.store.catalog import kinds_of
from mqsc.store.error import MQError, StoreError

if TYPE_CHECKING:
    from mqsc.shell.session import ShellSession

_MOST_FILES = 200


class Assistant(Completer, Lexer):
    """Answers the line editor from the vocabulary and from the queue manager of a session."""

    def __init__(
        self,
        session: ShellSession,
        command: Callable[[str], click.Command | None],
    ) -> None:
        self._session = session
        self._command = command

    def get_completions(
        self,
        document: Document,
        complete_event: CompleteEvent,
    ) -> Iterator[Completion]:
        command = command_text.last_command(document.text_before_cursor)
        # No list opens by itself before a command has begun, for example after a paste.
        if not complete_event.completion_requested and not command.strip():
            return
        if not first_word(command) or " " not in command.lstrip():
            yield from self._first_words(command.lstrip())
        if first_word(command) == "watch":
            command = _watched(command)
        word = first_word(command)
        if word in OWN_COMMANDS or word.startswith(("\\", "?")):
            if " " in command.lstrip():
                yield from self._own(command.lstrip())
            return
        before = command.rpartition("\\")[2]
        if "\\" in command and is_outside_values(command.rpartition("\\")[0]):
            yield from _settings(before)
            return
        completed = completions(command, self._session.qmgr)
        for each in completed.candidates:
            yield Completion(
                f"{each.word}{each.after}", -len(completed.begun), each.word, each.about
            )

    def _first_words(self, begun: str) -> Iterator[Completion]:
        if begun.startswith("\\"):
            yield from _settings(begun[1:])
        elif begun:
            rows = (row for name, row in OWN_COMMANDS.items() if name.startswith(begun.lower()))
            yield from (_after(begun, row.name, row.about) for row in rows)

    def _own(self, command: str) -> Iterator[Completion]:
        name = first_word(command)
        words = command.split()[1:]
        begun = _begun(command)
        before = words[:-1] if begun else words
        if name.startswith("\\"):
            yield from _values(name[1:], begun)
            return
        if name in ("help", "explain") or name.startswith("?"):
            yield from _topics(before, begun)
            return
        if name == "use":
            yield from _fitting(
                begun,
                [each.name for each in self._session.qmgr.store.queue_managers()],
            )
            return
        own_command = OWN_COMMANDS[name]
        click_command = unit_commands.UNIT_COMMANDS.get(name) or self._command(
            " ".join(own_command.path)
        )
        if isinstance(click_command, click.Group):
            names = click_command.list_commands(click.Context(click_command))
            inner = (
                self._command(" ".join((*own_command.path, *before[:1])))
                if before and before[0] in names
                else None
            )
            if inner is not None:
                click_command, before = inner, before[1:]
            elif not click_command.invoke_without_command:
                yield from _fitting(begun, [] if before else names)
                return
        if click_command is not None:
            yield from self._arguments(own_command, click_command, before, begun)

    def _arguments(
        self,
        own_command: OwnCommand,
        command: click.Command,
        before: list[str],
        begun: str,
    ) -> Iterator[Completion]:
        options = {
            name: each
            for each in command.params
            if isinstance(each, click.Option)
            for name in each.opts
        }
        last = options.get(before[-1]) if before else None
        if last is not None and not last.is_flag:
            yield from _fitting(
                begun,
                last.type.choices if isinstance(last.type, click.Choice) else (),
            )
            return
        if begun.startswith("-"):
            for name, option in options.items():
                if (
                    name.startswith("--")
                    and name.startswith(begun)
                    and name not in before
                    and name not in _COMMON
                ):
                    yield _after(begun, name, option.help or "")
            return
        arguments = [each for each in command.params if isinstance(each, click.Argument)]
        words_before = [word for word in before if not word.startswith("-")]
        if arguments and isinstance(arguments[0].type, click.Path):
            yield from _files(begun)
        elif arguments and arguments[0].name == "names":
            context = click.Context(command)
            words = (
                argument.shell_complete(context, begun)
                for argument in command.params
                if argument.name == "names"
            )
            yield from (
                _after(begun, each.value, each.help or "") for items in words for each in items
            )
        elif (
            arguments
            and isinstance(arguments[0].type, object_names.ObjectName)
            and not words_before
        ):
            noun = "CHANNEL" if own_command.name == "channel" else "QLOCAL"
            names = existing_names(self._session.qmgr, kinds_of(noun), f"{begun.upper()}*")
            yield from (
                _after(begun, name.lower() if begun.islower() else name, kind)
                for name, kind in names
            )

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        lines = _highlighted(document.text)
        return lambda line: lines[line] if line < len(lines) else []

    def hint(self, text: str) -> str:
        """A line of help on the command at the end of `text`."""
        return hint(text)

    def status(self) -> str:
        """Queue manager, unit of work and time, for the toolbar."""
        return status(self._session.unit)


def status(unit: unit_commands.UnitSession) -> str:
    """The queue manager of a unit of work, that unit if it is open, and the time of the queue
    manager.
    """
    qmgr = unit.qmgr
    try:
        row = qmgr.row()
        manual = " (manual)" if row.clock_at is not None else ""
        state = "" if row.state == "RUNNING" else f" {row.state.lower()}"
        return f"{qmgr.name}{state}{unit.status()}  {parameters.iso(qmgr.now())[11:19]}Z{manual}"
    except (MQError, StoreError):
        return f"{qmgr.name} is not available"


# Given by the session.
_COMMON = frozenset(f"--{name}" for name in unit_commands.GIVEN_BY_SESSION)


@lru_cache(maxsize=4)
def _highlighted(text: str) -> list[StyleAndTextTuples]:
    return [[*line] for line in highlighted(text)]


def _watched(command: str) -> str:
    """The command that watch repeats, as far as it has been typed."""
    _, _, rest = command.lstrip().partition(" ")
    seconds, blank, following = rest.lstrip().partition(" ")
    return following if blank and seconds.rstrip("s").replace(".", "", 1).isdigit() else rest


def _begun(command: str) -> str:
    return "" if command[-1:].isspace() else command.split()[-1]


def _after(begun: str, word: str, about: str) -> Completion:
    return Completion(word, -len(begun), word, about)


def _fitting(begun: str, words: Iterable[str]) -> Iterator[Completion]:
    return (_after(begun, word, "") for word in words if word.lower().startswith(begun.lower()))


def _settings(begun: str) -> Iterator[Completion]:
    name, blank, value = begun.partition(" ")
    if blank:
        yield from _values(name, value.lstrip())
        return
    known = {**SETTINGS, **BACKSLASH}
    yield from (
        _after(begun, each, about)
        for each, (_, about) in known.items()
        if each.startswith(name.lower())
    )


def _values(name: str, begun: str) -> Iterator[Completion]:
    words, _ = SETTINGS.get(name, ((), ""))
    return _fitting(begun, words)


def _topics(before: list[str], begun: str) -> Iterator[Completion]:
    """The topics of help and explain: verbs and their objects, commands of the shell, keywords,
    codes and rules.
    """
    verb = verb_of(before[0].upper()) if before else None
    if verb:
        yield from _fitting(begun, sorted(COMMANDS[verb]))
    elif begun:
        yield from _fitting(begun, sorted({*COMMANDS, *OWN_COMMANDS, *known_words()}))


def _files(begun: str) -> Iterator[Completion]:
    """Files and folders that continue a path; hidden ones once their dot has been typed."""
    hidden = begun.rpartition("/")[2].startswith(".")
    paths = PathCompleter(
        expanduser=True,
        file_filter=lambda path: hidden or not Path(path).name.startswith("."),
    )
    for completion in islice(paths.get_completions(Document(begun), CompleteEvent()), _MOST_FILES):
        slash = "/" if completion.display_text.endswith("/") else ""
        yield Completion(f"{completion.text}{slash}", display=completion.display)
