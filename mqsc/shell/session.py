"""The state of a shell between commands, and how it carries one out: MQSC, or a command of its
own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext

from mqsc.console.refused_on import ON
from mqsc.console.shell_words import SETTINGS, OwnCommand
from mqsc.console.text.reasons import counted
from mqsc.language import reply
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.language.secrets import masked, secret_spans
from mqsc.script import Answered, Script
from mqsc.scripts import removal
from mqsc.scripts.for_each import commands_for, listed
from mqsc.scripts.one_command import is_command, request_of
from mqsc.scripts.run import NO_PROGRAMS, shows_what_is_not_run
from mqsc.shell import (
    command_text,
    explain_trigger,
    first_words,
    help_text,
    output_marks,
    own_commands,
    past_in_use,
    quoted_words,
    repeated_commands,
    reply_display,
)
from mqsc.shell.backslash import Copies, edited, run_in_shell
from mqsc.shell.command_sequence import CommandSequence
from mqsc.shell.output import check_file, going_to
from mqsc.shell.saved_commands import delete, save, saved, saved_lines
from mqsc.shell.settings import SettingError, Settings
from mqsc.shell.unit_commands import UNIT_COMMANDS, UnitSession, unit_help
from mqsc.shell.watch import watch_command
from mqsc.store.client import store_url
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import elapsed_real_seconds
from mqsc.store.error import StoreError
from mqsc.verbs import perform_request

FAILED = 10
_DECLINED = Answer("")


class ShellSession:
    """The queue manager in use, its unit of work, the settings, and the results so far."""

    def __init__(
        self,
        qmgr: QueueManager,
        around: own_commands.SessionSurroundings,
        settings: Settings,
    ) -> None:
        self.qmgr = qmgr
        self.settings = settings
        self.prompt_width = 0
        self._around = around
        self._script = Script(qmgr, carry_out=self._perform_typed)
        self.tally = self._script.tally
        self._display = reply_display.ReplyDisplay(around.choices)
        self.unit = self._unit_of(qmgr)
        # Own commands that failed; commands in MQSC are counted by the tally.
        self._own_failures = 0
        self._last = ""
        # What the line to edit begins with, after \e.
        self._draft = ""
        # The last browse command, without numbers: a number alone repeats it for that message.
        self._browsed = ""
        self._copies = Copies()
        self._next_output = output_marks.Output()
        # Whether the user has agreed to all commands of a `foreach`.
        self._is_agreed = False
        self.past = past_in_use.PastInUse()

    @property
    def exit_code(self) -> int:
        return FAILED if self._failures() or self.unit.failed else 0

    def _failures(self) -> int:
        """The number of commands that failed so far."""
        return self.tally.syntax_errors + self.tally.failures + self._own_failures

    def _unit_of(self, qmgr: QueueManager) -> UnitSession:
        choices = self._around.choices._replace(
            store=store_url.url_of_file(qmgr.store.path or ""),
            qmgr=qmgr.name,
        )
        self._display.choices = choices
        return UnitSession(qmgr, choices, self._display.say)

    def carry_out(self, text: str) -> bool:
        """Carry out a typed command, or several pasted ones; return whether the shell ends.

        Ctrl-C interrupts a command, not the shell.
        """
        with self._copies.of_screen():
            return self._carry_out_each(text)

    def _carry_out_each(self, text: str) -> bool:
        commands = [*command_text.commands_of(command_text.without_added_mark(text))]
        is_for_others = text.strip().startswith(("!", "\\")) and "\n" not in text.strip()
        if is_for_others or (text.strip().startswith("?") and not commands):
            commands = [command_text.Typed(text, 1)]
        # The caret of an error is right below the command only if nothing was printed in between.
        self._display.indent = (
            self.prompt_width if "\n" not in text and len(commands) == 1 else None
        )
        alone = len(commands) == 1
        sequence = CommandSequence(self._failures, self._display.say)
        for number, typed in enumerate(commands):
            if command_text.is_ending(typed.text):
                if number:
                    sequence.report()
                return True
            try:
                with nullcontext() if alone else sequence.next(typed.text, f" (line {typed.line})"):
                    self._carry_out(typed.text, alone=alone)
            except KeyboardInterrupt:
                self._display.say("interrupted")
                break
        if len(commands) > 1:
            sequence.report()
        return False

    def take_draft(self) -> str:
        """What the next line to edit begins with; it is taken once."""
        draft, self._draft = self._draft, ""
        return draft

    def send_next(self, target: str) -> None:
        """Send the output of the next command to a file, or to a program after a bar."""
        mark = next((each for each in ("|", ">>", ">!", ">") if target.startswith(each)), ">")
        self._next_output = output_marks.output_of(mark, target.removeprefix(mark).strip())

    def _copy_to(self, target: str) -> None:
        """Copy what is shown to a file from now on; to none if the target is blank."""
        output = output_marks.output_of(">>", target) if target else output_marks.Output()
        check_file(output, self.qmgr.store.path, self._around.ask)
        self._copies.to(output.file)

    def _run_saved(self, name: str) -> None:
        """Run a saved command, or list them."""
        if not name:
            self._display.print(saved_lines())
            return
        command = saved(name)
        self._display.say(masked(command))
        if own_commands.first_word(command) == "\\f":
            raise SettingError("a saved command cannot run a saved command")
        self._carry_out_each(command)

    def _edit(self, text: str) -> None:
        """Edit a command, or the last one, which is then in the line to edit."""
        last = "" if secret_spans(self._last.replace("\n", " ")) else self._last
        self._draft = edited(text or last)

    def _carry_out(self, text: str, *, alone: bool) -> None:
        began = elapsed_real_seconds()
        settings = self.settings
        text = own_commands.in_words_of_today(text)
        try:
            if text.lstrip().startswith("\\"):
                self._set(text.strip(), alone=alone)
                return
            if text.lstrip().startswith("!"):
                if not alone:
                    raise own_commands.OwnCommandError("a pasted script cannot start programs")
                run_in_shell(text.lstrip()[1:].strip())
                return
            command, output = text, output_marks.Output()
            # A pasted block is a script: it cannot write files or start programs.
            if alone and own_commands.first_word(text) != "help":
                command, output, settings = output_marks.split_output(
                    self._of_browsed(text),
                    self.settings,
                )
            if (
                alone
                and output.is_screen
                and (own_commands.is_own_command(command) or is_command(command))
            ):
                output, self._next_output = self._next_output, output_marks.Output()
            own_commands.check_layout(command, settings, self.settings)
            if own_commands.first_word(command) == "watch":
                self._watch(command, output, settings)
                return
            check_file(output, self.qmgr.store.path, self._around.ask)
            self._display.screen = None if output.is_screen else sys.stdout
            with going_to(output, paged=settings.pager and own_commands.only_reads(command)):
                self._dispatch(command, output, settings)
        except (
            SettingError,
            StoreError,
            own_commands.OwnCommandError,
            repeated_commands.WatchError,
        ) as error:
            self._complain(str(error))
        except OSError as error:
            self._complain(f"{error.filename or 'output'}: {error.strerror or error}")
        finally:
            self._display.screen = None
        if settings.timing:
            sys.stdout.write(f"({elapsed_real_seconds() - began:.3f} s)\n")

    def _of_browsed(self, text: str) -> str:
        """The command that a number stands for after a browse: the browse of that message."""
        if own_commands.first_word(text) == "browse":
            self._browsed = command_text.without_numbers(
                output_marks.split_output(text, self.settings)[0],
            )
        is_number = bool(self._browsed) and own_commands.first_word(text).isdecimal()
        return f"{self._browsed} {text.lstrip()}" if is_number else text

    def _dispatch(
        self,
        command: str,
        output: output_marks.Output,
        settings: Settings,
    ) -> None:
        text = explain_trigger.as_trigger_explain(command.strip())
        if not own_commands.is_own_command(text):
            if text.endswith("?"):
                self._display.print(
                    help_text.help_lines(
                        text.rstrip("? ").split()[:2],
                        reply_display.screen_width(),
                        text,
                    ),
                )
                return
            hint = first_words.hint_for(own_commands.first_word(text))
            if hint:
                raise own_commands.OwnCommandError(hint)
            self._last = text
            self._mqsc(command, output, settings)
            return
        self.past.refuse(text)
        name, words = own_commands.first_word(text), text.split()[1:]
        if name.startswith("?"):
            self._display.print(
                help_text.help_lines(
                    text.lstrip("? ").split() or ["?"],
                    reply_display.screen_width(),
                    self._last,
                ),
            )
            return
        if name == "foreach":
            self._for_each(text, output, settings)
            return
        if self.unit.carry_out(text, _format_of_messages(settings, self.settings)):
            return
        if name in _ACTIONS:
            _ACTIONS[name](self, words)
        else:
            self._run_command(own_commands.OWN_COMMANDS[name], text, settings.data_format)

    def _for_each(
        self,
        text: str,
        output: output_marks.Output,
        settings: Settings,
    ) -> None:
        """Carry out a command for each object that a DISPLAY finds."""
        selection, command = repeated_commands.split_foreach(text)
        request = request_of(selection)
        answer = perform_request(self.qmgr, self._display.prepared(request))
        if not answer.shows_rows:
            self._own_failures += 1
            self._display.show_on_screen(answer, selection, settings)
            return
        answer, _ = reply_display.without_system(answer, request, settings)
        commands = commands_for(command, answer)
        if not commands:
            self._display.say("no object was found: nothing to do")
            return
        if not own_commands.only_reads(command):
            for line in listed(commands):
                self._display.say(line)
            if not self._around.ask(f"Run {counted(len(commands), 'command')}? [y/N] "):
                self._display.say("Nothing was run.")
                return
        self._run_for_each(commands, output, settings)

    def _run_for_each(
        self,
        commands: list[str],
        output: output_marks.Output,
        settings: Settings,
    ) -> None:
        """Run commands that the user has agreed to, also after one that failed."""
        sequence = CommandSequence(self._failures, self._display.say)
        self._is_agreed = True
        try:
            for command in commands:
                with sequence.next(command):
                    try:
                        self._dispatch(command, output, settings)
                    except (
                        SettingError,
                        StoreError,
                        own_commands.OwnCommandError,
                    ) as error:
                        self._complain(str(error))
        finally:
            self._is_agreed = False
            sequence.report()

    def _mqsc(
        self,
        text: str,
        output: output_marks.Output,
        settings: Settings,
    ) -> None:
        for step in self._script.steps(text.split("\n")):
            if isinstance(step, Answered):
                self._display.show(step.answer, text, output, settings)
                if shows_what_is_not_run(step.answer):
                    self._display.say(NO_PROGRAMS)

    def _perform_typed(self, request: Request) -> Answer:
        """Perform a request that was typed, after a question if it removes messages."""
        if self.past.moment and request.verb != "DISPLAY":
            return reply.refused_in_past(f"{request.verb} {request.noun}", self.past.shown)
        if removal.removes_messages(request) and not self._is_agreed:
            asked = removal.question(request, removal.depth_of(self.qmgr, request.name))
            if asked and not self._around.ask(f"{asked} [y/N] "):
                sys.stdout.write("Nothing was removed.\n")
                return _DECLINED
        return perform_request(self.qmgr, self._display.prepared(request))

    def _run_command(self, own_command: OwnCommand, text: str, format: str | None = None) -> None:
        """Run a command of the command line on the store and queue manager of the session, with
        this value of --format.
        """
        words = quoted_words.checked_words([*text.split(maxsplit=1), ""][1])
        self.unit.release()
        if self.past.target:
            # It reads the target anew, with the messages and states that it needs.
            common, words = [], [*words, ON, self.past.target]
        else:
            common = ["--store", store_url.url_of_file(self.qmgr.store.path or "")]
            # If the last queue manager was deleted, `qmgr create` makes another one.
            common += ["--qmgr", self.qmgr.name] if self.qmgr.store.queue_managers() else []
        common += ["--format", format] if format else []
        code = self._around.run([*common, *own_command.path, *words], own_command.name)
        self._own_failures += code >= FAILED

    def use(self, words: list[str]) -> None:
        """Work with another queue manager of the store, or list them."""
        store = self.qmgr.store
        if not words:
            names = [row.name for row in store.queue_managers()]
            lines = [f"{'*' if name == self.qmgr.name else ' '} {name}" for name in names]
            self._display.print(lines or [own_commands.NO_QUEUE_MANAGER])
            return
        self._change_to(
            lambda: own_commands.queue_manager_named(
                store,
                quoted_words.checked_words(words[0])[0],
            ),
        )

    def as_of(self, words: list[str]) -> None:
        """Read the queue manager as it was from now on, or as it is again; without a moment, say
        which it is.
        """
        if words:
            self._change_to(lambda: self.past.go(self._around.choices, self.qmgr, words))
            self.past.leave_former()
        else:
            self._display.print([self.past.moment or "now"])

    def on(self, words: list[str]) -> None:
        """Read a queue manager elsewhere from now on, or again that of the store; without a
        target, say which it is.
        """
        if words:
            self._change_to(lambda: self.past.go_to_target(self._around.choices, self.qmgr, words))
            self.past.leave_former()
        else:
            self._display.print([self.past.target or "here"])

    def _change_to(self, queue_manager: Callable[[], QueueManager]) -> None:
        if self.unit.is_open:
            raise own_commands.OwnCommandError(
                f"a unit of work is open on {self.qmgr.name}; commit or back first",
            )
        qmgr = queue_manager()
        self.unit.__exit__(None, None, None)
        self._browsed = ""
        failed = self.unit.failed
        self.qmgr = self._script.qmgr = qmgr
        self.unit = self._unit_of(qmgr)
        self.unit.failed = failed

    def help(self, words: list[str]) -> None:
        """Help: on what only the shell has, on a command with the shell's options, otherwise
        that of `mqsc help`.
        """
        name = words[0].lower() if words else ""
        row = own_commands.OWN_COMMANDS.get(name)
        if (
            not words
            or name.startswith("\\")
            or (row is not None and not row.path and name not in UNIT_COMMANDS)
        ):
            self._display.print(
                help_text.help_lines(words, reply_display.screen_width(), self._last),
            )
            return
        self._run_command(
            own_commands.OWN_COMMANDS["explain"],
            f"explain {' '.join(words)}",
        )
        if name in UNIT_COMMANDS:
            self._display.print(["", *unit_help(name)])

    def _watch(
        self,
        text: str,
        output: output_marks.Output,
        settings: Settings,
    ) -> None:
        if not output.is_screen:
            raise own_commands.OwnCommandError(
                "watch redraws the screen; its output cannot go to a file or a program",
            )
        seconds, command = repeated_commands.read_watch(text)
        if not own_commands.only_reads(command):
            raise own_commands.OwnCommandError(
                "watch repeats commands that show something, such as DISPLAY",
            )
        watch_command(
            command,
            lambda: self._dispatch(command, output, settings),
            seconds,
            self.qmgr.now,
        )

    def _set(self, text: str, *, alone: bool) -> None:
        """Change a setting, or show one, or all; or carry out another command after a backslash."""
        name, new_value = (*text[1:].split(maxsplit=1), "", "")[:2]
        if name in _BACKSLASH:
            if not alone:
                raise SettingError(f"\\{name} is typed alone, not in a pasted script")
            _BACKSLASH[name](self, new_value.strip())
            return
        if new_value or name == "sort":
            self.settings = self.settings.changed(name, new_value.strip())
        else:
            self._display.print(
                f"\\{each} {self.settings.shown(each)}".rstrip()
                for each in ([name] if name else SETTINGS)
            )

    def close(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
    ) -> None:
        self.unit.__exit__(kind, error, None)
        self.past.close()
        self._copies.close()

    def _complain(self, sentence: str) -> None:
        self._own_failures += 1
        self._display.say(sentence)


def _format_of_messages(
    settings: Settings,
    session: Settings,
) -> str | None:
    """The format of get and put: they print messages one by one, so CSV is for other commands of a
    session that has it.
    """
    is_of_session = settings.format == session.format
    return None if settings.format == "csv" and is_of_session else settings.data_format


_Action = Callable[[ShellSession, list[str]], None]
_ACTIONS: dict[str, _Action] = {
    "use": ShellSession.use,
    "help": ShellSession.help,
    "as-of": ShellSession.as_of,
    "on": ShellSession.on,
}
_BACKSLASH: dict[str, Callable[[ShellSession, str], None]] = {
    "tee": ShellSession._copy_to,
    "once": ShellSession.send_next,
    "e": ShellSession._edit,
    "f": ShellSession._run_saved,
    "fs": lambda session, words: save(words),
    "fd": lambda session, name: delete(name),
}
