"""Tables beside modules are read as any reader of CSV files reads them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import mqsc.clients.structures
import store.catalog.tables
import store.headers.layout
import store.rules.event_message
from store.table import table

MODULES = (store.catalog.tables, store.rules.event_message, store.headers.layout, mqsc.clients.structures)
TABLES = [each for module in MODULES for each in sorted(Path(module.__file__ or "").parent.glob("*.csv"))]


@pytest.mark.parametrize("file", TABLES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_table(file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert rows
    assert list(table(str(file.with_name("module.py")), file.name)) == rows


def test_the_last_column_may_have_commas(tmp_path: Path) -> None:
    (tmp_path / "sizes.csv").write_text('name,size,help\nA,1,"Small, blue."\nB,,\n', encoding="utf-8")
    found = list(table(str(tmp_path / "module.py"), "sizes.csv"))
    assert found == [{"name": "A", "size": "1", "help": "Small, blue."}, {"name": "B", "size": "", "help": ""}]


def test_a_row_that_is_too_short(tmp_path: Path) -> None:
    (tmp_path / "sizes.csv").write_text("name,size,help\nA,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="shorter"):
        list(table(str(tmp_path / "module.py"), "sizes.csv"))
