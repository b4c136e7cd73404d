"""`mqsc run --plan`: shows what scripts would change, without changing it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mqsc.console.inputs import InputSource
from mqsc.console.json_output import JSON_FORMATS, print_json
from mqsc.console.options import Choices
from mqsc.console.plan_output import PlanText, as_row, exit_code, summary
from mqsc.console.target import FIRST_QUEUE_MANAGER, opened_queue_manager, reason_to_create, running
from mqsc.console.terminal import columns, is_terminal
from mqsc.plan import Action, Planned, Trial
from mqsc.script import Answered
from mqsc.scripts.script_run import Inputs, RunOptions, nothing_to_read

if TYPE_CHECKING:
    from store.client.api import QueueManager


def plan_sources(choices: Choices, sources: Sequence[InputSource], options: RunOptions, *, atomic: bool = False) -> int:
    """Try the inputs on a copy of the chosen queue manager and print the plan line by line; return the exit code.

    With `atomic`, commands that --atomic does not allow are errors. The exit code is 0 if nothing would change, 2 if
    something would, 10 if a command would fail or an input cannot be read, 20 if there is nothing to plan. Nothing is
    written; a missing store is not created.
    """
    from store.client.plan_copy import tried_out

    if nothing_to_read(sources):
        return 20
    counts: Counter[Action] = Counter()
    with queue_manager_to_plan_for(choices) as qmgr, tried_out(running(qmgr)) as copy:
        trial = Trial(qmgr, copy, atomic=atomic)
        inputs = Inputs(sources, qmgr.store.path, stop_on_error=options.stop_on_error)
        steps = inputs.steps(options.script(None, trial.carry_out))
        found = (row for step in steps if isinstance(step, Answered) for row in trial.planned(step))
        _print(choices, qmgr.name, _counted(found, counts), counts)
    if choices.format in JSON_FORMATS:
        choices.inform(f"mqsc: {summary(counts)}")
    return 10 if inputs.unread else exit_code(counts)


def _counted(found: Iterable[Planned], counts: Counter[Action]) -> Iterator[Planned]:
    for planned in found:
        counts[planned.action] += 1
        yield planned


def _print(choices: Choices, name: str, found: Iterable[Planned], counts: Counter[Action]) -> None:
    if print_json(choices.format, map(as_row, found)):
        sys.stdout.flush()
        return
    text = PlanText(sys.stdout, terminal=is_terminal(sys.stdout), width=columns())
    text.begin(name)
    for planned in found:
        text.write(planned)
    text.end(counts)


@contextmanager
def queue_manager_to_plan_for(choices: Choices) -> Iterator[QueueManager]:
    """The chosen queue manager; a temporary one in memory if a run would create the first one."""
    from store import open_store

    reason = reason_to_create(choices)
    if reason is None:
        # Never created if it is named, but then the error is that of a run.
        with opened_queue_manager(choices, create=choices.qmgr_name() is not None) as qmgr:
            yield qmgr
        return
    choices.inform(f"mqsc: {reason}: this is the plan for a new queue manager {FIRST_QUEUE_MANAGER}")
    with open_store("sqlite://") as store:
        yield store.create_queue_manager(FIRST_QUEUE_MANAGER)
