"""`mqsc run --atomic`: all that the scripts say, or nothing.

Everything is read first and tried on a copy. Only when no command would fail it is done, in one database transaction,
and printed once that is committed; programs that use the queue manager wait meanwhile.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, TextIO, cast

from mqsc.console.inputs import InputSource, read_now
from mqsc.console.json_output import JSON_FORMATS
from mqsc.console.options import Choices, is_terminal
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import printable
from mqsc.plan import Trial
from mqsc.script import Answered, Echoed, Script
from mqsc.scripts.session import How, Inputs, alone, complain, has_failed, not_running, write, writer_of

if TYPE_CHECKING:
    from store.client.api import QueueManager

# Output of a longer run waits in a file.
HELD_IN_MEMORY = 1 << 20
NOTHING_CHANGED = "nothing was changed"


class _Undone(Exception):
    """A command that could be carried out when it was tried fails now; the exception undoes everything."""

    def __init__(self, failure: tuple[Echoed, Answered]) -> None:
        super().__init__()
        self.failure = failure


def run_atomically(choices: Choices, sources: Sequence[InputSource], how: How) -> int:
    """Run the inputs as one; the exit code: 10 when a command fails, 20 when an input cannot be read."""
    sources = [read_now(source) for source in sources]
    faults = [source.fault for source in sources if source.fault]
    for fault in faults:
        complain(fault)
    if faults:
        complain(f"{NOTHING_CHANGED}: --atomic needs every input")
        return 20
    with ExitStack() as stack:
        qmgr = stack.enter_context(opened_queue_manager(choices, create=True))
        if how.skip_if_running and not stack.enter_context(alone(qmgr)):
            return 0
        if not qmgr.is_running:
            return not_running(choices, writer_of(choices, sys.stdout, echo=how.echo), qmgr.name)
        return _tried(choices, qmgr, sources, how) or apply(choices, qmgr, sources, how)


def _tried(choices: Choices, qmgr: QueueManager, sources: Sequence[InputSource], how: How) -> int:
    """0 when every command can be carried out; else those that cannot are printed."""
    from store.client.plan_copy import tried_out

    with tried_out(qmgr) as copy:
        script = Script(None, carry_out=Trial(qmgr, copy, atomic=True).carry_out, values=how.values)
        inputs = Inputs(sources, stop_on_error=how.stop_on_error)
        failing = list(_failing(inputs.steps(script)))
    return _tell(choices, how, qmgr.name, script, failing) if failing else 0


def apply(choices: Choices, qmgr: QueueManager, sources: Sequence[InputSource], how: How) -> int:
    """Carry everything out in one transaction and print it once that is committed; the exit code.

    A command that fails undoes everything and is all that is printed.
    """
    with tempfile.SpooledTemporaryFile(HELD_IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace") as held:
        writer = writer_of(choices, cast("TextIO", held), echo=how.echo)
        script, inputs = Script(qmgr, values=how.values), Inputs(sources, talks=False)
        writer.begin(qmgr.name)
        try:
            with qmgr.store.database.one_transaction():
                write(writer, _without_failure(inputs.steps(script)))
        except _Undone as undone:
            return _tell(choices, how, qmgr.name, script, [undone.failure])
        writer.end(script.tally)
        _print(held)
    if choices.format in JSON_FORMATS:
        choices.inform("\n".join(script.tally.lines()))
    return script.tally.exit_code


def _print(held: IO[str]) -> None:
    """Print what was held back; where there is no room for it, say that it was done all the same."""
    held.seek(0)
    terminal = is_terminal(sys.stdout)
    try:
        for line in held:
            sys.stdout.write(f"{printable(line[:-1])}\n" if terminal else line)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read it has had enough.
        raise
    except OSError:
        complain("everything was carried out, but the replies cannot be printed")
        raise


def _failing(steps: Iterator[Echoed | Answered]) -> Iterator[tuple[Echoed, Answered]]:
    """The commands that failed, each with its echo."""
    echo = Echoed(None, ())
    for step in steps:
        if isinstance(step, Echoed):
            echo = step
        elif has_failed(step):
            yield echo, step


def _without_failure(steps: Iterator[Echoed | Answered]) -> Iterator[Echoed | Answered]:
    """The steps, up to a command that fails: then _Undone."""
    echo = Echoed(None, ())
    for step in steps:
        if isinstance(step, Echoed):
            echo = step
        elif has_failed(step):
            raise _Undone((echo, step))
        yield step


def _tell(choices: Choices, how: How, name: str, script: Script, failing: Sequence[tuple[Echoed, Answered]]) -> int:
    """Print the commands that cannot be carried out and say that none was; the exit code."""
    writer = writer_of(choices, sys.stdout, echo=how.echo)
    writer.begin(name)
    for pair in failing:
        write(writer, pair)
    writer.end(script.tally)
    commands = "1 command" if len(failing) == 1 else f"{len(failing)} commands"
    complain(f"{NOTHING_CHANGED}: {commands} of {script.tally.read} cannot be carried out")
    return 10
