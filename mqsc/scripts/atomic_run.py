"""`mqsc run --atomic` and `--plan`.

All inputs are read first, and the commands are tried on a copy of the queue manager. If none fails,
all are performed in one database transaction. The output is printed after the commit. Other
programs wait during the transaction.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO, TextIO, cast

from mqsc.console.inputs import InputSource, is_empty, read_now
from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.object_names import remember_names_elsewhere
from mqsc.console.options import Choices
from mqsc.console.target import FIRST_QUEUE_MANAGER, opened_queue_manager, reason_to_create, running
from mqsc.console.terminal import is_terminal, printable
from mqsc.console.text.reasons import counted
from mqsc.plan import Action, Planned, Trial
from mqsc.script import Answered, Echoed, Script
from mqsc.scripts import run
from mqsc.scripts.deletions import PlanWithUses
from mqsc.scripts.plan_output import print_rows, print_summary
from mqsc.scripts.selection import Selection
from mqsc.store import open_store
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager

# Longer output is held in a file until the commit.
HELD_IN_MEMORY = 1 << 20
NOTHING_CHANGED = "nothing was changed"


class _FailedNow(Exception):
    """A command, with the lines that it was read from, fails that succeeded on the copy. It
    rolls the work back.
    """


def run_atomically(
    choices: Choices,
    sources: Sequence[InputSource],
    options: run.RunOptions,
) -> int:
    """Run the inputs as one; return the exit code: 10 if a command fails, 20 if an input cannot
    be read.
    """
    sources = [read_now(source) for source in sources]
    faults = [source.fault for source in sources if source.fault]
    for fault in faults:
        run.print_error(fault)
    if faults:
        run.print_error(f"{NOTHING_CHANGED}: --atomic needs all inputs")
        return 20
    if all(map(is_empty, sources)):
        return run.run_sources(choices, sources, options)
    with ExitStack() as stack:
        qmgr = stack.enter_context(opened_queue_manager(choices, create=True, for_users=True))
        if options.skip_if_running and not stack.enter_context(run.job_lock(choices, qmgr)):
            return 0
        if not qmgr.is_running:
            return run.not_running(choices, qmgr.name)
        return _try_on_copy(choices, qmgr, sources, options) or apply(
            choices,
            qmgr,
            sources,
            options,
        )


def _try_on_copy(
    choices: Choices,
    qmgr: QueueManager,
    sources: Sequence[InputSource],
    options: run.RunOptions,
) -> int:
    """0 if every command would succeed; otherwise print those that would fail and return the
    exit code.
    """
    with tried_out(qmgr) as copy:
        script = options.script(None, Trial(qmgr, copy, atomic=True).carry_out)
        inputs = run.Inputs(sources, stop_on_error=options.stop_on_error)
        failing = list(_failing(inputs.steps(script)))
    return _report_failures(choices, options, qmgr.name, script, failing) if failing else 0


def apply(
    choices: Choices,
    qmgr: QueueManager,
    sources: Sequence[InputSource],
    options: run.RunOptions,
) -> int:
    """Perform all commands in one transaction, print the output after the commit, and return the
    exit code.

    If a command fails, the transaction is rolled back and only that command is printed.
    """
    with tempfile.SpooledTemporaryFile(
        HELD_IN_MEMORY,
        "w+",
        encoding="utf-8",
        errors="backslashreplace",
    ) as held:
        writer = run.writer_of(choices, cast("TextIO", held), echo=options.echo)
        script, inputs = options.script(qmgr), run.Inputs(sources, warn_if_empty=False)
        writer.begin(qmgr.name)
        try:
            with qmgr.store.database.one_transaction():
                run.write(writer, _without_failure(inputs.steps(script)))
        except _FailedNow as undone:
            return _report_failures(choices, options, qmgr.name, script, [undone.args])
        writer.end(script.tally)
        _print(held)
    if choices.format in DATA_FORMATS:
        choices.inform("\n".join(script.tally.lines()))
    return script.tally.exit_code


def _print(held: IO[str]) -> None:
    """Print the held output; if that fails (disk full), say that the commands were performed."""
    held.seek(0)
    terminal = is_terminal(sys.stdout)
    try:
        for line in held:
            sys.stdout.write(f"{printable(line[:-1])}\n" if terminal else line)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has ended.
        raise
    except OSError:
        run.print_error("all commands were performed, but the replies cannot be printed")
        raise


def _failing(steps: Iterator[Echoed | Answered]) -> Iterator[tuple[Echoed, Answered]]:
    """The commands that failed, each with its echo."""
    echo = Echoed(None, ())
    for step in steps:
        if isinstance(step, Echoed):
            echo = step
        elif run.has_failed(step):
            yield echo, step


def _without_failure(steps: Iterator[Echoed | Answered]) -> Iterator[Echoed | Answered]:
    """The steps; raises _FailedNow at the first command that fails."""
    echo = Echoed(None, ())
    for step in steps:
        if isinstance(step, Echoed):
            echo = step
        elif run.has_failed(step):
            raise _FailedNow(echo, step)
        yield step


def _report_failures(
    choices: Choices,
    options: run.RunOptions,
    name: str,
    script: Script,
    failing: Sequence[tuple[Echoed, Answered]],
) -> int:
    """Print the commands that failed and say that nothing was changed; return the exit code."""
    writer = run.writer_of(choices, sys.stdout, echo=options.echo)
    writer.begin(name)
    for pair in failing:
        run.write(writer, pair)
    writer.end(script.tally)
    run.print_error(
        f"{NOTHING_CHANGED}: {counted(len(failing), 'command')} of {script.tally.read} would fail",
    )
    return 10


# `mqsc run --plan`: shows what scripts would change, without changing it.


def plan_sources(
    choices: Choices,
    sources: Sequence[InputSource],
    options: run.RunOptions,
    *,
    atomic: bool,
    selection: Selection,
) -> int:
    """Try the inputs on a copy of the chosen queue manager and print the plan line by line; return
    the exit code.

    With `atomic`, commands that --atomic does not allow are errors. Of the objects only those of
    the selection are listed and count, and every error. The exit code is 0 if nothing would change,
    2 if something would, 10 if a command would fail or an input cannot be read, 20 if there is
    nothing to plan. Nothing is written; a missing store is not created.
    """
    if run.nothing_to_read(sources):
        return 20
    with queue_manager_to_plan_for(choices) as qmgr, tried_out(running(qmgr)) as copy:
        trial = Trial(qmgr, copy, atomic=atomic)
        inputs = run.Inputs(sources, qmgr.store.path, stop_on_error=options.stop_on_error)
        steps = inputs.steps(options.script(None, trial.carry_out))
        planned = (
            row for step in steps if isinstance(step, Answered) for row in trial.planned(step)
        )
        found = map(PlanWithUses(qmgr, copy).row_with_uses, _remembering_names(planned))
        shown = (
            row for row in found if row.action is Action.ERROR or selection.has(row.type, row.name)
        )
        counts = print_rows(choices, shown)
    sys.stdout.flush()
    print_summary(choices, qmgr.name, counts)
    return 10 if inputs.unread else counts.exit_code


def _remembering_names(rows: Iterator[Planned]) -> Iterator[Planned]:
    remember_names_elsewhere(())
    for row in rows:
        remember_names_elsewhere([row.name])
        yield row


@contextmanager
def queue_manager_to_plan_for(choices: Choices) -> Iterator[QueueManager]:
    """The chosen queue manager; a temporary one in memory if a run would create the first one."""
    reason = reason_to_create(choices)
    if reason is None:
        # Never created if it is named, but then the error is that of a run.
        with opened_queue_manager(
            choices,
            create=choices.qmgr_name() is not None,
            for_users=True,
        ) as qmgr:
            yield qmgr
        return
    choices.inform(
        f"mqsc: {reason}: this is the plan for a new queue manager {FIRST_QUEUE_MANAGER}",
    )
    with open_store("sqlite://") as store:
        yield store.create_queue_manager(FIRST_QUEUE_MANAGER)
