"""A case made smaller: steps, fields and definitions are left out while it still shows the same."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

from mqsc import store
from mqsc.cli.past.case_run import perform_steps, variables
from mqsc.cli.past.case_steps import Case, NewObject, Step
from mqsc.language.reply import CommandError
from mqsc.script import run
from mqsc.scripts.export import ExportCommand
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.error import MQError
from mqsc.testing import made_queue_manager

# A case is made smaller by trying; more tries than this take too long.
MOST_TRIES = 3_000


Item = TypeVar("Item")
# Yields candidates, and is sent whether each of them is taken; the next begins from there.
Candidates: TypeAlias = Generator[Case, bool, None]


def smaller(case: Case, is_such: Callable[[Case], bool]) -> Case:
    """The case without everything that can be left out so that it `is_such` still."""
    tries = 0
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for reduce in (
            _fewer_steps,
            _fewer_fields,
            _free_gets,
            _fewer_definitions,
            _fewer_attributes,
        ):
            candidates = reduce(case)
            candidate = next(candidates, None)
            while candidate is not None and tries < MOST_TRIES:
                tries += 1
                is_taken = is_such(candidate)
                if is_taken:
                    case = candidate
                    is_smaller = True
                candidate = _next(candidates, is_taken)
    return case


def _next(candidates: Candidates, is_taken: bool) -> Case | None:
    """The next candidate after one that is taken or not; None if there is none."""
    try:
        return candidates.send(is_taken)
    except StopIteration:
        return None


def _shorter(items: tuple[Item, ...], with_items: Callable[[tuple[Item, ...]], Case]) -> Candidates:
    """Cases without some of these: halves, quarters and so on, the last first. What comes before
    those that are left out keeps its place, so nothing is tried twice.
    """
    size = len(items)
    while size:
        begin = max(len(items) - 1, 0) // size * size
        while begin >= 0 and items:
            left = items[:begin] + items[begin + size :]
            if (yield with_items(left)):
                items = left
            begin -= size
        size //= 2


def _fewer_steps(case: Case) -> Candidates:
    return _shorter(case.steps, lambda steps: case._replace(steps=steps))


def _fewer_definitions(case: Case) -> Candidates:
    return _shorter(case.definitions, lambda left: case._replace(definitions=left))


def _fewer_fields(case: Case) -> Candidates:
    # Most fields matter in no message, so first each is left out of all at once.
    for word in dict.fromkeys(word for step in case.steps for word in _fields_of(step)):
        steps = (
            _without_field(step, word) if word in _fields_of(step) else step for step in case.steps
        )
        candidate = case._replace(steps=tuple(steps))
        if (yield candidate):
            case = candidate
    for place, step in enumerate(case.steps):
        for word in _fields_of(step):
            candidate = _with_step(case, place, _without_field(case.steps[place], word))
            if (yield candidate):
                case = candidate


def _message_of(step: Step) -> NewObject | None:
    """The message that a step puts."""
    messages = (each for each in step.args if isinstance(each, NewObject))
    return next((each for each in messages if each.name == "Message"), None)


def _fields_of(step: Step) -> list[str]:
    message = _message_of(step)
    return [] if message is None else [*message.named["descriptor"].named]


def _without_field(step: Step, word: str) -> Step:
    message = _message_of(step)
    assert message is not None
    fields = message.named["descriptor"].named
    left = {name: value for name, value in fields.items() if name != word}
    shorter = message._replace(named={"descriptor": NewObject("MessageDescriptor", left)})
    return step._replace(args=tuple(shorter if each is message else each for each in step.args))


def _with_step(case: Case, place: int, step: Step) -> Case:
    return case._replace(steps=(*case.steps[:place], step, *case.steps[place + 1 :]))


def _free_gets(case: Case) -> Candidates:
    """Gets that take the first message in place of one with a MsgId: all of them, or else each."""
    candidate = case._replace(steps=tuple(map(_freed, case.steps)))
    if candidate.steps != case.steps and (yield candidate):
        return
    for place, step in enumerate(case.steps):
        if _freed(step) is not step:
            candidate = _with_step(case, place, _freed(step))
            if (yield candidate):
                case = candidate


def _freed(step: Step) -> Step:
    if step.method != "get" or "match_options" not in step.args[0].named:
        return step
    options = NewObject("GetMessageOptions", {"options": step.args[0].named["options"]})
    return step._replace(args=(options,))


def _fewer_attributes(case: Case) -> Candidates:
    for place, command in enumerate(case.definitions):
        for word in command.values:
            now = case.definitions[place]
            left = {name: value for name, value in now.values.items() if name != word}
            changed = ExportCommand(now.verb, now.definition, left)
            definitions = (*case.definitions[:place], changed, *case.definitions[place + 1 :])
            candidate = case._replace(definitions=definitions)
            if (yield candidate):
                case = candidate


class Trials:
    """Performs cases on a store in memory, each on a new queue manager, and takes back what they
    did.
    """

    def __init__(self) -> None:
        self._store = store.open_store("sqlite://")
        self._qmgr = made_queue_manager(self._store)
        # A connection that is collected would be recovered, and another trial has its number: those
        # of all trials stay, also of a trial that fails.
        self._variables: list[dict[str, Any]] = []

    def __enter__(self) -> Trials:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def result(self, case: Case, looked_at: Callable[[QueueManager, int], Any]) -> Any:
        """What `looked_at` finds, given the number of the last event before the steps; None for
        a case that fails.
        """
        outcome = None
        with suppress(_OverError), self._store.database.one_transaction():
            with suppress(MQError, CommandError, AssertionError, KeyError, ValueError):
                run(self._qmgr, "\n".join(case.script), check=True)
                last = self._store.bound().seq
                self._variables.append(variables(self._qmgr))
                perform_steps(case, self._variables[-1])
                outcome = looked_at(self._qmgr, last)
            raise _OverError
        return outcome


class _OverError(Exception):
    """Ends a trial, so that its transaction is rolled back."""


def keep(case: Case, case_store: Store, name: str) -> None:
    """Perform the case on a new queue manager of a store."""
    perform_steps(
        case, variables(made_queue_manager(case_store, script="\n".join(case.script), name=name))
    )
