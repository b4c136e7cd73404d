"""The texts of statements, and those that create the tables, compiled in advance (`known_texts.json`).

`python -m store.sql.compile_statements` writes the file. A statement is found by a hash of its expression, and nothing
is found if a file on which the texts depend (the tables) has changed since, so a text is never an old one. What is not
found is compiled.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from store.sqlite.expressions import Expression, identity

FILE = Path(__file__).with_name("known_texts.json")
_ROOT = Path(__file__).parent.parent


class CompiledText(NamedTuple):
    """The SQL with question marks, the names of the parameters in their order, and the values of constant ones."""

    text: str
    order: tuple[str, ...]
    constants: dict[str, Any]


def known_text(core: Any) -> CompiledText | None:
    """Return the text of a statement; None if it has to be compiled."""
    if not isinstance(core, Expression):
        return None
    found = _known().get("statements", {}).get(key_of(core))
    return None if found is None else CompiledText(found[0], tuple(found[1]), found[2])


def known_definitions() -> list[str] | None:
    """Return the statements that create what a new store has; None if they have to be compiled."""
    return _known().get("definitions")


def key_of(core: Expression) -> str:
    return hash_of(identity(core).encode())[:20]


def hash_of(content: bytes) -> str:
    return sha256(content).hexdigest()


@cache
def _known() -> dict[str, Any]:
    try:
        content = json.loads(FILE.read_bytes())
        if all(hash_of((_ROOT / name).read_bytes()) == before for name, before in content["depends_on"].items()):
            return content  # type: ignore[no-any-return]
    except (OSError, ValueError):
        # An installation without sources: everything is compiled, which takes longer.
        return {}
    return {}
