"""A simple, slow model of the topic tree: matching by the definitions of the wildcards, and
inheritance by walking up (publish-subscribe §1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Value = str | int
AS_PARENT = "ASPARENT"
# What SYSTEM.BASE.TOPIC has at first.
BASE: dict[str, Value] = {
    "PUB": "ENABLED",
    "SUB": "ENABLED",
    "DURSUB": "YES",
    "DEFPRTY": 0,
    "DEFPSIST": "NO",
    "PMSGDLV": "ALLDUR",
    "NPMSGDLV": "ALLAVAIL",
    "USEDLQ": "YES",
    "CAPEXPRY": "NOLIMIT",
    "WILDCARD": "PASSTHRU",
}


def up(string: str) -> Iterator[str]:
    """A topic string and those above it, the root last."""
    while True:
        yield string
        if not string:
            return
        string = string.rpartition("/")[0]


@dataclass
class Tree:
    """Topic objects: their topic strings by name, and their attributes by topic string."""

    strings: dict[str, str] = field(default_factory=lambda: {"SYSTEM.BASE.TOPIC": ""})
    objects: dict[str, dict[str, Value]] = field(default_factory=lambda: {"": dict(BASE)})

    def define(self, name: str, string: str, attributes: dict[str, Value]) -> bool:
        """Whether an object of that name and topic string can be defined."""
        if name in self.strings or string in self.objects:
            return False
        self.strings[name], self.objects[string] = string, dict(attributes)
        return True

    def alter(self, name: str, attributes: dict[str, Value]) -> bool:
        """Whether there is such an object."""
        if name not in self.strings:
            return False
        self.objects[self.strings[name]].update(attributes)
        return True

    def delete(self, name: str) -> bool:
        """Whether there is such an object."""
        if name not in self.strings:
            return False
        del self.objects[self.strings.pop(name)]
        return True

    def value(self, string: str, word: str) -> Value:
        """The value of an attribute that applies at a topic string."""
        for each in up(string):
            own = self.objects.get(each, {}).get(word, AS_PARENT)
            if own != AS_PARENT:
                return own
        raise KeyError(word)

    def block(self, topic: str) -> str | None:
        """The nearest object at or above the topic that blocks wildcards: its topic string."""
        for each in up(topic):
            if self.objects.get(each, {}).get("WILDCARD") == "BLOCK":
                return each
        return None


def _matches_levels(pattern: list[str], levels: list[str]) -> bool:
    if not pattern:
        return not levels
    first, rest = pattern[0], pattern[1:]
    if first == "#":
        return any(_matches_levels(rest, levels[start:]) for start in range(len(levels) + 1))
    if not levels or first not in ("+", levels[0]):
        return False
    return _matches_levels(rest, levels[1:])


_CHARACTERS: dict[str, Callable[[], str]] = {"*": lambda: "(?s:.*)", "?": lambda: "(?s:.)"}


def _expression(pattern: str) -> str:
    """A pattern of the character scheme as a regular expression."""
    parts = re.findall(r"%[*?%]|.", pattern, re.DOTALL)
    return "".join(
        _CHARACTERS[part]() if part in _CHARACTERS else re.escape(part.removeprefix("%") or part)
        for part in parts
    )


@dataclass(frozen=True)
class Pattern:
    """The topic string of a subscription, in one of the two schemes."""

    string: str
    by_character: bool

    def matches(self, topic: str) -> bool:
        if self.by_character:
            return re.fullmatch(_expression(self.string), topic) is not None
        return _matches_levels(self.string.split("/"), topic.split("/"))

    @property
    def is_wild(self) -> bool:
        if self.by_character:
            return re.search(r"[*?]", re.sub("%[*?%]", "", self.string)) is not None
        return bool({"+", "#"} & {*self.string.split("/")})

    @property
    def literal(self) -> str:
        """What comes before the first wildcard; all of it without one."""
        if not self.is_wild:
            return re.sub("%([*?%])", r"\1", self.string) if self.by_character else self.string
        if self.by_character:
            return re.split(r"[*?]", self.string)[0]
        levels = self.string.split("/")
        first = min(levels.index(each) for each in ("+", "#") if each in levels)
        return "/".join(levels[:first])

    @property
    def node(self) -> str:
        """Where in the tree it belongs: the whole levels before the first wildcard."""
        if self.is_wild and self.by_character:
            return self.literal.rpartition("/")[0]
        return self.literal

    def is_blocked(self, block: str | None) -> bool:
        """Whether an object with WILDCARD(BLOCK) above the topic hides that from it."""
        if block is None or not self.is_wild:
            return False
        return not (self.literal == block or self.literal.startswith(f"{block}/") or not block)
