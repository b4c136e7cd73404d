"""Keeps secrets out of echo, replies and history: the value of a secret keyword becomes asterisks.

Which keywords are secret is said in the catalog.
The text is searched rather than the parsed command: a command that cannot be parsed must not show its secret either.
"""

from __future__ import annotations

import re
from functools import cache

from grammar.lines import LogicalLine
from store.catalog import KINDS

HIDDEN = "********"


@cache
def secret_keywords() -> frozenset[str]:
    """The keywords, synonyms included, whose values are never shown."""
    return frozenset(
        word
        for kind in KINDS.values()
        for attribute in kind.attributes.values()
        if attribute.secret
        for word in (attribute.keyword, *attribute.synonyms)
    )


@cache
def _pattern() -> re.Pattern[str]:
    words = "|".join(sorted(secret_keywords()))
    return re.compile(rf"(?<![A-Z0-9])(?:{words})[\s,]*\(\s*('(?:[^']|'')*'?|[^)]*)", re.IGNORECASE)


def secret_spans(text: str) -> list[tuple[int, int]]:
    """Where in `text` secret values stand, as (start, end) offsets; quotes belong to the value."""
    return [found.span(1) for found in _pattern().finditer(text) if found.group(1).strip(" '")]


def masked(text: str) -> str:
    """`text` with asterisks for every secret value; their number says nothing about its length."""
    return _hide(text, secret_spans(text))


def masked_source(line: LogicalLine) -> tuple[str, ...]:
    """The source lines of a command, with asterisks for every secret value, also one that is continued."""
    pieces: dict[int, list[tuple[int, int]]] = {}
    for start, end in secret_spans(line.text):
        places = [line.position(offset) for offset in range(start, end)]
        for number in dict.fromkeys(number for number, _ in places):
            columns = [column for row, column in places if row == number]
            pieces.setdefault(number, []).append((min(columns) - 1, max(columns)))
    return tuple(_hide(source.text, pieces.get(source.number, [])) for source in line.source)


def _hide(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}{HIDDEN}{text[end:]}"
    return text
