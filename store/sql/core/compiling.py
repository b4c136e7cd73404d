"""From SQLAlchemy Core to text: numbered parameters, constants in their places, lines that can
be read.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import ClauseElement, bindparam
from sqlalchemy.dialects import sqlite

from mqsc.store.sql.cause import CAUSE
from mqsc.store.sql.core.declaring import Build

WIDTH = 110
# Where a long line may be broken, outside of quotes: after a comma, or before a word that begins a
# part.
_PIECE = re.compile(
    r"""(?P<quoted>'[^']*'|"[^"]*")|(?P<open>\()|(?P<close>\))|(?P<comma>, )"""
    r"""|(?P<word> )(?=AND |OR |JOIN |LEFT OUTER |FROM |WHERE |ORDER BY |GROUP BY |LIMIT |WHEN |ELSE )""",
)


def statement_text(build: Build) -> str:
    """Return the text of a statement with its parameters as ?1, ?2 and so on, in the order of
    the function's.
    """
    names = [*inspect.signature(build).parameters]
    places = [*CAUSE, *names[1:]] if names[:1] == ["cause"] else names
    # With an underscore: in an UPDATE SQLAlchemy reserves the name of a column for its new value.
    given: list[Any] = [bindparam(f"{name}_") for name in places]
    built = (
        build(*given)
        if places is names
        else build(tuple(given[: len(CAUSE)]), *given[len(CAUSE) :])
    )
    return in_lines(
        text_of(built, {f"{name}_": f"?{number}" for number, name in enumerate(places, 1)}),
    )


def text_of(core: ClauseElement, numbers: dict[str, str] | None = None) -> str:
    """Return the text of a statement, its constants in their places.

    A parameter is what `numbers` has for its name, or :name.
    """
    compiled: Any = core.compile(dialect=sqlite.dialect(paramstyle="named"))
    binds = {name: bind for bind, name in getattr(compiled, "bind_names", {}).items()}
    names = "|".join(sorted(map(re.escape, binds), key=len, reverse=True))

    def place(match: re.Match[str]) -> str:
        bind = binds[match[1]]
        if bind.required:
            return (numbers or {}).get(match[1], f":{match[1]}")
        return _literal(bind.value)

    # SQLAlchemy turns constants into parameters.
    return re.sub(rf":({names})\b", place, str(compiled)) if names else str(compiled)


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, int):
        return f"{value:d}"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    raise TypeError(f"{value!r} is no constant of a statement")


def in_lines(text: str) -> str:
    """Return the text in lines that can be read; what continues a line is indented."""
    text = re.sub(r" OFFSET 0\b", "", text)
    return "\n".join(
        line for long in text.splitlines() for line in _folded(long.rstrip()) if line.strip()
    )


def _folded(line: str) -> Iterator[str]:
    indent = ""
    while len(line) > WIDTH and (end := _break(line)):
        yield indent + line[:end].rstrip()
        line, indent = line[end:].lstrip(), "  "
    yield indent + line


def _break(line: str) -> int:
    """Return where to break a line so that its beginning is at most WIDTH long, or 0.

    Outside of parentheses, if there is such a place.
    """
    depth, ends = 0, []
    for found in _PIECE.finditer(line):
        depth += bool(found["open"]) - bool(found["close"])
        if (found["comma"] or found["word"]) and found.end() <= WIDTH:
            ends.append((-depth, found.end()))
    return max(ends, default=(0, 0))[1]
