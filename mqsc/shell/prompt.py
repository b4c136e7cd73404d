"""The interactive shell: reads MQSC, and its own commands, at a prompt and prints the replies, until `end`.

A line that ends in a continuation character continues on the next line. The history holds complete commands, and never
a secret.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import takewhile

from platformdirs import user_state_path
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory
from prompt_toolkit.output import ColorDepth

from grammar.lines import LogicalLine, logical_lines
from mqsc.console.options import Choices
from mqsc.console.reply_output import TextWriter
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import printable
from mqsc.language.masking import secret_spans
from mqsc.script import Answered, Script, is_ending
from mqsc.shell.completion import candidates, last_command
from mqsc.shell.explain_command import shell_answer
from mqsc.shell.object_names import names_at
from mqsc.shell.unit_commands import NAMES, UnitSession, is_unit_command
from store.client.api import QueueManager

CONTINUATION_PROMPT = "     > "
# The exit code when a command on messages failed.
FAILED = 10
_POSITION = re.compile(r"line \d+, column \d+: ")
_VARIABLE = re.compile(r"\+([A-Za-z_][A-Za-z0-9_]*)\+")


class MqscCompleter(Completer):
    """Completes keywords and object names; `previous_lines` are the earlier lines of the same command."""

    def __init__(self, qmgr: QueueManager) -> None:
        self.previous_lines = ""
        self._qmgr = qmgr

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = self.previous_lines + document.text_before_cursor
        for begun, words in (candidates(text), names_at(self._qmgr, text), _own_commands(text)):
            for word in words:
                yield Completion(word, start_position=-len(begun))


def _own_commands(text: str) -> tuple[str, list[str]]:
    """The commands on messages that the first word of a command may become."""
    begun = last_command(text).lstrip()
    return begun, [name for name in NAMES if begun and name.startswith(begun.lower())]


class CommandHistory(FileHistory):
    """Keeps complete commands, except those with a secret."""

    def append_string(self, string: str) -> None:
        """Ignore single lines: whether one is a secret shows only in the complete command."""

    def remember(self, text: str) -> None:
        """Add a complete command to the history, in memory and in the file."""
        if text.strip() and not secret_spans(text.replace("\n", " ")):
            super().append_string(text)


def run_shell(choices: Choices, *, create: bool = True) -> int:
    """Run commands until END, EXIT, QUIT or the end of file, and return the exit code of the commands.

    With `create`, a missing or empty store gets its first queue manager.
    """
    with opened_queue_manager(choices, create=create) as qmgr:
        writer = TextWriter(sys.stdout, echo=False, terminal=True)
        writer.begin(qmgr.name)
        script = Script(qmgr)
        with UnitSession(qmgr, choices) as session:
            for text in _typed(prompt_of(qmgr.name), MqscCompleter(qmgr)):
                for part in parts_of(text):
                    _carry_out(script, session, part, writer)
                if has_end_command(text):
                    break
        writer.end(script.tally)
    return max(script.tally.exit_code, FAILED if session.failed else 0)


def parts_of(text: str) -> list[str]:
    """The commands of a text one by one if commands on messages are among them; otherwise the text as a whole.

    Commands after END are left out.
    """
    commands = [*takewhile(lambda line: not is_ending(line), _commands(text))]
    if any(is_unit_command(line.text) for line in commands):
        return [line.text for line in commands]
    return [text]


def _carry_out(script: Script, session: UnitSession, text: str, writer: TextWriter) -> None:
    """Run a command; Ctrl-C interrupts the command, not the shell."""
    try:
        lines = session.answer(text) or shell_answer(session.qmgr, text)
        if lines is not None:
            sys.stdout.writelines(f"{printable(line)}\n" for line in lines)
            return
        for step in script.steps(text.split("\n")):
            if isinstance(step, Answered):
                writer.answer(step)
                sys.stdout.writelines(f"{printable(line)}\n" for line in error_position(step.answer.text))
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")


def error_position(text: str) -> list[str]:
    """The position of a syntax error, to print again when the syntax help after it is longer than the screen."""
    lines = text.split("\n")
    if len(lines) < shutil.get_terminal_size().lines:
        return []
    return [line for line in lines[:-1] if _POSITION.match(line)]


def is_complete(text: str) -> bool:
    """Whether `text` is complete: its last line does not end in a continuation character."""
    commands = _commands(text)
    return not commands or not commands[-1].unfinished


def has_end_command(text: str) -> bool:
    """Whether END, EXIT or QUIT is among the commands typed or pasted."""
    return any(map(is_ending, _commands(text)))


def _commands(text: str) -> list[LogicalLine]:
    return [item for item in logical_lines(text.split("\n")) if isinstance(item, LogicalLine)]


def prompt_of(qmgr: str) -> str:
    """The prompt: MQPROMPT with +QMNAME+, +MQ_HOST_NAME+ and +environment variables+ replaced."""
    values = {**os.environ, "QMNAME": qmgr, "MQ_HOST_NAME": platform.node()}
    template = os.environ.get("MQPROMPT") or "+QMNAME+> "
    return printable(_VARIABLE.sub(lambda found: values.get(found[1], found[0]), template))


def _typed(prompt: str, completer: MqscCompleter) -> Iterator[str]:
    """Complete commands as typed, or blocks of them as pasted, until the end of file."""
    history = _history()
    colours = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
    session: PromptSession[str] = PromptSession(
        history=history,
        completer=completer,
        complete_while_typing=False,
        color_depth=colours,
        prompt_continuation=lambda width, number, wrapped: "" if wrapped else CONTINUATION_PROMPT,
    )
    while True:
        try:
            text = _command(session, completer, prompt)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        history.remember(text)
        yield text


def _command(session: PromptSession[str], completer: MqscCompleter, prompt: str) -> str:
    completer.previous_lines = ""
    text = session.prompt(prompt)
    while not is_complete(text):
        completer.previous_lines = f"{text}\n"
        text = f"{text}\n{session.prompt(CONTINUATION_PROMPT)}"
    return text


def _history() -> CommandHistory:
    """The history file, readable only by its owner; the null device when the file cannot be created."""
    try:
        folder = user_state_path("mqsc", appauthor=False)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "history"
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600))
        path.chmod(0o600)
    except OSError:
        return CommandHistory(os.devnull)
    return CommandHistory(str(path))
