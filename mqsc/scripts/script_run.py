"""The parts that all ways to run scripts share: options, inputs, output, and the job lock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from msgspec import Struct, field

from mqsc.console.display_layout import with_severity
from mqsc.console.inputs import InputError, InputSource, is_pipe, opened_lines
from mqsc.console.json_output import JSON_FORMATS
from mqsc.console.options import Choices
from mqsc.console.parameter_types import iso
from mqsc.console.target import NothingRunError
from mqsc.console.terminal import is_terminal, notice
from mqsc.language.messages import message_line
from mqsc.script import Answered, Echoed, Script
from mqsc.scripts.reply_output import JsonWriter, QuietWriter, TextWriter, Writer
from mqsc.tally import Tally

if TYPE_CHECKING:
    from mqsc.language.request import Request
    from mqsc.reply import Answer
    from store.client.api import QueueManager


class RunOptions(Struct, frozen=True):
    """How to run scripts. `values` are the values of variables; None means that the scripts have no variables.

    `create` creates a queue manager if the store has none and none is named. `skip_unsupported` skips commands that are
    not supported here; they do not fail then.
    """

    echo: bool = True
    verify: bool = False
    skip_if_running: bool = False
    stop_on_error: bool = False
    values: Mapping[str, str] | None = None
    create: bool = True
    skip_unsupported: bool = False

    def script(self, qmgr: QueueManager | None, carry_out: Callable[[Request], Answer] | None = None) -> Script:
        """A script with these options; see Script for what performs its commands."""
        return Script(qmgr, carry_out=carry_out, values=self.values, skip_unsupported=self.skip_unsupported)


DEFAULTS = RunOptions()


class Inputs(Struct):
    """The inputs of a run, read one after another; `unread` are those that cannot be read.

    With `warn_if_empty` a warning on stderr mentions every empty input.
    """

    sources: Sequence[InputSource]
    store_path: str | None = None
    stop_on_error: bool = False
    warn_if_empty: bool = True
    unread: list[InputSource] = field(default_factory=list)

    def steps(self, script: Script) -> Iterator[Echoed | Answered]:
        """The steps of the script for every input in turn; stderr mentions an input that cannot be read.

        With `stop_on_error`, stop after the first command that fails or input that cannot be read.
        """
        for source in self.sources:
            for step in self._steps(script, source):
                yield step
                if self.stop_on_error and has_failed(step):
                    return
            if self.stop_on_error and self.unread:
                return

    def _steps(self, script: Script, source: InputSource) -> Iterator[Echoed | Answered]:
        empty = True
        try:
            with opened_lines(source, self.store_path) as lines:
                for step in script.steps(lines, source.file):
                    empty = False
                    yield step
        except InputError as fault:
            self.unread.append(source)
            print_error(str(fault))
            return
        if empty and self.warn_if_empty:
            print_error(f"{source.name}, line 1, column 1: the input is empty; enter a command such as DISPLAY QMGR")

    def exit_code(self, tally: Tally) -> int:
        """20 if no input could be read, 10 if some could not, else the exit code of the commands."""
        if len(self.unread) == len(self.sources):
            return 20
        return 10 if self.unread else tally.exit_code


def has_failed(step: Echoed | Answered) -> bool:
    """Whether the step is the answer to a command that failed."""
    return isinstance(step, Answered) and step.answer.completion == 2


def write(writer: Writer, steps: Iterable[Echoed | Answered]) -> None:
    """Print echoes and answers as they are produced."""
    for step in steps:
        if isinstance(step, Answered):
            writer.answer(step)
        else:
            writer.echo(step)


@contextmanager
def job_lock(choices: Choices, qmgr: QueueManager) -> Iterator[bool]:
    """Take the job lock of the queue manager for the block; yields False if another job holds it."""
    from store.sqlite.locks import SingleInstanceLock, lock_beside

    if qmgr.store.path is None:
        yield True
        return
    lock = SingleInstanceLock(lock_beside(qmgr.store.path, "job", qmgr.name), Path(qmgr.store.path))
    taken = lock.acquire()
    if not taken:
        choices.inform(f"mqsc: another job is using {qmgr.name}; this one is skipped")
    try:
        yield taken
    finally:
        lock.release()


def nothing_to_read(sources: Sequence[InputSource]) -> bool:
    """Whether none of the inputs can be read; prints the reasons to stderr."""
    faults = []
    for source in sources:
        fault = _fault_of(source)
        if not fault:
            return False
        faults.append(fault)
    for fault in faults:
        print_error(fault)
    return True


def _fault_of(source: InputSource) -> str:
    """Why a file cannot be read; blank if it can be, or if it is a pipe, which can be read only once."""
    if source.file is None or is_pipe(source.file):
        return ""
    try:
        with opened_lines(source):
            return ""
    except InputError as fault:
        return str(fault)


def not_running(choices: Choices, writer: Writer, name: str) -> int:
    """Report AMQ8146E between banner and tally; return exit code 20."""
    if choices.format in JSON_FORMATS:
        raise NothingRunError(message_line("AMQ8146E", name))
    writer.begin(name)
    # The words of runmqsc: the line before names the queue manager.
    click.echo(with_severity("AMQ8146E: IBM MQ queue manager not available."))
    writer.end(Tally())
    return 20


def writer_of(choices: Choices, out: TextIO, *, echo: bool) -> Writer:
    """A writer to `out` in the chosen format."""
    if choices.format in JSON_FORMATS:
        return JsonWriter(out, array=choices.format == "json")
    if choices.quiet:
        return QuietWriter(out, _moment, terminal=is_terminal(sys.stdout))
    return TextWriter(out, echo=echo, terminal=is_terminal(sys.stdout))


def print_error(sentence: str) -> None:
    """Print an error to stderr, even with --quiet."""
    notice(f"mqsc: {sentence}")


def _moment() -> str:
    """The current time of the machine, for the log."""
    from store.environment import Environment

    return iso(Environment.system().clock.now())
