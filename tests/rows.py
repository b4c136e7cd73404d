"""Tests that are tables: one call for each row."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])


def rows(*table: Any) -> Callable[[Test], Test]:
    """Call a test once for each row: a tuple of its last arguments, or the last argument itself."""

    def parametrized(test: Test) -> Test:
        width = len(table[0]) if isinstance(table[0], tuple) else 1
        names = ",".join([*signature(test).parameters][-width:])
        marked: Test = pytest.mark.parametrize(names, table)(test)
        return marked

    return parametrized


def csv_rows(test_file: str, name: str) -> Iterator[tuple[str | int, ...]]:
    """Yield the rows of a CSV file beside a file of tests, without the first, which names the
    columns.
    """
    _, *lines = csv.reader(Path(test_file).with_name(name).read_text("utf-8").splitlines())
    return (tuple(int(each) if each.isdigit() else each for each in line) for line in lines)
