"""Tests of the reader of tables, and of the tables themselves."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

from mqsc.store.table import cells, table
from tests.source import ROOT

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


def test_rows_without_the_first_line_and_blank_ones(tmp_path: Path) -> None:
    (tmp_path / "colors.csv").write_text('name,value\nred,"1,2"\n\nblue,3\n')
    module = str(tmp_path / "colors.py")
    assert cells(module, "colors.csv") == [["red", "1,2"], ["blue", "3"]]
    assert table(module, "colors.csv")[1] == {"name": "blue", "value": "3"}


@pytest.mark.parametrize("row", ["red", "red,1,2"])
def test_a_row_of_another_length_is_refused(row: str, tmp_path: Path) -> None:
    (tmp_path / "colors.csv").write_text(f"name,value\n{row}\n")
    for read in (cells, table):
        with pytest.raises(
            ValueError,
            match=f"colors.csv: {len(row.split(','))} cells instead of 2: {row}",
        ):
            read(str(tmp_path / "colors.py"), "colors.csv")
