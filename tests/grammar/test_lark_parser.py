"""The words of a logical line and their places."""

from __future__ import annotations

from mqsc.grammar.lark_parser import lexer_of
from tests.rows import rows


# The shape, the text, and each word with where it begins and ends.
@rows(
    (
        "command",
        "define ql(orders) x",
        "KEYWORD 0 6|KEYWORD 7 9|LPAR 9 10|WORD 10 16|RPAR 16 17|KEYWORD 18 19",
    ),
    (
        "command",
        ", ql , ( a,,'b c' )x",
        "KEYWORD 2 4|LPAR 7 8|WORD 9 10|QUOTED 12 17|RPAR 18 19|KEYWORD 19 20",
    ),
    ("command", "a(=)", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|RPAR 3 4"),
    ("command", "a('it''s (here)')", "KEYWORD 0 1|LPAR 1 2|QUOTED 2 16|RPAR 16 17"),
    ("command", "a()b()", "KEYWORD 0 1|LPAR 1 2|RPAR 2 3|KEYWORD 3 4|LPAR 4 5|RPAR 5 6"),
    ("command", "set action(remove)", "KEYWORD 0 3|KEYWORD 4 10|LPAR 10 11|WORD 11 17|RPAR 17 18"),
    ("entry", "Action(actions)actions", "ACTION 0 6|LPAR 6 7|WORD 7 14|RPAR 14 15|KEYWORD 15 22"),
    *(("command", "", ""), ("command", " ,\t", "")),
    # No word begins at the last place.
    ("command", "a=b", "KEYWORD 0 1|INVALID 1 2"),
    ("command", "a(b(c))", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|INVALID 3 4"),
    ("command", "a ('b", "KEYWORD 0 1|LPAR 2 3|INVALID 3 4"),
    ("command", "'a'", "INVALID 0 1"),
    ("command", "a(b;c)", "KEYWORD 0 1|LPAR 1 2|WORD 2 3|INVALID 3 4"),
    ("command", "a\ufeff", "KEYWORD 0 1|INVALID 1 2"),
)
def test_words_and_their_places(shape: str, text: str, found: str) -> None:
    assert (
        "|".join(f"{kind} {start} {end}" for kind, _, start, end in lexer_of(shape).words(text))
        == found
    )
