"""The tokens of a logical line, where they are, and where there is none."""

from __future__ import annotations

import pytest

from grammar.parse import command_parser

# The text, and each token with where it begins and ends.
LINES = [
    ("define qlocal(orders) replace", "KEYWORD 0 7|OPENING 7 14|VALUE 14 20|CLOSING 20 22|KEYWORD 22 29"),
    (", define , ql ( a,,'b c' )x", "KEYWORD 2 11|OPENING 11 16|VALUE 16 17|VALUE 19 24|CLOSING 25 26|KEYWORD 26 27"),
    ("a(=)", "OPENING 0 2|VALUE 2 3|CLOSING 3 4"),
    ("a('it''s (here)')", "OPENING 0 2|VALUE 2 16|CLOSING 16 17"),
    ("a()b()", "OPENING 0 2|CLOSING 2 3|OPENING 3 5|CLOSING 5 6"),
    ("", ""),
    (" ,\t", ""),
]


def tokens(text: str) -> list[str]:
    parser, _ = command_parser()
    return [f"{each.type} {each.start_pos} {each.end_pos}" for each in parser.parse_interactive(text).exhaust_lexer()]


@pytest.mark.parametrize(("text", "found"), LINES)
def test_tokens_and_their_places(text: str, found: str) -> None:
    assert "|".join(tokens(text)) == found


@pytest.mark.parametrize(
    ("text", "offset"),
    [("define ql)a", 9), ("a=b", 1), ("a(b(c))", 3), ("a ('b", 3), ("'a'", 0), ("a(b;c)", 3), ("a\ufeff", 1)],
)
def test_where_there_is_no_token(text: str, offset: int) -> None:
    _, unexpected = command_parser()
    with pytest.raises(unexpected) as raised:
        tokens(text)
    assert raised.value.pos_in_stream == offset
