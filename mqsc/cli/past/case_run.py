"""The steps of a case performed on a new queue manager."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc import store, testing
from mqsc.cli.past.case_steps import CLOCK, QUEUE_MANAGER, Case, Flags, NewObject, Variable
from mqsc.script import run
from mqsc.store.client.queue_manager import QueueManager
from mqsc.testing import ManualClock


def variables(qmgr: QueueManager) -> dict[str, Any]:
    """The variables that a test has at its begin."""
    return {QUEUE_MANAGER: qmgr, CLOCK: ManualClock(qmgr), "run": run}


def perform_steps(case: Case, names: dict[str, Any]) -> None:
    """Perform the steps, which add variables. The errors are those of the calls, AssertionError
    for a wrong result.
    """
    for step in case.steps:
        function = getattr(names[step.on], step.method) if step.on else names.get(step.method)
        function = function or getattr(testing, step.method)
        named = {word: _value(each, names) for word, each in step.named.items()}
        result = function(*(_value(each, names) for each in step.args), **named)
        if step.into:
            names[step.into] = result
        performed = (
            None if result is None else getattr(getattr(result, "descriptor", None), "msg_id", None)
        )
        if step.expected != b"" and performed != step.expected:
            raise AssertionError(f"{step.method} has another result")


def _value(argument: Any, names: Mapping[str, Any]) -> Any:
    if isinstance(argument, Variable):
        return names[argument.name]
    if isinstance(argument, Flags):
        return argument.value
    if isinstance(argument, NewObject):
        named = {word: _value(each, names) for word, each in argument.named.items()}
        return getattr(store, argument.name)(
            *(() if argument.data is None else (argument.data,)), **named
        )
    return argument
