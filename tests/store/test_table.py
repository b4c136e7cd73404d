"""Tests of the reader of tables, and of the tables themselves."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from io import StringIO
from itertools import chain
from pathlib import Path

import pytest

from mqsc.store.table import blocks, cells, cells_of, table
from tests.rows import rows
from tests.source import FUNCTIONS, MODULES, PACKAGES, ROOT

TABLES = [
    path
    for folder in ("mqsc", "grammar", "store", "reports", "tests", "docs")
    for path in (ROOT / folder).rglob("*.csv")
]


def test_each_row_of_each_table_is_as_long_as_the_first() -> None:
    lengths = {
        path: {len(row) for row in csv.reader(StringIO(path.read_text(encoding="utf-8"))) if row}
        for path in TABLES
    }
    assert len(lengths) > 20
    assert [path for path, found in lengths.items() if len(found) != 1] == []


COLUMNS = ("name", "value")


def test_rows_without_the_first_line_and_blank_ones(tmp_path: Path) -> None:
    (tmp_path / "colors.csv").write_text('name,value\nred,"1,2"\n\nblue,3\n')
    module = str(tmp_path / "colors.py")
    assert cells(module, "colors.csv", COLUMNS) == [["red", "1,2"], ["blue", "3"]]
    assert table(module, "colors.csv", COLUMNS)[1] == {"name": "blue", "value": "3"}


def test_the_blocks_of_a_file_are_read_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "colors.csv").write_text('name,value\n\nred,1\nred,"2,3"\n\nblue,4\n')
    found = blocks(str(tmp_path / "colors.py"), "colors.csv", COLUMNS)
    assert [*found] == ["red", "blue"]
    assert cells_of(found["red"], COLUMNS) == [["red", "1"], ["red", "2,3"]]
    assert cells_of(found["blue"], COLUMNS) == [["blue", "4"]]


def all_cells(module: str) -> list[list[str]]:
    known = ("red", "blue", "r", "ed")
    rows = cells(module, "colors.csv", COLUMNS, {"value": ("1", "2")}, {"name": known})
    assert [*map(list, map(dict.values, table(module, "colors.csv", COLUMNS)))] == rows
    return rows


def test_a_cell_may_have_several_words(tmp_path: Path) -> None:
    (tmp_path / "colors.csv").write_text("name,value\nred blue,1\n,2\n")
    assert all_cells(str(tmp_path / "colors.py")) == [["red blue", "1"], ["", "2"]]


def cells_of_blocks(module: str) -> list[list[str]]:
    found = blocks(module, "colors.csv", COLUMNS)
    return [row for each in found.values() for row in cells_of(each, COLUMNS)]


@rows(
    # Other columns, in another order, or none.
    (
        all_cells,
        "name,number\nred,1\n",
        "colors.csv:1: the columns are name,number, not name,value",
    ),
    (all_cells, "value,name\n1,red\n", "colors.csv:1: the columns are value,name, not name,value"),
    (all_cells, "", "colors.csv:1: the columns are , not name,value"),
    # Too few and too many cells, after a row of two lines and a blank line.
    (all_cells, "name,value\nred\n", "colors.csv:2: 1 cells instead of 2: red"),
    (all_cells, "name,value\nred,1\n\nred,1,2\n", "colors.csv:4: 3 cells instead of 2: red,1,2"),
    (all_cells, 'name,value\n"r\ned",1\nred\n', "colors.csv:4: 1 cells instead of 2: red"),
    # A word that is not known.
    (all_cells, "name,value\nred,1\nblue,3\n", "colors.csv:3: value is '3', not one of '1', '2'"),
    # One of several words that is not known.
    (
        all_cells,
        "name,value\nred blue,1\nred pink,1\n",
        "colors.csv:3: name has 'pink', not one of 'red', 'blue', 'r', 'ed'",
    ),
    # Blocks.
    (cells_of_blocks, "name\n\nred\n", "colors.csv:1: the columns are name, not name,value"),
    (cells_of_blocks, "name,value\n\nred,1\nred\n", "colors.csv:4: 1 cells instead of 2: red"),
    (
        cells_of_blocks,
        "name,value\n\nred,1\nred,2\n\nblue,1,2\n",
        "colors.csv:6: 3 cells instead of 2: blue,1,2",
    ),
)
def test_a_file_that_is_not_as_expected_is_refused_by_file_and_line(
    tmp_path: Path,
    read: Callable[[str], list[list[str]]],
    text: str,
    message: str,
) -> None:
    (tmp_path / "colors.csv").write_text(text)
    with pytest.raises(ValueError, match=f"{re.escape(message)}$"):
        read(str(tmp_path / "colors.py"))


# What names a function of the product: module:name or module.name.
_NAMED = re.compile(r"(?:\w+\.)*(?P<module>\w+)[:.](?P<name>\w+)")


def functions() -> set[tuple[str, str]]:
    """The functions of the product, each with the last word of its module."""
    found = set()
    for module in MODULES:
        names = [each.name for each in module.tree.body if isinstance(each, FUNCTIONS)]
        found |= {(module.name.rpartition(".")[2], name) for name in names}
    return found


def cells_in(path: Path) -> list[str]:
    return [*chain(*csv.reader(StringIO(path.read_text(encoding="utf-8"))))]


def test_no_cell_names_a_function() -> None:
    defined = functions()
    assert len(defined) > 1000
    found = []
    for path in TABLES:
        if path.relative_to(ROOT).parts[0] in PACKAGES:
            named = filter(None, map(_NAMED.fullmatch, cells_in(path)))
            found += [(path.name, each[0]) for each in named if each.groups() in defined]
    assert found == []


# The columns with text for people, which may have any characters.
_TEXTS = frozenset(
    (
        "about",
        "action",
        "bad",
        "cause",
        "examples",
        "good",
        "help",
        "hint",
        "meaning",
        "question",
        "reason",
        "sentence",
        "takes",
        "term",
        "text",
        "title",
    )
)
# What separates alternatives, or a name from its value.
_SEPARATOR = re.compile(r"[|;]|\w=|=\w")


def test_no_cell_has_alternatives_or_values_of_its_own() -> None:
    found = []
    for path in TABLES:
        folder = path.relative_to(ROOT).parts[0]
        if folder not in PACKAGES:
            continue
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                words = [row[column] for column in row if column not in _TEXTS]
                found += [(path.name, word) for word in words if _SEPARATOR.search(word)]
    assert found == []


# Modules that write CSV for users.
_WRITERS = frozenset(
    {"mqsc.clients.pure_packages", "mqsc.console.csv_rows", "reports.output"},
)


def test_one_module_reads_the_tables() -> None:
    readers = {
        module.name
        for module in MODULES
        for imported in module.imports
        if imported.name.partition(".")[0] == "csv"
    }
    assert readers == {"store.table", *_WRITERS}
