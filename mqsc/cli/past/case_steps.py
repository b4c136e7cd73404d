"""A test case as data: definitions, and steps that are calls of public names. It can be performed,
made smaller, and written as the source of a test with pytest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from textwrap import indent
from typing import Any, NamedTuple

from mqsc import store, testing
from mqsc.language.reply import CommandError
from mqsc.script import run
from mqsc.scripts.export import ExportCommand
from mqsc.scripts.export_output import one_line
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.error import MQError
from mqsc.testing import ManualClock, made_queue_manager

QUEUE_MANAGER, CLOCK = "queue_manager", "mqsc_clock"
_FLAGS: Mapping[str, Any] = {"MQOO": MQOO, "MQPMO": MQPMO, "MQGMO": MQGMO}
_LONG, _WIDTH = 20, 80
# A case is made smaller by trying; more tries than this take too long.
_TRIES = 3_000


class Variable(NamedTuple):
    """The value of a variable."""

    name: str


class Flags(NamedTuple):
    """Options of a family such as MQOO."""

    family: str
    value: int


class NewObject(NamedTuple):
    """An object of a public class, made with these arguments by name, and data before them if it
    is a message.
    """

    name: str
    named: Mapping[str, Any]
    data: bytes | None = None


class Step(NamedTuple):
    """A call: of a method of a variable, or of a function. The result goes to `into`, and must be
    `expected`.

    `expected` is a MsgId for a message, None for no message, and blank bytes for anything. `note`
    is a comment.
    """

    method: str
    args: tuple[Any, ...]
    on: str = ""
    named: Mapping[str, Any] = {}
    into: str = ""
    expected: bytes | None = b""
    note: str = ""


class Case(NamedTuple):
    """A test: the commands that define objects, and the steps."""

    definitions: tuple[ExportCommand, ...]
    steps: tuple[Step, ...]

    @property
    def script(self) -> list[str]:
        """The definitions as lines of MQSC."""
        return [one_line(each) for each in self.definitions]


# Performing.


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
        found = (
            None if result is None else getattr(getattr(result, "descriptor", None), "msg_id", None)
        )
        if step.expected != b"" and found != step.expected:
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


# Making smaller.


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
            while again and tries < _TRIES:
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
            made = message._replace(named={"descriptor": NewObject("MessageDescriptor", left)})  # type: ignore[union-attr]
            args = tuple(made if each is message else each for each in step.args)
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


def keep(case: Case, store: Store, name: str) -> None:
    """Perform the case on a new queue manager of a store."""
    perform_steps(
        case, variables(made_queue_manager(store, script="\n".join(case.script), name=name))
    )


# Writing.


def source(case: Case, title: str) -> str:
    """The test as Python. Texts and data are written as Python literals; `title` must be
    harmless in a docstring.
    """
    body = [*_body(case.steps)]
    used = "\n".join(body)
    public = "Message", "MessageDescriptor", *_OPTIONS, *_FLAGS, "run"
    constants = [each for each in public if f"{each}(" in used or f"{each}." in used]
    asserted = sorted({each.method for each in case.steps if each.method.startswith("assert_")})
    lines = [f'"""{title}"""', "", "import pytest", ""]
    lines += [f"from mqsc import {', '.join(sorted([*constants, 'QueueManager']))}"]
    lines += [f"from mqsc.testing import {', '.join(sorted(['ManualClock', *asserted]))}", ""]
    lines += [
        "SETUP = (",
        *(f"    {_literal(each + chr(10))}" for each in case.script or [""]),
        ")",
        "",
        "",
    ]
    lines += ["@pytest.mark.mqsc(script=SETUP)"]
    lines += [f"def test_incident({QUEUE_MANAGER}: QueueManager, {CLOCK}: ManualClock) -> None:"]
    return "\n".join([*lines, *(indent(each, "    ") for each in body), ""])


_OPTIONS = ("GetMessageOptions", "PutMessageOptions")


def _body(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if step.note:
            yield f"# {step.note}"
        arguments = [_source(each) for each in step.args]
        arguments += [f"{word}={_source(each)}" for word, each in step.named.items()]
        begin, inside = f"{step.on + '.' if step.on else ''}{step.method}(", ", ".join(arguments)
        call = (
            f"{begin}{inside})"
            if len(inside) < _WIDTH
            else "\n".join([begin, *(f"    {each}," for each in arguments), ")"])
        )
        if step.expected is None:
            yield f"assert {call} is None"
        elif step.expected:
            yield f"assert {call}.descriptor.msg_id == {_source(step.expected)}"
        else:
            yield f"{step.into} = {call}" if step.into else call


def _source(argument: Any) -> str:
    if isinstance(argument, Variable):
        return argument.name
    if isinstance(argument, Flags):
        words = [
            each.name
            for each in _FLAGS[argument.family]
            if each and argument.value & each and not each & (each - 1)
        ]
        return " | ".join(f"{argument.family}.{word}" for word in words) or "0"
    if isinstance(argument, NewObject):
        named = [
            f"{word}={_source(each)}"
            for word, each in argument.named.items()
            if not _is_empty(each)
        ]
        data = [] if argument.data is None else [_source(argument.data)]
        return f"{argument.name}({', '.join([*data, *named])})"
    if isinstance(argument, bytes) and len(argument) > _LONG and len(set(argument)) == 1:
        return f"{_literal(argument[:1])} * {len(argument)}"
    return _literal(argument) if isinstance(argument, str | bytes) else repr(argument)


def _literal(text: str | bytes) -> str:
    """Text or data as Python, with double quotes where that needs no escapes."""
    prefix, written = ("b", repr(text)[1:]) if isinstance(text, bytes) else ("", repr(text))
    return (
        f'{prefix}"{written[1:-1]}"'
        if written[0] == "'" and '"' not in written
        else prefix + written
    )


def _is_empty(argument: Any) -> bool:
    return isinstance(argument, NewObject) and not argument.named and argument.data is None
