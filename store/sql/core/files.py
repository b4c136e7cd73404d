"""The SQL files that the modules of this package make."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from mqsc.store.sql import core
from mqsc.store.sql.core.compiling import statement_text
from mqsc.store.sql.core.declaring import STATEMENTS
from mqsc.store.sql.core.schema import definitions
from mqsc.store.sql.texts import NAME

_FOLDER = Path(__file__).parent.parent


def written_files() -> dict[Path, str]:
    """Return the text of every SQL file, by its path."""
    for found in pkgutil.iter_modules(core.__path__):
        if found.name != "__main__":
            import_module(f"{core.__name__}.{found.name}")
    files = {"schema": _file("schema", definitions().items())}
    for module, builds in STATEMENTS.items():
        files[module] = _file(
            module,
            ((name, statement_text(build)) for name, build in builds.items()),
        )
    return {_FOLDER / f"{module}.sql": text for module, text in files.items()}


def _file(module: str, texts: Iterable[tuple[str, str]]) -> str:
    heading = f"-- Made from core/{module}.py by `python -m mqsc.store.sql.core`.\n"
    return heading + "".join(f"\n{NAME}{name}\n{text}\n" for name, text in texts)
