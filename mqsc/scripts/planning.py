"""`mqsc run --plan`: what scripts would do, without doing it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mqsc.console.inputs import InputSource
from mqsc.console.json_output import JSON_FORMATS
from mqsc.console.options import Choices, is_terminal
from mqsc.console.plan_output import PlanJson, PlanText, exit_code, summary
from mqsc.console.target import FIRST_QUEUE_MANAGER, NothingRunError, opened_queue_manager
from mqsc.plan import Action, Trial
from mqsc.reply import text_of
from mqsc.script import Answered, Script
from mqsc.scripts.session import How, Inputs, nothing_to_read

if TYPE_CHECKING:
    from store.client.api import QueueManager


def plan_sources(choices: Choices, sources: Sequence[InputSource], how: How, *, atomic: bool = False) -> int:
    """Print the plan of the inputs for the chosen queue manager, line by line as they are tried on a copy of it.

    With `atomic`, what --atomic would refuse is an error.

    The exit code: 0 when nothing would change, 2 when something would, 10 when a command would fail or an input cannot
    be read, 20 when nothing can be planned. Nothing is written: a store that is missing stays so.
    """
    from store.client.plan_copy import tried_out

    if nothing_to_read(sources):
        return 20
    counts: Counter[Action] = Counter()
    with _planned_for(choices) as qmgr:
        if not qmgr.is_running:
            raise NothingRunError(f"AMQ8146E: {text_of('AMQ8146E', qmgr.name)}")
        with tried_out(qmgr) as copy:
            trial, out = Trial(qmgr, copy, atomic=atomic), _output(choices)
            inputs = Inputs(sources, qmgr.store.path, stop_on_error=how.stop_on_error)
            out.begin(qmgr.name)
            for step in inputs.steps(Script(None, carry_out=trial.carry_out, values=how.values)):
                if isinstance(step, Answered):
                    for planned in trial.planned(step):
                        counts[planned.action] += 1
                        out.write(planned)
            out.end(counts)
    if choices.format in JSON_FORMATS:
        choices.inform(f"mqsc: {summary(counts)}")
    return 10 if inputs.unread else exit_code(counts)


@contextmanager
def _planned_for(choices: Choices) -> Iterator[QueueManager]:
    """The queue manager chosen; where a run would make store and QM1 first, one like it that is kept nowhere."""
    from store import open_store

    lacking = _lacking(choices)
    if lacking is None:
        with opened_queue_manager(choices) as qmgr:
            yield qmgr
        return
    choices.inform(f"mqsc: {lacking} yet: this is the plan for a new queue manager {FIRST_QUEUE_MANAGER}")
    with open_store("sqlite://") as store:
        yield store.create_queue_manager(FIRST_QUEUE_MANAGER)


def _lacking(choices: Choices) -> str | None:
    """Why a run that names no queue manager would make one; None when it names one or would not."""
    from store import open_store

    if choices.qmgr_name() is not None:
        return None
    if choices.store_is_missing():
        return "there is no store"
    with open_store(choices.store_url(), create=False) as store:
        return None if store.queue_managers() else "the store holds no queue manager"


def _output(choices: Choices) -> PlanText | PlanJson:
    if choices.format in JSON_FORMATS:
        return PlanJson(sys.stdout, array=choices.format == "json")
    return PlanText(sys.stdout, terminal=is_terminal(sys.stdout))
