"""How a function is declared to be a statement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import ClauseElement

# A parameter of a statement: its value is given when the statement is executed.
Placeholder = Any
Build = Callable[..., ClauseElement]
# By the module that the statement is for, such as "queues", and its name.
STATEMENTS: dict[str, dict[str, Build]] = {}


def statement(build: Build) -> Build:
    """Declare a function that builds a statement; its parameters are those of the statement, in
    this order.

    A first parameter `cause` stands for all of `CAUSE` (`store/sql/cause.py`).
    """
    add_statement(build.__module__, build.__name__, build)
    return build


def add_statement(module: str, name: str, build: Build) -> None:
    """Declare a statement under another name than that of its function."""
    STATEMENTS.setdefault(module.rpartition(".")[2], {})[name] = build
