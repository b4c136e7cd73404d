"""Tables of data are CSV files beside the modules that use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.table import cells, table


def beside(folder: Path, text: str) -> tuple[str, str]:
    (folder / "sizes.csv").write_text(text, encoding="utf-8")
    return str(folder / "module.py"), "sizes.csv"


def test_rows_by_column_and_as_cells(tmp_path: Path) -> None:
    file = beside(tmp_path, 'name,size,help\nA,1,"Small, ""blue""."\nB,,\n')
    rows = [{"name": "A", "size": "1", "help": 'Small, "blue".'}, {"name": "B", "size": "", "help": ""}]
    assert table(*file) == rows
    assert cells(*file) == [list(row.values()) for row in rows]


def test_a_row_that_is_too_short(tmp_path: Path) -> None:
    file = beside(tmp_path, "name,size,help\nA,1\n")
    with pytest.raises(ValueError, match="shorter"):
        table(*file)
