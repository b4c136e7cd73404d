"""Compiles the statements of this package in advance: `python -m store.sql.compile_statements`.

Writes `store/sqlite/known_texts.json`, which a test compares with what this module would write.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import store
from store import sql
from store.sql.creation import definitions
from store.sqlite import space
from store.sqlite.expressions import Expression
from store.sqlite.known_texts import FILE, hash_of, key_of
from store.sqlite.statement import Statement

_ROOT = Path(store.__file__).parent
# The files that declare the tables: all texts depend on them.
DEPENDS_ON = ("published.py", "sql/file_format.py", "sql/rows.py", "sql/schema.py")
# A module that makes statements when they are needed has a function of this name, which yields those used most.
USUAL = "usual_statements"


def statements() -> Iterator[Statement]:
    """Yield the statements that modules hold, and the usual ones of those that make more."""
    names = [each.name for each in pkgutil.iter_modules(sql.__path__)]
    for module in (space, *(import_module(f"{sql.__name__}.{name}") for name in sorted(names))):
        yield from _held(vars(module).values())
        yield from vars(module).get(USUAL, tuple)()


def _held(values: Iterable[Any]) -> Iterator[Statement]:
    for value in values:
        if isinstance(value, Statement):
            yield value
        elif isinstance(value, Mapping):
            yield from _held(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _held(value)


def content() -> str:
    """Return the text of the file, with one statement in a line."""
    texts = {key_of(each.core): each.compiled() for each in statements() if isinstance(each.core, Expression)}
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(texts[key])}" for key in sorted(texts))
    creating = json.dumps([*definitions()], indent=1)
    hashes = {name: hash_of((_ROOT / name).read_bytes()) for name in DEPENDS_ON}
    parts = f'"depends_on": {json.dumps(hashes, indent=1)},\n"definitions": {creating},\n"statements": {{\n{lines}\n}}'
    return f"{{{parts}}}\n"


if __name__ == "__main__":
    FILE.write_text(content(), encoding="utf-8")
