"""The SQL files are those that the statements in Core make, and functions name the statements
that they have.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mqsc.store import sql
from mqsc.store.sql.core.compiling import WIDTH
from mqsc.store.sql.core.files import written_files
from mqsc.store.sql.texts import NAME, json_list, named_statements, statements_in

FOLDER = Path(sql.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.sql"))


def test_every_file_is_as_the_statements_in_core_make_it() -> None:
    """After a change of a statement: python -m mqsc.store.sql.core."""
    assert {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.sql")} == {
        path.name: text for path, text in written_files().items()
    }


@pytest.mark.parametrize("module", sorted({*MODULES} - {"schema", "managers"}))
def test_every_statement_is_executed_by_its_module_and_by_no_other_name(module: str) -> None:
    tree = ast.parse((FOLDER / f"{module}.py").read_text("utf-8"))
    named = {
        ast.literal_eval(node.slice)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "SQL"
    }
    assert named == set(statements_in(FOLDER / f"{module}.sql"))


def test_lines_are_short_enough_to_be_read() -> None:
    lines = [
        line
        for module in MODULES
        if module != "schema"
        for line in (FOLDER / f"{module}.sql").read_text().split("\n")
    ]
    assert max(map(len, lines)) <= WIDTH + 20


def test_a_module_without_a_file_has_no_statements(tmp_path: Path) -> None:
    assert named_statements(str(tmp_path / "new.py")) == {}
    (tmp_path / "new.sql").write_text(
        f"-- Made.\n\n{NAME}one\nSELECT 1\nFROM a\n\n{NAME}two\nSELECT 2\n",
    )
    assert named_statements(str(tmp_path / "new.py")) == {
        "one": "SELECT 1\nFROM a",
        "two": "SELECT 2",
    }


def test_a_list_is_a_json_array() -> None:
    assert json_list([1, 2]) == "[1, 2]"
