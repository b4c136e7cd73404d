"""Explains concepts of MQ that are neither keywords nor codes: poison messages, backout, syncpoint. They are rows of
concepts.csv: name, other words with semicolons between, explanation, and what to try.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mqsc.explain.explanation import Explanation, Part
from store.table import cells

_BETWEEN = re.compile(r"[\s_-]+")


class Concept(NamedTuple):
    """A row of the table."""

    name: str
    also: str
    text: str
    attempts: str


def explain_concept(word: str) -> Iterator[Explanation]:
    """Explain a concept by its name or another word for it, in singular or plural."""
    key = _key(word)
    found = concepts().get(key) or concepts().get(key.removesuffix("s"))
    if found is not None:
        yield Explanation("concept", found.name, f"{found.name}: {found.text}", (Part("try", found.attempts),))


@cache
def concepts() -> Mapping[str, Concept]:
    """The concepts by each of their words."""
    found = [Concept(*row) for row in cells(__file__, "concepts.csv")]
    return {_key(word): each for each in found for word in (each.name, *each.also.split(";"))}


def concept_words() -> list[str]:
    """All words that this module explains."""
    return [word.upper() for each in {*concepts().values()} for word in (each.name, *each.also.split(";"))]


def _key(word: str) -> str:
    return _BETWEEN.sub(" ", word.strip()).lower()
