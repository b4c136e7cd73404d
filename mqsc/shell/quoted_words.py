"""The words of the shell's own commands: divided at blanks, in quotes where a word has blanks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mqsc.console.object_names import Quoted
from mqsc.shell.own_commands import OwnCommandError

_WORD = re.compile(r"""'((?:[^']|'')*)'(?=\s|$)|"([^"]*)"(?=\s|$)|(\S+)""")


class PlacedWord(NamedTuple):
    """A word without its quotes, and the offset at which it begins."""

    text: str
    start: int


def checked_words(text: str) -> list[str]:
    """The words of the text; OwnCommandError for a quote that is not closed."""
    try:
        return words_of(text)
    except ValueError as error:
        raise OwnCommandError(str(error)) from error


def words_of(text: str) -> list[str]:
    """The words of a line without their quotes. ValueError for a quote that is not closed."""
    return [each.text for each in placed_words(text)]


def placed_words(text: str) -> Iterator[PlacedWord]:
    """The words of a line with their places, one by one. ValueError for a quote that is not
    closed.
    """
    for word_match in _WORD.finditer(text):
        single, double, plain = word_match.groups()
        if plain is not None and plain[0] in "'\"":
            raise ValueError(f"{plain} begins with a quote that is not closed")
        if plain is not None:
            word = plain
        else:
            word = Quoted(double if single is None else single.replace("''", "'"))
        yield PlacedWord(word, word_match.start())
