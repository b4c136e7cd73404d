"""The state of the parser at the end of an unfinished command."""

from __future__ import annotations

import pytest

from grammar.accepting import Begun, unfinished

KEYWORD, VALUE = "keyword", "value"


@pytest.mark.parametrize(
    ("text", "word", "taken", "parameters", "opened"),
    [
        ("", "", KEYWORD, [], None),
        ("def", "def", KEYWORD, [], None),
        ("define ", "", KEYWORD, [Begun("DEFINE")], None),
        ("define ql(", "", VALUE, [Begun("DEFINE")], Begun("QL", ())),
        ("define ql ( 'A", "A", VALUE, [Begun("DEFINE")], Begun("QL", ())),
        ("define ql(a) 'b", "b", KEYWORD, [Begun("DEFINE"), Begun("QL", ("A",))], None),
        ("x descr('it''s ", "it''s ", VALUE, [Begun("X")], Begun("DESCR", ())),
        ("x names('it''s', b, c", "c", VALUE, [Begun("X")], Begun("NAMES", ("it's", "B"))),
        ("a(b)c(d),", "", KEYWORD, [Begun("A", ("B",)), Begun("C", ("D",))], None),
        ("define ) x", "x", "", [], None),
        ("define 'a' ", "", "", [], None),
    ],
)
def test_the_parser_at_the_cursor(
    text: str, word: str, taken: str, parameters: list[Begun], opened: Begun | None
) -> None:
    found = unfinished(text)
    assert found.word == word
    assert ([*found.parameters], found.opened) == (parameters, opened)
    assert (found.takes_keyword, found.takes_value) == (taken == KEYWORD, taken == VALUE)
    assert found.quoted == ("'" in text and text.count("'") % 2 == 1)
