"""Parse tables that were made in advance (`parse_tables.json`), because Lark takes 25 ms to make them.

`python -m grammar.parse_tables` writes the file. It is used only for the grammars and the version of Lark that it was
made for; otherwise Lark makes the tables.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from grammar.lexer import WordLexer

FOLDER = Path(__file__).parent
FILE = FOLDER / "parse_tables.json"
GRAMMARS = {"command": "mqsc.lark", "entry": "rules.lark"}
SHARED = "words.lark"
# What Lark needs instead of a grammar: its data, and the rules and terminals that these refer to by number.
Tables: TypeAlias = tuple[Mapping[str, Any], Mapping[int, Any]]


def parser_of(shape: str, transformer: object) -> lark.Lark:
    """Return a parser of commands or of entries."""
    tables = _tables_in_advance().get(shape)
    if tables is None:
        return _built(shape, transformer)
    data, _ = tables
    # A class cannot be in the file.
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = WordLexer
    # What the parsers that Lark itself generates call.
    return lark.Lark._load_from_dict(*tables, transformer=transformer)  # type: ignore[no-untyped-call, no-any-return]


def _built(shape: str, transformer: object = None) -> lark.Lark:
    settings: Any = {"parser": "lalr", "lexer": WordLexer, "start": shape, "transformer": transformer}
    return lark.Lark.open_from_package("grammar", GRAMMARS[shape], **settings)


def _tables_in_advance() -> Mapping[str, Tables]:
    try:
        found = json.loads(FILE.read_bytes(), object_pairs_hook=_with_numbers)
        return found["tables"] if found["made for"] == _made_for() else {}
    except (OSError, ValueError):
        # Incomplete installation: parsing works, and starts later.
        return {}


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[Any, Any]:
    """Return a dict of Lark's, whose keys may be numbers."""
    return {int(key) if key.isdigit() else key: value for key, value in pairs}


def _made_for() -> list[str]:
    texts = b"".join((FOLDER / name).read_bytes() for name in (*GRAMMARS.values(), SHARED))
    return [lark.__version__, hashlib.sha256(texts).hexdigest()]


def content() -> str:
    """Return the text of the file."""
    tables = {shape: _built(shape).memo_serialize([TerminalDef, Rule]) for shape in GRAMMARS}
    for data, _ in tables.values():
        # The file names neither the folder of the grammar nor the class of the lexer.
        data["options"].update(import_paths=[], source_path=None, lexer=None)
        data["parser"]["lexer_conf"]["lexer_type"] = None
    return json.dumps({"made for": _made_for(), "tables": tables}) + "\n"


if __name__ == "__main__":
    FILE.write_text(content(), encoding="utf-8")
