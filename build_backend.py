"""Builds the wheel, in which the packages beside `mqsc` are inside it: `store` is `mqsc.store` where it is installed.

In the tree they stay side by side. The wheel also has the texts of the SQL statements, because its folder may be
read-only where it is installed. setuptools does everything else, so an sdist and an editable install have the tree.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import build_editable, build_sdist, prepare_metadata_for_build_editable

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

OUTER = "mqsc"
MOVED = ("grammar", "reports", "store")


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Build the wheel of the tree in the current folder, and return the name of its file."""
    wheels, metadata = os.path.abspath(wheel_directory), metadata_directory and os.path.abspath(metadata_directory)
    tree = Path.cwd()
    with _installed_tree() as folder:
        write_statements(tree, folder)
        return str(build_meta.build_wheel(wheels, config_settings, metadata))


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    """Write the metadata of that wheel, and return the name of their folder."""
    metadata = os.path.abspath(metadata_directory)
    with _installed_tree():
        return str(build_meta.prepare_metadata_for_build_wheel(metadata, config_settings))


@contextmanager
def _installed_tree() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        write_installed_tree(Path.cwd(), Path(folder))
        with chdir(folder):
            yield Path(folder)


def write_installed_tree(tree: Path, folder: Path) -> None:
    """Copy the tree into the folder as it is installed. ValueError when an import cannot be rewritten."""
    for file in filter(Path.is_file, tree.iterdir()):
        shutil.copy(file, folder)
    for package in (OUTER, *MOVED):
        copied = folder / OUTER / package if package in MOVED else folder / package
        # In the tree, this module stands for the package.
        copied.with_suffix(".py").unlink(missing_ok=True)
        shutil.copytree(tree / package, copied, ignore=shutil.ignore_patterns("__pycache__"))
    for file in [*folder.rglob("*.py"), *folder.rglob("*.pyi")]:
        before = file.read_bytes()
        after = with_moved_imports(before.decode(), str(file.relative_to(folder))).encode()
        if after != before:
            file.write_bytes(after)


def write_statements(tree: Path, folder: Path) -> None:
    """Compile the SQL statements of a tree, and write their texts into the folder where the tree is as installed."""
    statements = (folder / OUTER / "store" / "sql").absolute()
    subprocess.run([sys.executable, "-m", "store.sql.statements", str(statements)], cwd=tree, check=True)


def with_moved_imports(source: str, path: str) -> str:
    """Return the source with the packages imported from where they are installed."""
    lines = source.splitlines(keepends=True)
    for line, before, after in _imports(source):
        lines[line - 1] = re.sub(rf"\b{re.escape(before)}(?![\w.])", after, lines[line - 1], count=1)
    text = "".join(lines)
    for line, before, _ in _imports(text):
        raise ValueError(f"{path}:{line}: '{before}' cannot be rewritten; use 'from', in a line of its own")
    return text


def _imports(source: str) -> Iterator[tuple[int, str, str]]:
    """The line of each import of a package that is moved, how it begins, and how it begins where it is installed."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level and _is_moved(node.module or ""):
            yield node.lineno, f"from {node.module}", f"from {OUTER}.{node.module}"
        elif isinstance(node, ast.Import):
            for each in filter(lambda each: _is_moved(each.name), node.names):
                # `import store.message` would bind the name of the package, which is another one then.
                kept = each.name if "." in each.name and not each.asname else None
                inside = f"import {OUTER}.{each.name}" if "." in each.name else f"from {OUTER} import {each.name}"
                yield node.lineno, f"import {each.name}", f"import {kept}" if kept else inside


def _is_moved(module: str) -> bool:
    return module.partition(".")[0] in MOVED
