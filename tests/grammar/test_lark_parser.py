"""The words of a command and their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.grammar.lark_parser import parser_with_tables_in
from mqsc.grammar.parse import words_of_command
from tests.grammar.reading import commands
from tests.rows import rows


# The text, and each word with where it begins and ends.
@rows(
    (
        "define ql(orders) x",
        "KEYWORD 0 6|KEYWORD 7 9|LPAR 9 10|WORD 10 16|RPAR 16 17|KEYWORD 18 19",
    ),
    (
        ", ql , ( a,,'b c' )x",
        "KEYWORD 2 4|LPAR 7 8|WORD 9 10|QUOTED 12 17|RPAR 18 19|KEYWORD 19 20",
    ),
    ("a(=)", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|RPAR 3 4"),
    ("a('it''s (here)')", "KEYWORD 0 1|LPAR 1 2|QUOTED 2 16|RPAR 16 17"),
    ("a()b()", "KEYWORD 0 1|LPAR 1 2|RPAR 2 3|KEYWORD 3 4|LPAR 4 5|RPAR 5 6"),
    ("set action(remove)", "KEYWORD 0 3|KEYWORD 4 10|LPAR 10 11|WORD 11 17|RPAR 17 18"),
    (",", ""),
    # Not valid after the last word.
    ("a=b", "KEYWORD 0 1"),
    ("a(b(c))", "KEYWORD 0 1|LPAR 1 2|WORD 2 3"),
    ("a(b)(c)", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|RPAR 3 4"),
    ("a ('b", "KEYWORD 0 1|LPAR 2 3"),
    ("'a'", ""),
    ("a\ufeff b", "KEYWORD 0 1"),
)
def test_words_and_their_places(text: str, found: str) -> None:
    (line,) = commands(text)
    words = words_of_command(line)
    assert "|".join(f"{word.type} {word.start_pos} {word.end_pos}" for word in words) == found


@pytest.mark.parametrize("kept", [0, 1, 70, 500, 3000])
def test_tables_that_are_damaged_are_made_anew(tmp_path: Path, kept: int) -> None:
    tables = tmp_path / "tables"
    parser_with_tables_in(tables)
    whole = tables.read_bytes()
    tables.write_bytes(whole[:kept])
    parser_with_tables_in(tables).parse("DEFINE QLOCAL(A)", start="command")
    assert tables.stat().st_size > kept


def test_tables_that_cannot_be_written_are_made_for_each_program(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    parser_with_tables_in(tmp_path / "none" / "tables").parse("DEFINE QLOCAL(A)", start="command")
    assert capfd.readouterr() == ("", "")
