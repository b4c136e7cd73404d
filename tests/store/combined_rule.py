"""Rules of state machines whose arguments are drawn together: a draw costs as much as a call of the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

Method = Callable[..., None]


def combined_rule(**choices: Sequence[Any]) -> Callable[[Method], Method]:
    """Make a rule of a method: each argument is one of these values, of which the first is the simplest."""
    combinations = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]

    def decorate(method: Method) -> Method:
        def step(self: object, drawn: Mapping[str, Any]) -> None:
            method(self, **drawn)

        # Hypothesis prints the name; with functools.wraps it would look for the arguments of the method.
        step.__name__, step.__doc__ = method.__name__, method.__doc__
        made: Method = rule(drawn=st.sampled_from(combinations))(step)
        return made

    return decorate
