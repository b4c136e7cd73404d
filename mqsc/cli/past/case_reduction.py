"""A case made smaller: steps, fields and definitions are left out while it still shows the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from mqsc import store
from mqsc.cli.past.case_run import perform_steps, variables
from mqsc.cli.past.case_steps import Case, NewObject
from mqsc.language.reply import CommandError
from mqsc.script import run
from mqsc.scripts.export import ExportCommand
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.error import MQError
from mqsc.testing import made_queue_manager

# A case is made smaller by trying; more tries than this take too long.
MOST_TRIES = 3_000


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
            again = True
            while again and tries < MOST_TRIES:
                again = False
                for candidate in reduce(case):
                    tries += 1
                    if is_such(candidate):
                        case = candidate
                        again = True
                        is_smaller = True
                        break
    return case


def _without_some(number: int) -> Iterator[tuple[int, int]]:
    """Ranges to leave out: halves, quarters and so on, the last first."""
    size = number
    while size:
        for begin in range((number - 1) // size * size, -1, -size):
            yield begin, begin + size
        size //= 2


def _fewer_steps(case: Case) -> Iterator[Case]:
    for begin, end in _without_some(len(case.steps)):
        yield case._replace(steps=case.steps[:begin] + case.steps[end:])


def _fewer_fields(case: Case) -> Iterator[Case]:
    for place, step in enumerate(case.steps):
        message = next(
            (each for each in step.args if isinstance(each, NewObject) and each.name == "Message"),
            None,
        )
        fields = message.named["descriptor"].named if message is not None else {}
        for word in fields:
            left = {name: value for name, value in fields.items() if name != word}
            shorter = message._replace(named={"descriptor": NewObject("MessageDescriptor", left)})  # type: ignore[union-attr]
            args = tuple(shorter if each is message else each for each in step.args)
            yield case._replace(
                steps=(*case.steps[:place], step._replace(args=args), *case.steps[place + 1 :]),
            )


def _free_gets(case: Case) -> Iterator[Case]:
    """Gets that take the first message in place of one with a MsgId."""
    for place, step in enumerate(case.steps):
        if step.method == "get" and "match_options" in step.args[0].named:
            options = NewObject("GetMessageOptions", {"options": step.args[0].named["options"]})
            yield case._replace(
                steps=(
                    *case.steps[:place],
                    step._replace(args=(options,)),
                    *case.steps[place + 1 :],
                ),
            )


def _fewer_definitions(case: Case) -> Iterator[Case]:
    for begin, end in _without_some(len(case.definitions)):
        yield case._replace(definitions=case.definitions[:begin] + case.definitions[end:])


def _fewer_attributes(case: Case) -> Iterator[Case]:
    for place, command in enumerate(case.definitions):
        for word in command.values:
            left = {name: value for name, value in command.values.items() if name != word}
            changed = ExportCommand(command.verb, command.definition, left)
            yield case._replace(
                definitions=(*case.definitions[:place], changed, *case.definitions[place + 1 :]),
            )


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
