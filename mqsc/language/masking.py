"""Masks the values of secret keywords, such as PASSWORD, in echo, replies and history.

The catalog says which keywords are secret. The module searches the text, not the parsed command, because a command that
cannot be parsed must not show its secret either.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import groupby

from grammar.lines import LogicalLine, SourceLine
from mqsc.language.where import OPERATORS
from store.catalog import KINDS

HIDDEN = "********"


@cache
def secret_keywords() -> frozenset[str]:
    """The keywords whose values are never shown, synonyms included."""
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
    # Quoted text without a parenthesis before it, or after an equals sign, is an error but still a secret.
    quoted = "'(?:[^']|'')*'?"
    value = rf"((?:{quoted}|[^')])*)"
    compared = rf"(?:{'|'.join(OPERATORS)})\b[\s,]*{value}"
    given = rf"\(\s*{value}|({quoted})|=\s*({quoted}|[^\s,()';]+)|\b{compared}"
    return re.compile(rf"(?<![A-Z0-9])(?:{words})[\s,]*(?:{given})", re.IGNORECASE)


def secret_spans(text: str) -> list[tuple[int, int]]:
    """The (start, end) offsets of the secret values in `text`, quotes included."""
    # Few commands have a secret, and looking for the keywords first takes a tenth of the time.
    upper = text.upper()
    for word in secret_keywords():
        if word in upper:
            break
    else:
        return []
    found = [(each, each.lastindex or 0) for each in _pattern().finditer(text)]
    return [each.span(group) for each, group in found if each.group(group).strip(" '")]


def masked(text: str) -> str:
    """`text` with every secret value replaced by the same number of asterisks, whatever its length."""
    spans = secret_spans(text)
    return _hide(text, spans) if spans else text


def without_secrets_of(text: str, sentence: str) -> str:
    """A sentence about `text`, with asterisks in place of every secret value that it repeats."""
    for start, end in secret_spans(text):
        for secret in (text[start:end], text[start:end].strip(" '")):
            sentence = sentence.replace(secret, HIDDEN)
    return sentence


def masked_source(line: LogicalLine) -> tuple[str, ...]:
    """The source lines of a command with asterisks for every secret value, even one that spans lines."""
    spans = secret_spans(line.text)
    if not spans:
        return tuple([source.text for source in line.source])
    hidden: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for span in spans:
        for number, places in groupby(map(line.position, range(*span)), key=_number):
            columns = [column for _, column in places]
            hidden[number].append((columns[0], columns[-1] + 1))
    return tuple(_hide(source.text, _in(source, hidden.get(source.number, ()))) for source in line.source)


def _number(place: tuple[int, int]) -> int:
    return place[0]


def _in(source: SourceLine, columns: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(first - source.column, beyond - source.column) for first, beyond in columns]


def _hide(text: str, spans: list[tuple[int, int]]) -> str:
    ends = [0, *(end for _, end in spans)]
    kept = [text[end:start] for end, (start, _) in zip(ends, spans, strict=False)]
    return HIDDEN.join([*kept, text[ends[-1] :]])
