"""Compiles statements with SQLAlchemy, which takes 0.2 s to import: only for those whose text is not known."""

from __future__ import annotations

from typing import Any

from sqlalchemy.dialects import sqlite

from store.sqlite.expressions import evaluate
from store.sqlite.known_texts import CompiledText

_DIALECT = sqlite.dialect(paramstyle="qmark")


def compile_core(core: Any) -> CompiledText:
    """Return the text of a statement, given as an Expression or as SQLAlchemy's own object, and its parameters."""
    compiled = evaluate(core).compile(dialect=_DIALECT)
    # SQLAlchemy turns constants into parameters. Partial indexes need literals, which are written with literal_column;
    # only constants that no index depends on (NULL, limits) remain.
    names = getattr(compiled, "bind_names", {})
    constants = {name: bind.value for bind, name in names.items() if not bind.required}
    return CompiledText(str(compiled), tuple(getattr(compiled, "positiontup", None) or ()), constants)
