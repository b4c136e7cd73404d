"""The build of the wheel: imports are rewritten, and nothing else in the sources names the packages that move."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from pathlib import Path

import pytest

from build_backend import MOVED, OUTER, with_moved_imports, write_installed_tree, write_statements
from store.sql import statements
from tests.source import MODULES, PACKAGES, ROOT

REWRITTEN = [
    ("import store\n", "from mqsc import store\n"),
    ("import store as kept\n", "from mqsc import store as kept\n"),
    ("import store.sql.queues as rows\n", "import mqsc.store.sql.queues as rows\n"),
    ("from store import *\n", "from mqsc.store import *\n"),
    ("from store import Message  # why\n", "from mqsc.store import Message  # why\n"),
    ("from grammar.tree import (\n    Word,\n)\n", "from mqsc.grammar.tree import (\n    Word,\n)\n"),
    ("if é:\n    from reports import run\n", "if é:\n    from mqsc.reports import run\n"),
    ("from store import a; from store.b import c\n", "from mqsc.store import a; from mqsc.store.b import c\n"),
]
UNTOUCHED = [
    "from .store import Message\n",
    "from mqsc.store import Message\n",
    "import os, storey\nfrom stores import store\n",
    '"""Like this:\n\nfrom store import Message\n"""\n',
]
REFUSED = ["import store.message\n", "import os, store\n", "from \\\n    store import Message\n"]


@pytest.mark.parametrize(("source", "installed"), REWRITTEN)
def test_an_import_of_a_package_that_moves_is_rewritten(source: str, installed: str) -> None:
    assert with_moved_imports(source, "a.py") == installed


@pytest.mark.parametrize("source", UNTOUCHED)
def test_everything_else_stays(source: str) -> None:
    assert with_moved_imports(source, "a.py") == source


@pytest.mark.parametrize("source", REFUSED)
def test_an_import_that_cannot_be_rewritten_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"^mqsc/a\.py:2: '(import|from) store.*' cannot be rewritten"):
        with_moved_imports(f"\n{source}", "mqsc/a.py")


def tree_with(folder: Path, files: dict[str, str]) -> Path:
    for package in (OUTER, *MOVED):
        (folder / package).mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_tree_is_written_as_it_is_installed(tmp_path: Path) -> None:
    table, other = "from store import a\n", "A = 1\n"
    files = {
        "README.md": "from store import a\n",
        "mqsc/reports.py": "import reports\n",
        "store/table.py": table,
        "store/table.pyi": table,
        "store/data.csv": "from store import a\n",
        "reports/other.py": other,
    }
    tree, made = tree_with(tmp_path / "tree", files), tmp_path / "made"
    made.mkdir()
    write_installed_tree(tree, made)
    after = "from mqsc.store import a\n"
    written = {str(file.relative_to(made)): file.read_text() for file in made.rglob("*") if file.is_file()}
    assert written == {
        "README.md": "from store import a\n",
        "mqsc/store/table.py": after,
        "mqsc/store/table.pyi": after,
        "mqsc/store/data.csv": "from store import a\n",
        "mqsc/reports/other.py": other,
    }


def test_the_statements_are_compiled_for_the_sources_as_installed(tmp_path: Path) -> None:
    write_installed_tree(ROOT, tmp_path)
    write_statements(ROOT, tmp_path)
    folder = tmp_path / OUTER / "store" / "sql"
    sources, texts = json.loads((folder / statements.NAME).read_bytes())
    assert sources == statements.hash_of_sources(folder) != statements.hash_of_sources(ROOT / "store" / "sql")
    assert texts.keys() >= {each.key for each in statements.all_statements()}


def test_a_tree_whose_statements_cannot_be_compiled_is_refused(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        write_statements(tree_with(tmp_path, {}), tmp_path)


def test_a_folder_in_the_place_of_a_package_is_not_overwritten(tmp_path: Path) -> None:
    tree = tree_with(tmp_path / "tree", {})
    (tree / "mqsc" / "store").mkdir()
    (tmp_path / "made").mkdir()
    with pytest.raises(FileExistsError):
        write_installed_tree(tree, tmp_path / "made")


def test_all_packages_are_installed() -> None:
    assert sorted((OUTER, *MOVED)) == sorted(PACKAGES)


def test_no_text_names_a_module_of_a_package_that_moves() -> None:
    """Such a text would be wrong where the package is installed; `__name__` and `__package__` are right everywhere."""
    names = {each.name for each in MODULES}
    module = re.compile(rf"(?:{'|'.join(MOVED)})\.[\w.]+")
    wrong = [
        f"{each.at(node.lineno)} {node.value!r}"
        for each in MODULES
        for node in each.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if module.fullmatch(node.value) and node.value.rstrip(".") in names
    ]
    assert wrong == []
