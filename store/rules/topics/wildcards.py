"""Wildcards in the topic strings of subscriptions, in two schemes (publish-subscribe §1.1).

In the topic scheme a level that is exactly `+` is one level, and one that is exactly `#` any number
of levels. In the character scheme `*` is any number of characters, `?` is one, and `%` makes the
next of `*?%` an ordinary character.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.rules.topics.topic_strings import SEPARATOR, branch

ONE_LEVEL = "+"
ANY_LEVELS = "#"
ONE_CHARACTER = "?"
ANY_CHARACTERS = "*"
ESCAPE = "%"
_ESCAPED = (ONE_CHARACTER, ANY_CHARACTERS, ESCAPE)


class Wildcard(NamedTuple):
    """A place of a pattern that matches one part of a topic string, or any number of them."""

    is_any: bool


_ONE = Wildcard(is_any=False)
_ANY = Wildcard(is_any=True)
Part = str | Wildcard
_OF_LEVEL: dict[str, Part] = {ONE_LEVEL: _ONE, ANY_LEVELS: _ANY}
_OF_CHARACTER: dict[str, Part] = {ONE_CHARACTER: _ONE, ANY_CHARACTERS: _ANY}


class TopicPattern:
    """The topic string of a subscription: what it matches, and what of it is literal."""

    __slots__ = ("_parts", "by_character", "is_wild", "literal", "string")

    def __init__(self, string: str, *, by_character: bool) -> None:
        self.string = string
        self.by_character = by_character
        parts = _characters(string) if by_character else _levels(string)
        self._parts = parts
        self.is_wild = any(isinstance(part, Wildcard) for part in parts)
        # The text before the first wildcard; without one, the topic string that is meant.
        self.literal = _joined(_before_wildcard(parts), by_character=by_character)

    def matches(self, topic: str) -> bool:
        """Whether the pattern matches that topic string."""
        if not self.is_wild:
            return topic == self.literal
        items = topic if self.by_character else topic.split(SEPARATOR)
        return _covers(self._parts, items)

    @property
    def levels(self) -> str:
        """The topic string of the whole levels before the first wildcard: the node of the tree to
        which the subscription belongs.
        """
        if not self.is_wild or not self.by_character:
            return self.literal
        return self.literal.rpartition(SEPARATOR)[0]

    @property
    def bucket(self) -> str:
        """Under what the subscription is indexed; `buckets` has those of the subscriptions that may
        match a topic.
        """
        return _bucket(self.levels, is_wild=self.is_wild)


def fault(string: str, *, by_character: bool) -> int:
    """2425 for a pattern of the character scheme with a lone escape character, else 0."""
    if not by_character:
        return 0
    at = 0
    while (at := string.find(ESCAPE, at)) >= 0:
        if string[at + 1 : at + 2] not in _ESCAPED:
            return int(MQRC.TOPIC_STRING_ERROR)
        at += 2
    return 0


def buckets(topic: str) -> list[str]:
    """The values of `bucket` of all patterns that may match a topic string."""
    return [
        _bucket(topic, is_wild=False),
        *(_bucket(each, is_wild=True) for each in branch(topic)),
    ]


def _bucket(string: str, *, is_wild: bool) -> str:
    return f"{'+' if is_wild else '='}{string}"


def covers(pattern: str, string: str) -> bool:
    """Whether a topic string matches as in commands: with the wildcards of the topic scheme, and a
    final `*` for any characters.
    """
    if pattern.endswith(ANY_CHARACTERS):
        return string.startswith(pattern[:-1])
    return _covers(_levels(pattern), string.split(SEPARATOR))


def _levels(string: str) -> list[Part]:
    return [_OF_LEVEL.get(level, level) for level in string.split(SEPARATOR)]


def _characters(string: str) -> list[Part]:
    parts: list[Part] = []
    at = 0
    while at < len(string):
        character = string[at]
        if character == ESCAPE and string[at + 1 : at + 2] in _ESCAPED:
            at += 1
            parts.append(string[at])
        else:
            parts.append(_OF_CHARACTER.get(character, character))
        at += 1
    return parts


def _before_wildcard(parts: Sequence[Part]) -> list[str]:
    found: list[str] = []
    for part in parts:
        if isinstance(part, Wildcard):
            break
        found.append(part)
    return found


def _joined(parts: Sequence[str], *, by_character: bool) -> str:
    return ("" if by_character else SEPARATOR).join(parts)


def _covers(wanted: Sequence[Part], items: Sequence[str]) -> bool:
    """Match part by part; on a mismatch, backtrack to the last wildcard for any number."""
    at = place = 0
    after_any, since = -1, 0
    while place < len(items):
        part = wanted[at] if at < len(wanted) else None
        if part == _ANY:
            at += 1
            after_any, since = at, place
        elif part == _ONE or part == items[place]:
            at += 1
            place += 1
        elif after_any >= 0:
            since += 1
            at, place = after_any, since
        else:
            return False
    return all(part == _ANY for part in wanted[at:])
