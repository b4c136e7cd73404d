"""What the ways to run scripts share: reading the inputs in turn, choosing a writer, opening the queue manager."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from mqsc.console.display_layout import with_severity
from mqsc.console.inputs import InputError, InputSource, is_pipe, opened_lines
from mqsc.console.json_output import JSON_FORMATS
from mqsc.console.options import Choices, is_terminal
from mqsc.console.parameter_types import iso
from mqsc.console.reply_output import JsonWriter, QuietWriter, TextWriter, Writer
from mqsc.console.target import FIRST_QUEUE_MANAGER, NothingRunError, opened_queue_manager
from mqsc.script import Answered, Echoed, Script
from mqsc.tally import Tally

if TYPE_CHECKING:
    from store.client.api import QueueManager


@dataclass(frozen=True, slots=True)
class How:
    """How scripts are run: what is printed, when to stop, what the variables stand for (None: there are none).

    `create` makes a queue manager where there is none and none is named.
    """

    echo: bool = True
    verify: bool = False
    skip_if_running: bool = False
    stop_on_error: bool = False
    values: Mapping[str, str] | None = None
    create: bool = True


PLAINLY = How()


class Inputs:
    """The inputs of a run, read one after another; holds which of them could not be.

    Unless it `talks` it does not mention those that are empty: that has been said already.
    """

    def __init__(
        self,
        sources: Sequence[InputSource],
        store_path: str | None = None,
        *,
        stop_on_error: bool = False,
        talks: bool = True,
    ) -> None:
        self._sources = sources
        self._store_path = store_path
        self._stop_on_error = stop_on_error
        self._talks = talks
        self.unread: list[InputSource] = []

    def steps(self, script: Script) -> Iterator[Echoed | Answered]:
        """What the script makes of every input in turn; one that cannot be read is told of on stderr.

        With `stop_on_error` the first command that fails, or input that cannot be read, is the last.
        """
        for source in self._sources:
            for step in self._steps(script, source):
                yield step
                if self._stop_on_error and has_failed(step):
                    return
            if self._stop_on_error and self.unread:
                return

    def _steps(self, script: Script, source: InputSource) -> Iterator[Echoed | Answered]:
        empty = True
        try:
            with opened_lines(source, self._store_path) as lines:
                for step in script.steps(lines, source.file):
                    empty = False
                    yield step
        except InputError as fault:
            self.unread.append(source)
            complain(str(fault))
            return
        if empty and self._talks:
            complain(f"{source.name}, line 1, column 1: it is empty; a command such as DISPLAY QMGR would go here")

    def exit_code(self, tally: Tally) -> int:
        """20 when nothing could be read, 10 when something could not, else that of the commands."""
        if len(self.unread) == len(self._sources):
            return 20
        return 10 if self.unread else tally.exit_code


def has_failed(step: Echoed | Answered) -> bool:
    """Whether it is the answer to a command that failed."""
    return isinstance(step, Answered) and step.answer.completion == 2


def write(writer: Writer, steps: Iterable[Echoed | Answered]) -> None:
    """Print echoes and answers as they come."""
    for step in steps:
        if isinstance(step, Answered):
            writer.answer(step)
        else:
            writer.echo(step)


def run_sources(choices: Choices, sources: Sequence[InputSource], how: How = PLAINLY) -> int:
    """Run the inputs one after another against the chosen queue manager; the exit code."""
    # Before the store is opened, or made: nothing happens when there is nothing to run.
    if nothing_to_read(sources):
        return 20
    writer = writer_of(choices, sys.stdout, echo=how.echo)
    with ExitStack() as stack:
        if how.verify and choices.qmgr_name() is None:
            script, name, store_path = Script(None, values=how.values), FIRST_QUEUE_MANAGER, None
        else:
            qmgr = stack.enter_context(opened_queue_manager(choices, create=how.create and not how.verify))
            script = Script(None if how.verify else qmgr, values=how.values)
            name, store_path = qmgr.name, qmgr.store.path
            if how.skip_if_running and not stack.enter_context(alone(qmgr)):
                return 0
            if not how.verify and not qmgr.is_running:
                return not_running(choices, writer, name)
        inputs = Inputs(sources, store_path, stop_on_error=how.stop_on_error)
        writer.begin(name)
        write(writer, inputs.steps(script))
        writer.end(script.tally)
    if choices.format in JSON_FORMATS:
        choices.inform("\n".join(script.tally.lines()))
    return inputs.exit_code(script.tally)


@contextmanager
def alone(qmgr: QueueManager) -> Iterator[bool]:
    """Whether no other job holds the queue manager's job lock; it is ours until the block, or this process, ends."""
    from store.sqlite.locks import SingleInstanceLock, lock_beside

    if qmgr.store.path is None:
        yield True
        return
    lock = SingleInstanceLock(lock_beside(qmgr.store.path, "job", qmgr.name), Path(qmgr.store.path))
    taken = lock.acquire()
    if not taken:
        complain(f"another job works on {qmgr.name}; this one is skipped")
    try:
        yield taken
    finally:
        lock.release()


def nothing_to_read(sources: Sequence[InputSource]) -> bool:
    """Whether none of the inputs can be read; stderr then says why."""
    faults = []
    for source in sources:
        fault = _fault_of(source)
        if not fault:
            return False
        faults.append(fault)
    for fault in faults:
        complain(fault)
    return True


def _fault_of(source: InputSource) -> str:
    """Why a file cannot be read; blank for one that can be, and for what can be read only once."""
    if source.file is None or is_pipe(source.file):
        return ""
    try:
        with opened_lines(source):
            return ""
    except InputError as fault:
        return str(fault)


def not_running(choices: Choices, writer: Writer, name: str) -> int:
    """The queue manager is not running: AMQ8146E between banner and tally, exit code 20."""
    from mqsc.reply import text_of

    message = f"AMQ8146E: {text_of('AMQ8146E', name)}"
    if choices.format in JSON_FORMATS:
        raise NothingRunError(message)
    writer.begin(name)
    click.echo(with_severity(message))
    writer.end(Tally())
    return 20


def writer_of(choices: Choices, out: TextIO, *, echo: bool) -> Writer:
    """Prints to `out` in the format that was chosen."""
    if choices.format in JSON_FORMATS:
        return JsonWriter(out, array=choices.format == "json")
    if choices.quiet:
        return QuietWriter(out, _moment, terminal=is_terminal(sys.stdout))
    return TextWriter(out, echo=echo, terminal=is_terminal(sys.stdout))


def complain(sentence: str) -> None:
    """Say on stderr what is wrong, also with --quiet."""
    click.echo(f"mqsc: {sentence}", err=True)


def _moment() -> str:
    """Now by the machine's clock: what a log goes by."""
    from store.environment import Environment

    return iso(Environment.system().clock.now())
