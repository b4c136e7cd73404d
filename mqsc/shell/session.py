"""What a shell holds between commands, and how it carries one out: MQSC, or a command of its own."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, TextIO

import click
from msgspec import Struct

from mqsc.console.options import Choices
from mqsc.console.parameter_types import iso
from mqsc.console.terminal import is_terminal, printable, wrapped
from mqsc.console.text.reasons import error_text
from mqsc.language.request import Request
from mqsc.language.syntax import syntax_begun_by
from mqsc.reply import Answer
from mqsc.script import Answered, Script
from mqsc.shell.brief_error import brief_error
from mqsc.shell.command_text import Typed, commands_of, is_ending, without_added_mark
from mqsc.shell.confirmation import depth_of, question, removes_messages
from mqsc.shell.explain_command import shell_answer
from mqsc.shell.help_text import help_lines
from mqsc.shell.mistaken_word import hint_for
from mqsc.shell.output import going_to
from mqsc.shell.own_commands import OWN_COMMANDS, SETTINGS, OwnCommand, first_word, is_own_command
from mqsc.shell.reply_display import for_people, show_answer
from mqsc.shell.row_layout import Screen
from mqsc.shell.settings import Output, SettingError, Settings, split_output
from mqsc.shell.unit_commands import Quoted, UnitSession, words_of
from mqsc.shell.watching import read_watch, watch
from mqsc.verbs import perform
from store.environment import elapsed_real_seconds
from store.error import MQError, StoreError

if TYPE_CHECKING:
    from store.client.api import QueueManager

FAILED = 10
# Arguments of the command line that are names: folded to upper case unless they are quoted, as in MQSC.
NAME_ARGUMENTS = frozenset({"queue", "name", "msg_id"})
_DECLINED = Answer("")
_NO_QUEUE_MANAGER = "This store has no queue manager; qmgr create NAME makes one."
# Subcommands that change nothing.
_SHOWING = frozenset({"show", "explain", "list", "test"})


class SessionSurroundings(Struct, frozen=True):
    """What a session needs from the command line and the terminal.

    `run` runs `mqsc` with arguments and returns the exit code; it also takes the name of the command in the shell, for
    errors. `command` finds one of its commands. `ask` asks a question that is answered with yes or no.
    """

    choices: Choices
    run: Callable[[list[str], str], int]
    command: Callable[[str], click.Command | None]
    ask: Callable[[str], bool]


class ShellSession:
    """The queue manager in use, its unit of work, the settings, and the results so far."""

    def __init__(self, qmgr: QueueManager, around: SessionSurroundings, settings: Settings) -> None:
        self.qmgr = qmgr
        self.settings = settings
        self.prompt_width = 0
        self._around = around
        self._script = Script(qmgr, carry_out=self._perform)
        self.tally = self._script.tally
        self.unit = UnitSession(qmgr, around.choices)
        self._failed = False
        self._last = ""
        self._hidden: frozenset[str] = frozenset()
        self._indent: int | None = None

    @property
    def exit_code(self) -> int:
        return max(self.tally.exit_code, FAILED if self._failed or self.unit.failed else 0)

    def carry_out(self, text: str) -> bool:
        """Carry out what was typed, or pasted in several commands; return whether the shell ends.

        Ctrl-C interrupts a command, not the shell.
        """
        commands = [*commands_of(without_added_mark(text))]
        if text.strip().startswith("?") and not commands:
            commands = [Typed(text, 1)]
        # The caret of an error stands under the command only if nothing is between them.
        self._indent = self.prompt_width if "\n" not in text and len(commands) == 1 else None
        for typed in commands:
            if is_ending(typed.text):
                return True
            try:
                self._carry_out(typed.text, alone=len(commands) == 1)
            except KeyboardInterrupt:
                sys.stderr.write("interrupted\n")
                if len(commands) > 1:
                    return False
        return False

    def _carry_out(self, text: str, *, alone: bool) -> None:
        began = elapsed_real_seconds()
        settings = self.settings
        try:
            if text.lstrip().startswith("\\"):
                self._set(text.strip())
                return
            command, output = text, Output()
            # A pasted block is a script: it cannot write files or start programs.
            if alone and first_word(text) != "help":
                command, output, settings = split_output(text, self.settings)
            if first_word(command) == "watch":
                self._watch(command, output, settings)
                return
            with going_to(output, paged=settings.pager and self._reads(command)):
                self._dispatch(command, output, settings)
        except SettingError as error:
            self._complain(str(error))
        except OSError as error:
            self._complain(f"{error.filename or 'output'}: {error.strerror or error}")
        except StoreError as error:
            self._complain(str(error))
        if settings.timing:
            sys.stdout.write(f"({elapsed_real_seconds() - began:.3f} s)\n")

    def _dispatch(self, command: str, output: Output, settings: Settings) -> None:
        text = command.strip()
        if not is_own_command(text):
            if text.endswith("?"):
                self._print(help_lines(text.rstrip("? ").split()[:2], self._width(), text))
                return
            hint = hint_for(first_word(text), self._around.command)
            if hint:
                self._complain(hint)
                return
            self._last = text
            self._mqsc(command, output, settings)
            return
        name, words = first_word(text), text.split()[1:]
        if name.startswith("?"):
            self._print(help_lines(text.lstrip("? ").split() or ["?"], self._width(), self._last))
            return
        answer = self.unit.answer(text) or (shell_answer(self.qmgr, text) if "(" in text else None)
        if answer is not None:
            self._print(answer)
            return
        row = OWN_COMMANDS[name]
        with_row = _ACTIONS.get(name)
        if with_row is not None:
            with_row(self, words)
        else:
            self._run_command(row, text)

    def _mqsc(self, text: str, output: Output, settings: Settings) -> None:
        for step in self._script.steps(text.split("\n")):
            if isinstance(step, Answered):
                self._show(step.answer, text, output, settings)

    def _show(self, answer: Answer, text: str, output: Output, settings: Settings) -> None:
        if output.is_screen and answer.completion and settings.format != "classic":
            has_syntax = syntax_begun_by(text) is not None
            lines = brief_error(
                answer, text, prompt=self._indent, width=self._width(), has_syntax=has_syntax
            ) or self._wrapped_answer(answer)
            self._print(lines)
            return
        if not output.is_screen and settings.format in ("table", "vertical"):
            settings = settings.changed("format", "classic")
        number = show_answer(answer, settings, self._screen(), self._hidden)
        if number > 1 and output.is_screen and settings.format in ("table", "vertical"):
            sys.stdout.write(f"({number} rows)\n")

    def _wrapped_answer(self, answer: Answer) -> list[str]:
        buffer = io.StringIO()
        with redirect_stdout(buffer):
            show_answer(answer, self.settings.changed("format", "classic"), self._screen(), frozenset())
        return [
            part for line in buffer.getvalue().splitlines() for part in wrapped(line, self._width(), hanging="    ")
        ]

    def _perform(self, request: Request) -> Answer:
        """Perform a request that was typed, after a question if it removes messages."""
        if removes_messages(request):
            asked = question(request, depth_of(self.qmgr, request.name))
            if asked and not self._around.ask(asked):
                sys.stdout.write("Nothing was removed.\n")
                return _DECLINED
        request, self._hidden = for_people(request)
        return perform(self.qmgr, request)

    def _run_command(self, row: OwnCommand, text: str) -> None:
        """Run a command of the command line on the store and queue manager of the session."""
        try:
            words = words_of(text.split(maxsplit=1)[1] if len(text.split(maxsplit=1)) > 1 else "")
        except ValueError as error:
            self._complain(str(error))
            return
        if row.subcommands and words and words[0] not in (*row.subcommands, "--help", "-h"):
            self._complain(f"{row.name} {words[0]}: use {', '.join(row.subcommands)} here, or mqsc outside the shell")
            return
        self.unit.release()
        common = ["--store", f"sqlite:///{self.qmgr.store.path}", "--qmgr", self.qmgr.name]
        code = self._around.run([*common, *row.path, *self._folded(row, words)], row.name)
        self._failed |= code >= FAILED

    def _folded(self, row: OwnCommand, words: list[str]) -> list[str]:
        """The arguments, with names in upper case unless they are quoted."""
        path = [*row.path, *words[: 1 if row.subcommands else 0]]
        command = self._around.command(" ".join(path))
        arguments = [each for each in command.params if isinstance(each, click.Argument)] if command else []
        if command is None or not arguments or str(arguments[0].name) not in NAME_ARGUMENTS:
            return words
        with_value = {
            name for each in command.params if isinstance(each, click.Option) and not each.is_flag for name in each.opts
        }
        found = words[: 1 if row.subcommands else 0]
        is_value = False
        for word in words[len(found) :]:
            is_name = not (is_value or word.startswith("-") or isinstance(word, Quoted))
            found.append(word.upper() if is_name else str(word))
            is_value = word in with_value
        return found

    def use(self, words: list[str]) -> None:
        """Work with another queue manager of the store, or list them."""
        store = self.qmgr.store
        if not words:
            rows = store.queue_managers()
            self._print(f"{'*' if row.name == self.qmgr.name else ' '} {row.name}" for row in rows)
            if not rows:
                self._print([_NO_QUEUE_MANAGER])
            return
        if self.unit.is_open:
            self._complain(f"a unit of work is open on {self.qmgr.name}; commit or back first")
            return
        try:
            (name, *_) = words_of(words[0])
            qmgr = store.queue_manager(name if isinstance(name, Quoted) else name.upper())
        except ValueError as error:
            self._complain(str(error))
            return
        except MQError as error:
            named = ", ".join(row.name for row in store.queue_managers())
            self._complain(f"{error_text(error)} {f'This store has {named}.' if named else _NO_QUEUE_MANAGER}")
            return
        self.unit.__exit__(None, None, None)
        failed = self.unit.failed
        self.qmgr = self._script.qmgr = qmgr
        self.unit = UnitSession(qmgr, self._around.choices)
        self.unit.failed = failed

    def help(self, words: list[str]) -> None:
        self._print(help_lines(words, self._width(), self._last))

    def _watch(self, text: str, output: Output, settings: Settings) -> None:
        if not output.is_screen:
            self._complain("watch redraws the screen; its output cannot go to a file or a program")
            return
        try:
            seconds, command = read_watch(text)
        except ValueError as error:
            self._complain(str(error))
            return
        if not self._reads(command):
            self._complain("watch repeats commands that show something, such as DISPLAY")
            return
        dumb = os.environ.get("TERM", "dumb") == "dumb" or not is_terminal(sys.stdout)

        def once() -> list[str]:
            buffer = _Screenful(sys.stdout)
            with redirect_stdout(buffer):
                self._dispatch(command, output, settings)
            return buffer.getvalue().splitlines()

        def heading() -> str:
            name = f"every {seconds:g} s: {command}"
            return f"{name[: max(self._width() - 24, 8)]}  {iso(self.now())[:19].replace('T', ' ')}"

        try:
            size = None if dumb else shutil.get_terminal_size
            watch(once, sys.stdout, seconds=seconds, heading=heading, size=size)
        except KeyboardInterrupt:
            sys.stdout.write("\n")

    def _set(self, text: str) -> None:
        """Change a setting, or show one, or all."""
        name, value = (*text[1:].split(maxsplit=1), "", "")[:2]
        if value or name == "sort":
            self.settings = self.settings.changed(name, value.strip())
        else:
            self._print(f"\\{each} {self.settings.shown(each)}".rstrip() for each in ([name] if name else SETTINGS))

    def now(self) -> int:
        """The time of the queue manager, in microseconds."""
        return self.qmgr.now()

    def status(self) -> str:
        """Queue manager, unit of work and time, for the toolbar."""
        try:
            row = self.qmgr.row()
            manual = " (manual)" if row.clock_at is not None else ""
            state = "" if row.state == "RUNNING" else f" {row.state.lower()}"
            return f"{self.qmgr.name}{state}{self.unit.status()}  {iso(self.now())[11:19]}Z{manual}"
        except (MQError, StoreError):
            return f"{self.qmgr.name} is not available"

    def close(self, kind: type[BaseException] | None = None, error: BaseException | None = None) -> None:
        self.unit.__exit__(kind, error, None)

    def _reads(self, command: str) -> bool:
        """Whether a command only reads, so that leaving the pager may end it."""
        row = OWN_COMMANDS.get(first_word(command))
        if row is not None or is_own_command(command):
            shows = row is None or row.reads or bool(_SHOWING & {*command.lower().split()[1:2]})
            return shows and "--follow" not in command
        return first_word(command) in ("display", "dis") or command.rstrip().endswith("?")

    def _width(self) -> int:
        return shutil.get_terminal_size().columns

    def _screen(self) -> Screen:
        is_screen = is_terminal(sys.stdout)
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM", "dumb") == "dumb"
        return Screen(self._width(), styled=is_screen and not plain, blocks=_shows(sys.stdout, "█░"))

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            sys.stdout.write(f"{printable(line)}\n")

    def _complain(self, sentence: str) -> None:
        self._failed = True
        for line in wrapped(printable(sentence), self._width(), hanging="    "):
            sys.stdout.write(f"{line}\n")


_ACTIONS: dict[str, Callable[[ShellSession, list[str]], None]] = {"use": ShellSession.use, "help": ShellSession.help}


class _Screenful(io.StringIO):
    """Text for a terminal, kept to be compared with the text before."""

    def __init__(self, screen: TextIO) -> None:
        super().__init__()
        self._screen = screen

    def isatty(self) -> bool:
        return is_terminal(self._screen)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._screen.encoding


def _shows(stream: TextIO, characters: str) -> bool:
    """Whether the encoding of a stream has the characters."""
    with suppress(UnicodeEncodeError, LookupError):
        characters.encode(getattr(stream, "encoding", None) or "utf-8")
        return True
    return False
