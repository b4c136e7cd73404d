"""Parse tables that were made in advance are those that Lark makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grammar import parse_tables
from grammar.parse_tables import GRAMMARS, parser_of

TEXTS = [
    "DEFINE QLOCAL(A.B) DESCR('it''s, (one)') NAMES(A,B 'c')  REPLACE",
    "ACTION ( RETRY ) , REASON(MQRC_Q_FULL)",
    "A(",
    "A(B))",
    "",
    "A('B",
    "A=B",
]


def read(parser: Any, text: str) -> Any:
    try:
        return parser.parse(text)
    except Exception as error:
        return type(error), getattr(error, "pos_in_stream", None)


@pytest.mark.parametrize("shape", GRAMMARS)
def test_they_parse_as_the_grammar_does(shape: str) -> None:
    assert shape in parse_tables._tables_in_advance(), "run: python -m grammar.parse_tables"
    ready, built = parser_of(shape, None), parse_tables._built(shape)
    assert [read(ready, text) for text in TEXTS] == [read(built, text) for text in TEXTS]


@pytest.mark.parametrize("text", ["{", '{"made for": ["0", ""], "tables": {"command": 1}}', None])
def test_without_them_lark_makes_the_tables(text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "parse_tables.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(parse_tables, "FILE", file)
    assert read(parser_of("command", None), "A(B)") == read(parse_tables._built("command"), "A(B)")
