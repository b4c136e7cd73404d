"""The state of a shell between commands, and how it carries one out: MQSC, or a command of its own."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, TextIO

import click
from msgspec import Struct
from msgspec.structs import replace

from mqsc.console.inputs import is_store_file
from mqsc.console.object_names import Quoted, defined_names, similar
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.tables import Screen
from mqsc.console.terminal import is_terminal, printable, wrapped
from mqsc.console.text.reasons import counted, error_text
from mqsc.language.refusal import masked
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.script import Answered, Script
from mqsc.shell.command_text import SettingError, Settings, Typed, commands_of, is_ending, without_added_mark, words_of
from mqsc.shell.output import Output, WatchError, going_to, read_watch, split_output, watch
from mqsc.shell.own_commands import (
    OWN_COMMANDS,
    SETTINGS,
    OwnCommand,
    OwnCommandError,
    first_word,
    help_lines,
    is_own_command,
    shell_answer,
)
from mqsc.shell.reply_display import (
    brief_error,
    depth_of,
    for_people,
    hint_for,
    question,
    removes_messages,
    show_answer,
)
from mqsc.shell.unit_commands import UnitSession
from mqsc.verbs import perform
from mqsc.verbs.analysis import syntax_begun_by
from store.constants import MQRC
from store.engine.definitions import namespaces
from store.environment import elapsed_real_seconds
from store.error import MQError, StoreError

if TYPE_CHECKING:
    from store.client.api import QueueManager

FAILED = 10
_DECLINED = Answer("")
_NO_QUEUE_MANAGER = "This store has no queue manager; qmgr create NAME makes one."
# Subcommands that change nothing.
_SHOWING = frozenset({"show", "explain", "list", "test"})


class SessionSurroundings(Struct, frozen=True):
    """The functions of the command line and the terminal that a session needs.

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
        self.unit = self._unit_of(qmgr)
        # Own commands that failed; commands in MQSC are counted by the tally.
        self._own_failures = 0
        self._last = ""
        # The stream for errors and remarks while output goes to a file or a program; None: that of the output.
        self._screen: TextIO | None = None
        self._request: Request | None = None
        self._hidden: frozenset[str] = frozenset()
        self._indent: int | None = None

    @property
    def exit_code(self) -> int:
        return FAILED if self._failures() or self.unit.failed else 0

    def _failures(self) -> int:
        """The number of commands that failed so far."""
        return self.tally.syntax_errors + self.tally.failures + self._own_failures

    def _unit_of(self, qmgr: QueueManager) -> UnitSession:
        choices = replace(self._around.choices, store=f"sqlite:///{qmgr.store.path}", qmgr=qmgr.name)
        return UnitSession(qmgr, choices, self._say)

    def carry_out(self, text: str) -> bool:
        """Carry out a typed command, or several pasted ones; return whether the shell ends.

        Ctrl-C interrupts a command, not the shell.
        """
        commands = [*commands_of(without_added_mark(text))]
        if text.strip().startswith("?") and not commands:
            commands = [Typed(text, 1)]
        # The caret of an error is right below the command only if nothing was printed in between.
        self._indent = self.prompt_width if "\n" not in text and len(commands) == 1 else None
        failed: list[int] = []
        done = 0
        for number, typed in enumerate(commands, 1):
            if is_ending(typed.text):
                if done:
                    self._report_paste(done, failed)
                return True
            before = self._failures()
            try:
                self._carry_out(typed.text, alone=len(commands) == 1)
            except KeyboardInterrupt:
                sys.stderr.write("interrupted\n")
                break
            done = number
            if self._failures() > before and len(commands) > 1:
                failed.append(number)
                self._say(f"Command {number} (line {typed.line}) failed: {masked(' '.join(typed.text.split()))}")
        if len(commands) > 1:
            self._report_paste(done, failed)
        return False

    def _report_paste(self, done: int, failed: list[int]) -> None:
        """A line about several commands: how many were run, and which failed."""
        which = f"{len(failed)} failed: {', '.join(map(str, failed))}" if failed else "none failed"
        self._say(f"({counted(done, 'command')}, {which})")

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
            own = is_own_command(command) and first_word(command) != "watch"
            if own and settings.layout != self.settings.layout:
                raise SettingError("\\format and \\sort are for DISPLAY; other commands that print data have --format")
            if first_word(command) == "watch":
                self._watch(command, output, settings)
                return
            self._check(output)
            self._screen = None if output.is_screen else sys.stdout
            with going_to(output, paged=settings.pager and self._reads(command)):
                self._dispatch(command, output, settings)
        except (SettingError, StoreError, OwnCommandError, WatchError) as error:
            self._complain(str(error))
        except OSError as error:
            self._complain(f"{error.filename or 'output'}: {error.strerror or error}")
        finally:
            self._screen = None
        if settings.timing:
            sys.stdout.write(f"({elapsed_real_seconds() - began:.3f} s)\n")

    def _check(self, output: Output) -> None:
        """SettingError if the output must not go to this file, or if the user does not want to replace it."""
        path = os.path.expanduser(output.file)
        if not output.file or not os.path.isfile(path):
            return
        store = self.qmgr.store.path
        if store is not None and is_store_file(path, store):
            raise SettingError(f"{output.file} belongs to the store")
        asks = not (output.append or output.replaces)
        if asks and not self._around.ask(f"{output.file} exists. Replace it? [y/N] "):
            raise SettingError(f"{output.file} was left as it is; >! replaces a file without a question, >> appends")

    def _dispatch(self, command: str, output: Output, settings: Settings) -> None:
        text = command.strip()
        if not is_own_command(text):
            if text.endswith("?"):
                self._print(help_lines(text.rstrip("? ").split()[:2], self._width(), text))
                return
            hint = hint_for(first_word(text), self._around.command)
            if hint:
                raise OwnCommandError(hint)
            self._last = text
            self._mqsc(command, output, settings)
            return
        name, words = first_word(text), text.split()[1:]
        if name.startswith("?"):
            self._print(help_lines(text.lstrip("? ").split() or ["?"], self._width(), self._last))
            return
        if self.unit.carry_out(text):
            return
        answer = shell_answer(self.qmgr, text) if "(" in text else None
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
        is_data = answer.each and not answer.completion
        if not output.is_screen and not is_data and (answer.completion or settings.format in ("json", "csv")):
            with redirect_stdout(self._screen):
                self._show_on_screen(answer, text, settings)
        elif output.is_screen:
            self._show_on_screen(answer, text, settings)
        else:
            shown = "classic" if settings.format in ("table", "vertical") else settings.format
            show_answer(answer, settings.changed("format", shown), self._shape(), self._hidden)

    def _show_on_screen(self, answer: Answer, text: str, settings: Settings) -> None:
        if answer.completion and settings.format != "classic":
            has_syntax = syntax_begun_by(text) is not None
            self._print(
                brief_error(answer, text, prompt=self._indent, width=self._width(), has_syntax=has_syntax)
                or self._wrapped_answer(self._with_similar_name(answer))
            )
            return
        number = show_answer(answer, settings, self._shape(), self._hidden)
        if number > 1 and settings.format in ("table", "vertical"):
            sys.stdout.write(f"({number} rows)\n")

    def _with_similar_name(self, answer: Answer) -> Answer:
        """The answer about an object that does not exist, with the name of a similar one."""
        request = self._request
        if request is None or answer.reason != MQRC.UNKNOWN_OBJECT_NAME or request.name not in answer.text:
            return answer
        known = defined_names(self.unit.choices, namespaces(request.kinds[0])[0])
        near = similar(request.name, known)
        return replace(answer, text=f"{answer.text} Did you mean {near}?") if near else answer

    def _wrapped_answer(self, answer: Answer) -> Iterator[str]:
        buffer = io.StringIO()
        with redirect_stdout(buffer):
            show_answer(answer, self.settings.changed("format", "classic"), self._shape(), frozenset())
        yield from buffer.getvalue().splitlines()

    def _perform(self, request: Request) -> Answer:
        """Perform a request that was typed, after a question if it removes messages."""
        if removes_messages(request):
            asked = question(request, depth_of(self.qmgr, request.name))
            if asked and not self._around.ask(asked):
                sys.stdout.write("Nothing was removed.\n")
                return _DECLINED
        self._request = request
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
        code = self._around.run([*common, *row.path, *words], row.name)
        self._own_failures += code >= FAILED

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
            raise OwnCommandError(f"a unit of work is open on {self.qmgr.name}; commit or back first")
        names = [row.name for row in store.queue_managers()]
        try:
            (name, *_) = words_of(words[0])
            qmgr = store.queue_manager(name if name in names or isinstance(name, Quoted) else name.upper())
        except ValueError as error:
            raise OwnCommandError(str(error)) from error
        except MQError as error:
            known = f"This store has {', '.join(names)}." if names else _NO_QUEUE_MANAGER
            raise OwnCommandError(f"{error_text(error)} {known}") from error
        self.unit.__exit__(None, None, None)
        failed = self.unit.failed
        self.qmgr = self._script.qmgr = qmgr
        self.unit = self._unit_of(qmgr)
        self.unit.failed = failed

    def help(self, words: list[str]) -> None:
        try:
            self._print(help_lines(words_of(" ".join(words)), self._width(), self._last))
        except ValueError as error:
            self._complain(str(error))

    def _watch(self, text: str, output: Output, settings: Settings) -> None:
        if not output.is_screen:
            raise OwnCommandError("watch redraws the screen; its output cannot go to a file or a program")
        seconds, command = read_watch(text)
        if not self._reads(command):
            raise OwnCommandError("watch repeats commands that show something, such as DISPLAY")
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

    def _shape(self) -> Screen:
        is_screen = is_terminal(sys.stdout)
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM", "dumb") == "dumb"
        return Screen(self._width(), styled=is_screen and not plain, blocks=_shows(sys.stdout, "█░"))

    def _print(self, lines: Iterable[str]) -> None:
        """Print lines, on the screen broken between words."""
        for line in lines:
            for part in wrapped(printable(line), self._width(), hanging="    ") if is_terminal(sys.stdout) else (line,):
                sys.stdout.write(f"{part}\n")

    def _say(self, text: str) -> None:
        """Print an error or remark on the screen, even if the output of the command is redirected."""
        screen = self._screen or sys.stdout
        for line in text.split("\n"):
            for part in wrapped(printable(line), self._width(), hanging="    "):
                screen.write(f"{part}\n")

    def _complain(self, sentence: str) -> None:
        self._own_failures += 1
        self._say(sentence)


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
