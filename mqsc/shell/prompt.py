"""The interactive shell: a prompt, MQSC, answers. `end` leaves.

A line that ends in a continuation character asks for more. The history holds whole commands, and never a secret.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Iterator

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
from mqsc.shell.completion import candidates
from mqsc.shell.object_names import names_at
from mqsc.shell.words import shell_answer
from store.client.api import QueueManager

MORE = "     > "
_PLACE = re.compile(r"line \d+, column \d+: ")
_INSERT = re.compile(r"\+([A-Za-z_][A-Za-z0-9_]*)\+")


class Words(Completer):
    """Offers words and names that may stand at the cursor, after the lines of the same command that came `before`."""

    def __init__(self, qmgr: QueueManager) -> None:
        self.before = ""
        self._qmgr = qmgr

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """What begins with what has been typed of it."""
        text = self.before + document.text_before_cursor
        for begun, words in (candidates(text), names_at(self._qmgr, text)):
            for word in words:
                yield Completion(word, start_position=-len(begun))


class DiscreetHistory(FileHistory):
    """Keeps whole commands, unless one holds a secret."""

    def append_string(self, string: str) -> None:
        """A single line is not remembered: only with the whole command can a secret be seen."""

    def remember(self, text: str) -> None:
        """Remember what was typed, in memory and in the file."""
        if text.strip() and not secret_spans(text.replace("\n", " ")):
            super().append_string(text)


def run_shell(choices: Choices, *, create: bool = True) -> int:
    """Talk until END, EXIT, QUIT or the end of file; the exit code is that of the commands.

    With `create`, a store without any queue manager gets its first one.
    """
    with opened_queue_manager(choices, create=create) as qmgr:
        writer = TextWriter(sys.stdout, echo=False, terminal=True)
        writer.begin(qmgr.name)
        script = Script(qmgr)
        for text in _typed(prompt_of(qmgr.name), Words(qmgr)):
            _carry_out(script, text, writer)
            if holds_the_end(text):
                break
        writer.end(script.tally)
    return script.tally.exit_code


def _carry_out(script: Script, text: str, writer: TextWriter) -> None:
    """Carry out what was typed; Ctrl-C stops that and leaves the shell open."""
    try:
        own = None if script.qmgr is None else shell_answer(script.qmgr, text)
        if own is not None:
            sys.stdout.writelines(f"{printable(line)}\n" for line in own)
            return
        for step in script.steps(text.split("\n")):
            if isinstance(step, Answered):
                writer.answer(step)
                sys.stdout.writelines(f"{printable(line)}\n" for line in scrolled_away(step.answer.text))
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")


def scrolled_away(text: str) -> list[str]:
    """Where a command went wrong, once more, when the syntax that follows it is longer than the screen."""
    lines = text.split("\n")
    if len(lines) < shutil.get_terminal_size().lines:
        return []
    return [line for line in lines[:-1] if _PLACE.match(line)]


def is_complete(text: str) -> bool:
    """Whether what was typed so far ends a command: its last line does not end in a continuation character."""
    commands = _commands(text)
    return not commands or not commands[-1].unfinished


def holds_the_end(text: str) -> bool:
    """Whether END, EXIT or QUIT stands in what was typed or pasted."""
    return any(map(is_ending, _commands(text)))


def _commands(text: str) -> list[LogicalLine]:
    return [item for item in logical_lines(text.split("\n")) if isinstance(item, LogicalLine)]


def prompt_of(qmgr: str) -> str:
    """The prompt: what MQPROMPT says, with +QMNAME+, +MQ_HOST_NAME+ and variables of the environment filled in."""
    known = {**os.environ, "QMNAME": qmgr, "MQ_HOST_NAME": platform.node()}
    wanted = os.environ.get("MQPROMPT") or "+QMNAME+> "
    return printable(_INSERT.sub(lambda found: known.get(found[1], found[0]), wanted))


def _typed(prompt: str, words: Words) -> Iterator[str]:
    """Whole commands as they are typed, and blocks as they are pasted, until the end of file."""
    history = _history()
    colours = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
    session: PromptSession[str] = PromptSession(
        history=history,
        completer=words,
        complete_while_typing=False,
        color_depth=colours,
        prompt_continuation=lambda width, number, wrapped: "" if wrapped else MORE,
    )
    while True:
        try:
            text = _command(session, words, prompt)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        history.remember(text)
        yield text


def _command(session: PromptSession[str], words: Words, prompt: str) -> str:
    words.before = ""
    text = session.prompt(prompt)
    while not is_complete(text):
        words.before = f"{text}\n"
        text = f"{text}\n{session.prompt(MORE)}"
    return text


def _history() -> DiscreetHistory:
    """The history file, readable by its owner only; the null device where there can be no file."""
    from platformdirs import user_state_path

    try:
        folder = user_state_path("mqsc", appauthor=False)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / "history"
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600))
        path.chmod(0o600)
    except OSError:
        return DiscreetHistory(os.devnull)
    return DiscreetHistory(str(path))
