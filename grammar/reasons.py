"""Why text is not MQSC or a rules table, by the token at which the parser stopped."""

from collections.abc import Mapping
from typing import NamedTuple


class Reason(NamedTuple):
    """What would be valid in place of a token, and the sentence for people.

    In the sentence, {shape} is "command" or "entry", {opened} the position of the open
    parenthesis, {keyword} the word before it, {found} the token.
    """

    expected: tuple[str, ...]
    sentence: str


# By kind of token, and whether it is inside parentheses.
REASONS: Mapping[tuple[str, bool], Reason] = {
    ("end", False): Reason(("a keyword",), "the {shape} is empty"),
    ("end", True): Reason((")",), "the parenthesis that opens at {opened} is never closed"),
    ("(", False): Reason(("a keyword",), "a parenthesis is valid only after a keyword"),
    ("(", True): Reason(
        (")", "a value"),
        "the parenthesis that opens at {opened} is still open; a value that contains a parenthesis must be in quotes",
    ),
    (")", False): Reason(("a keyword",), "no parenthesis is open here"),
    (")", True): Reason(("a value",), "{keyword} needs a value between its parentheses"),
    ("quote", False): Reason(("'",), "the quote that opens here is never closed"),
    ("quote", True): Reason(
        ("'",), "the quote that opens here is never closed; a quote inside quotes is written twice"
    ),
    ("quoted", False): Reason(
        ("a keyword",), "quoted text is valid only between parentheses: KEYWORD('text')"
    ),
    ("=", False): Reason(
        ("(",), "a value goes between parentheses, not after an equals sign: {keyword}(value)"
    ),
    (";", False): Reason(
        ("a keyword",), "an entry ends at the end of its line; a semicolon is not valid here"
    ),
    (";", True): Reason((")", "'"), "a value that contains a semicolon must be in quotes"),
    ("word", False): Reason(("(",), "{found} must be followed by a value in parentheses"),
    ("remark", False): Reason(
        ("a line of its own",),
        "a comment must be on a line of its own that begins with an asterisk",
    ),
    ("second", True): Reason(
        (")",),
        "{keyword} takes one value; a value that contains blanks or commas must be in quotes",
    ),
    ("touching", True): Reason(
        (",", ")"), "the value before it ends too early; a quote inside quotes is written twice"
    ),
    ("unseen", False): Reason(("a blank",), "{found} is neither a blank nor valid in a word"),
    ("unseen", True): Reason(
        ("a blank", "'"), "{found} is not a blank and is valid only inside quotes"
    ),
}
