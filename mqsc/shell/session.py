"""The state of a shell between commands, and how it carries one out: MQSC, or a command of its own."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, TextIO

import click
from msgspec import Struct
from msgspec.structs import replace

from grammar.lines import logical_lines
from grammar.parse import parse_command
from mqsc.console.config import value
from mqsc.console.help import commands_in
from mqsc.console.inputs import is_store_file
from mqsc.console.object_names import Quoted, defined_names, similar
from mqsc.console.options import Choices
from mqsc.console.parameters import iso
from mqsc.console.tables import Screen
from mqsc.console.terminal import is_terminal, printable, wrapped
from mqsc.console.text.reasons import counted, error_text
from mqsc.language.refusal import masked, secret_spans
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.script import Answered, Script
from mqsc.shell.backslash import Copies, delete, edited, run_in_shell, save, saved, saved_lines
from mqsc.shell.command_text import SettingError, Settings, Typed, commands_of, is_ending, without_added_mark, words_of
from mqsc.shell.output import (
    Output,
    WatchError,
    going_to,
    is_command,
    output_of,
    read_watch,
    split_foreach,
    split_output,
    watch,
    with_name,
)
from mqsc.shell.own_commands import (
    OWN_COMMANDS,
    READING_SUBCOMMANDS,
    SETTINGS,
    OwnCommand,
    OwnCommandError,
    first_word,
    help_lines,
    is_own_command,
    shell_answer,
)
from mqsc.shell.reply_display import (
    DATA_FORMATS,
    brief_error,
    depth_of,
    for_people,
    hint_for,
    question,
    removes_messages,
    show_answer,
)
from mqsc.shell.unit_commands import UNIT_COMMANDS, UnitSession, unit_help
from mqsc.verbs import perform
from mqsc.verbs.analysis import analyse, syntax_begun_by
from store.constants import MQRC
from store.engine.definitions import namespaces
from store.environment import elapsed_real_seconds
from store.error import MQError, StoreError

if TYPE_CHECKING:
    from store.client.api import QueueManager

FAILED = 10
_DECLINED = Answer("")
_EXPLAIN_TRIGGER = re.compile(r"\s*explain\s+trigger\s*\(", re.IGNORECASE)
_NO_QUEUE_MANAGER = "This store has no queue manager; qmgr create NAME makes one."
# The numbers of messages in a browse, which are no values of options.
_NUMBERS = re.compile(r"(\s--\S+\s+\S+)|\s+\d+(?!\S)")
# More commands of `foreach` are not listed before the question.
_MOST_LISTED = 20


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
        # What the line to edit begins with, after \\e.
        self._draft = ""
        # The queue that was browsed last: a number shows one of its messages.
        self._browsed = ""
        self._copies = Copies()
        self._next_output = Output()
        # Whether the user has agreed to all commands of a `foreach`.
        self._is_agreed = False
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
        return UnitSession(qmgr, choices, self.say)

    def carry_out(self, text: str) -> bool:
        """Carry out a typed command, or several pasted ones; return whether the shell ends.

        Ctrl-C interrupts a command, not the shell.
        """
        with self._copies.of_screen():
            return self._carry_out_each(text)

    def _carry_out_each(self, text: str) -> bool:
        commands = [*commands_of(without_added_mark(text))]
        is_for_others = text.strip().startswith(("!", "\\")) and "\n" not in text.strip()
        if is_for_others or (text.strip().startswith("?") and not commands):
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
                self.say("interrupted")
                break
            done = number
            if self._failures() > before and len(commands) > 1:
                failed.append(number)
                self.say(f"Command {number} (line {typed.line}) failed: {masked(' '.join(typed.text.split()))}")
        if len(commands) > 1:
            self._report_paste(done, failed)
        return False

    def take_draft(self) -> str:
        """What the next line to edit begins with; it is taken once."""
        draft, self._draft = self._draft, ""
        return draft

    def send_next(self, target: str) -> None:
        """Send the output of the next command to a file, or to a program after a bar."""
        mark = next((each for each in ("|", ">>", ">!", ">") if target.startswith(each)), ">")
        self._next_output = output_of(mark, target.removeprefix(mark).strip())

    def _copy_to(self, target: str) -> None:
        """Copy what is shown to a file from now on; to none if the target is blank."""
        output = output_of(">>", target) if target else Output()
        self._check(output)
        self._copies.to(output.file)

    def _run_saved(self, name: str) -> None:
        """Run a saved command, or list them."""
        if not name:
            self._print(saved_lines())
            return
        command = saved(name)
        self.say(masked(command))
        if first_word(command) == "\\f":
            raise SettingError("a saved command cannot run a saved command")
        self._carry_out_each(command)

    def _edit(self, text: str) -> None:
        """Edit a command, or the last one, which is then in the line to edit."""
        last = "" if secret_spans(self._last.replace("\n", " ")) else self._last
        self._draft = edited(text or last)

    def _report_paste(self, done: int, failed: list[int]) -> None:
        """A line about several commands: how many were run, and which failed."""
        which = f"{len(failed)} failed: {', '.join(map(str, failed))}" if failed else "none failed"
        self.say(f"({counted(done, 'command')}, {which})")

    def _carry_out(self, text: str, *, alone: bool) -> None:
        began = elapsed_real_seconds()
        settings = self.settings
        try:
            if text.lstrip().startswith("\\"):
                self._set(text.strip(), alone=alone)
                return
            if text.lstrip().startswith("!"):
                if not alone:
                    raise OwnCommandError("a pasted script cannot start programs")
                run_in_shell(text.lstrip()[1:].strip())
                return
            command, output = text, Output()
            # A pasted block is a script: it cannot write files or start programs.
            if alone and first_word(text) != "help":
                command, output, settings = split_output(self._of_browsed(text), self.settings)
            if alone and output.is_screen and (is_own_command(command) or is_command(command)):
                output, self._next_output = self._next_output, Output()
            own = is_own_command(command) and first_word(command) not in ("watch", "foreach")
            if own and settings.layout != self.settings.layout and settings.layout != ("json", self.settings.sort):
                raise SettingError("this command is shown as text or as \\format json; \\sort is for DISPLAY")
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

    def _of_browsed(self, text: str) -> str:
        """The command that a number stands for after a browse: the browse of that message."""
        if first_word(text) == "browse":
            self._browsed = _NUMBERS.sub(r"\1", split_output(text, self.settings)[0])
        is_number = bool(self._browsed) and first_word(text).isdecimal()
        return f"{self._browsed} {text.lstrip()}" if is_number else text

    def _check(self, output: Output) -> None:
        """SettingError if the output must not go to this file, or if the user does not want to replace it."""
        if not os.path.isfile(output.file):
            return
        store = self.qmgr.store.path
        if store is not None and is_store_file(output.file, store):
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
            hint = hint_for(first_word(text))
            if hint:
                raise OwnCommandError(hint)
            self._last = text
            self._mqsc(command, output, settings)
            return
        name, words = first_word(text), text.split()[1:]
        if name.startswith("?"):
            self._print(help_lines(text.lstrip("? ").split() or ["?"], self._width(), self._last))
            return
        if name == "foreach":
            self._for_each(text, output, settings)
            return
        as_json = settings.format == "json"
        if self.unit.carry_out(text, as_json=as_json):
            return
        answer = shell_answer(self.qmgr, text) if _EXPLAIN_TRIGGER.match(text) else None
        if answer is not None:
            self._print(answer)
            return
        row = OWN_COMMANDS[name]
        with_row = _ACTIONS.get(name)
        if with_row is not None:
            with_row(self, words)
        else:
            self._run_command(row, text, as_json=as_json)

    def _for_each(self, text: str, output: Output, settings: Settings) -> None:
        """Carry out a command for each object that a DISPLAY finds."""
        selection, command = split_foreach(text)
        request = analyse(parse_command(next(iter(logical_lines([selection])))))  # type: ignore[arg-type]
        assert isinstance(request, Request)
        answer = perform(self.qmgr, request)
        if not answer.each:
            self._own_failures += 1
            self._show_on_screen(answer, selection, settings)
            return
        self._request = request
        answer, _ = self._without_system(answer, settings)
        commands = [with_name(command, str(next(iter(row.values())))) for row in answer.rows]
        if not commands:
            self.say("no object was found: nothing to do")
            return
        if not self._reads(command):
            for each in commands[:_MOST_LISTED]:
                self.say(f"  {masked(each)}")
            if len(commands) > _MOST_LISTED:
                self.say(f"  … and {len(commands) - _MOST_LISTED} more")
            if not self._around.ask(f"Run {counted(len(commands), 'command')}? [y/N] "):
                self.say("Nothing was run.")
                return
        failed = []
        done = 0
        self._is_agreed = True
        try:
            for number, each in enumerate(commands, 1):
                before = self._failures()
                try:
                    self._dispatch(each, output, settings)
                except (SettingError, StoreError, OwnCommandError) as error:
                    self._complain(str(error))
                if self._failures() > before:
                    failed.append(number)
                    self.say(f"Command {number} failed: {masked(each)}")
                done = number
        finally:
            self._is_agreed = False
            self._report_paste(done, failed)

    def _mqsc(self, text: str, output: Output, settings: Settings) -> None:
        for step in self._script.steps(text.split("\n")):
            if isinstance(step, Answered):
                self._show(step.answer, text, output, settings)

    def _show(self, answer: Answer, text: str, output: Output, settings: Settings) -> None:
        is_data = answer.each and not answer.completion
        if not output.is_screen and not is_data and (answer.completion or settings.format in DATA_FORMATS):
            with redirect_stdout(self._screen):
                self._show_on_screen(answer, text, settings)
        elif output.is_screen:
            self._show_on_screen(answer, text, settings)
        else:
            show_answer(self._without_system(answer, settings)[0], settings, self._shape(), self._hidden)

    def _show_on_screen(self, answer: Answer, text: str, settings: Settings) -> None:
        if answer.completion and settings.format != "classic":
            has_syntax = syntax_begun_by(text) is not None
            self._print(
                brief_error(answer, text, prompt=self._indent, width=self._width(), has_syntax=has_syntax)
                or self._wrapped_answer(self._with_similar_name(answer))
            )
            return
        answer, left_out = self._without_system(answer, settings)
        number = show_answer(answer, settings, self._shape(), self._hidden)
        more = f", {left_out} of SYSTEM left out" if left_out else ""
        if (number > 1 or left_out) and settings.format in ("table", "vertical"):
            sys.stdout.write(f"({counted(number, 'row')}{more})\n")

    def _without_system(self, answer: Answer, settings: Settings) -> tuple[Answer, int]:
        """The answer without SYSTEM objects if they are not wanted, and how many were left out."""
        request = self._request
        if settings.system or request is None or not answer.each or not request.name.startswith("*"):
            return answer, 0
        rows = [*answer.rows]
        kept = [row for row in rows if not str(next(iter(row.values()), "")).startswith("SYSTEM.")]
        return replace(answer, rows=kept), len(rows) - len(kept)

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
        if removes_messages(request) and not self._is_agreed:
            asked = question(request, depth_of(self.qmgr, request.name))
            if asked and not self._around.ask(asked):
                sys.stdout.write("Nothing was removed.\n")
                return _DECLINED
        self._request = request
        request, self._hidden = for_people(request)
        return perform(self.qmgr, request)

    def _run_command(self, row: OwnCommand, text: str, *, as_json: bool) -> None:
        """Run a command of the command line on the store and queue manager of the session."""
        try:
            words = words_of(text.split(maxsplit=1)[1] if len(text.split(maxsplit=1)) > 1 else "")
        except ValueError as error:
            self._complain(str(error))
            return
        self.unit.release()
        common = ["--store", f"sqlite:///{self.qmgr.store.path}", "--qmgr", self.qmgr.name]
        common += ["--format", "json"] if as_json else []
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
        self._browsed = ""
        failed = self.unit.failed
        self.qmgr = self._script.qmgr = qmgr
        self.unit = self._unit_of(qmgr)
        self.unit.failed = failed

    def help(self, words: list[str]) -> None:
        """Help: on what only the shell has, on a command with the shell's options, otherwise that of `mqsc help`."""
        name = words[0].lower() if words else ""
        row = OWN_COMMANDS.get(name)
        if not words or name.startswith("\\") or (row is not None and not row.path and name not in UNIT_COMMANDS):
            self._print(help_lines(words, self._width(), self._last))
            return
        self._run_command(OWN_COMMANDS["explain"], f"explain {' '.join(words)}", as_json=False)
        if name in UNIT_COMMANDS:
            self._print(["", *unit_help(name)])

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

    def _set(self, text: str, *, alone: bool) -> None:
        """Change a setting, or show one, or all; or carry out another command after a backslash."""
        name, value = (*text[1:].split(maxsplit=1), "", "")[:2]
        if name in _BACKSLASH:
            if not alone:
                raise SettingError(f"\\{name} is typed alone, not in a pasted script")
            _BACKSLASH[name](self, value.strip())
            return
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
        self._copies.close()

    def _reads(self, command: str) -> bool:
        """Whether a command only reads, so that leaving the pager may end it."""
        row = OWN_COMMANDS.get(first_word(command))
        if row is not None or is_own_command(command):
            shows = row is None or row.reads or not READING_SUBCOMMANDS.isdisjoint(_subcommand(command))
            return shows and "--follow" not in command
        return first_word(command) in ("display", "dis") or command.rstrip().endswith("?")

    def _width(self) -> int:
        return shutil.get_terminal_size().columns

    def _shape(self) -> Screen:
        is_screen = is_terminal(sys.stdout)
        plain = not value("colours") or os.environ.get("TERM", "dumb") == "dumb"
        return Screen(self._width(), styled=is_screen and not plain, blocks=_shows(sys.stdout, "█░"))

    def _print(self, lines: Iterable[str]) -> None:
        """Print lines, on the screen broken between words."""
        for line in lines:
            for part in wrapped(printable(line), self._width(), hanging="    ") if is_terminal(sys.stdout) else (line,):
                sys.stdout.write(f"{part}\n")

    def say(self, text: str) -> None:
        """Print an error or remark on the screen, even if the output of the command is redirected."""
        screen = self._screen or sys.stdout
        for line in text.split("\n"):
            for part in wrapped(printable(line), self._width(), hanging="    "):
                screen.write(f"{part}\n")

    def _complain(self, sentence: str) -> None:
        self._own_failures += 1
        self.say(sentence)


_ACTIONS: dict[str, Callable[[ShellSession, list[str]], None]] = {"use": ShellSession.use, "help": ShellSession.help}
_BACKSLASH: dict[str, Callable[[ShellSession, str], None]] = {
    "tee": ShellSession._copy_to,
    "once": ShellSession.send_next,
    "e": ShellSession._edit,
    "f": ShellSession._run_saved,
    "fs": lambda session, words: save(words),
    "fd": lambda session, name: delete(name),
}


def _subcommand(command: str) -> set[str]:
    """The second word of a command if it is the name of a command in a group."""
    return {*command.lower().split()[1:2]} & commands_in(first_word(command)).keys()


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
