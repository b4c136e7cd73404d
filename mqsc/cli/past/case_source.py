"""A case as the source of a test in Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import Any

from mqsc.cli.past.case_steps import (
    CLOCK,
    FLAGS,
    LONG,
    QUEUE_MANAGER,
    WIDTH,
    Case,
    Flags,
    NewObject,
    Step,
    Variable,
)


def source(case: Case, title: str) -> str:
    """The test as Python. Texts and data are written as Python literals; `title` must be
    harmless in a docstring.
    """
    body = [*_body(case.steps)]
    used = "\n".join(body)
    public = "Message", "MessageDescriptor", *_OPTIONS, *FLAGS, "run"
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
            if len(inside) < WIDTH
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
            for each in FLAGS[argument.family]
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
    if isinstance(argument, bytes) and len(argument) > LONG and len(set(argument)) == 1:
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
