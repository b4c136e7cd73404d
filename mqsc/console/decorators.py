"""Decorators that stand for several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def combined(*decorators: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """One decorator for several, in the order in which they would be written above a function."""

    def decorate(decorated: Decorated) -> Decorated:
        for decorator in reversed(decorators):
            decorated = decorator(decorated)
        return decorated

    return decorate
