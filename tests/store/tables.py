"""Tests that are tables of facts with their verdict, and rows that have names."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

Row = tuple[Any, ...]
Test = TypeVar("Test", bound=Callable[..., None])


def verdicts(decide: Callable[..., object], *table: Row) -> Callable[..., None]:
    """Return a test that `decide` gives the last value of each row for the values before it."""
    return named_verdicts(decide, *((name_of(row), *row) for row in table))


def named_verdicts(decide: Callable[..., object], *table: Row) -> Callable[..., None]:
    """Return the same for rows that begin with their name, such as the id of a scenario."""

    @pytest.mark.parametrize("row", [row[1:] for row in table], ids=[row[0] for row in table])
    def decides(row: Row) -> None:
        *facts, verdict = row
        found = decide(*facts)
        # 1 is not True: a verdict that is a boolean must be one.
        same = found == verdict and isinstance(found, bool) is isinstance(verdict, bool)
        assert same, f"{facts}: {found!r} instead of {verdict!r}"

    return decides


def named_rows(*table: Row) -> Callable[[Test], Test]:
    """Do as `tests.rows.rows` does, for rows that begin with their name, which is no argument."""

    def for_each_row(test: Test) -> Test:
        names = [*inspect.signature(test).parameters][1 - len(table[0]) :]
        marked: Test = pytest.mark.parametrize(
            names,
            [row[1:] for row in table],
            ids=[row[0] for row in table],
        )(test)
        return marked

    return for_each_row


def giving(verdict: object, *facts: Any) -> list[Row]:
    """Return rows of facts, plain tuples or single ones, with the same verdict."""
    return [(*each, verdict) if type(each) is tuple else (each, verdict) for each in facts]


def name_of(row: Row) -> str:
    """Return the plain values of a row in words. Others have no name that is the same in every
    process.
    """
    return "-".join(
        str(each) for each in row if isinstance(each, str | int | enum.Enum) or each is None
    )[:100]
