"""One row of the vocabulary: an attribute, with everything that anybody asks about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from store.catalog.types import Stored, Type

DEFINED = frozenset({"DEFINE", "ALTER", "DISPLAY"})
ALTERED = frozenset({"ALTER", "DISPLAY"})
FIXED = frozenset({"DEFINE", "DISPLAY"})
SET = frozenset({"SET", "DISPLAY"})
SHOWN = frozenset({"DISPLAY"})

# Platforms whose words mean nothing to a queue manager of this kind: kept, and displayed when asked for by name.
_ELSEWHERE = frozenset({"zos", "windows", "nsk"})


class Force(Enum):
    """When a change needs FORCE on ALTER; the value says it in words."""

    NEVER = ""
    INPUT_HANDLES = "it stops being shareable while more than one handle has it open for input"
    MESSAGES_OR_HANDLES = "it holds messages or a handle has it open"
    HANDLES = "a handle has it open"
    RESOLVED = "a handle has a queue open that resolved through it"
    REMOTE_HANDLES = "a handle has a remote queue open whose way leads through it"


@dataclass(frozen=True, slots=True)
class HotColumn:
    """The column of the queue or queue manager row that a put or get reads instead of the definition.

    `numbers` gives words the number to store (None is NULL); `read` derives the number from a text.
    """

    name: str
    numbers: Mapping[str, int | None] = field(default_factory=dict)
    read: Callable[[str], int | None] | None = None

    def value(self, stored: Stored) -> int | str | None:
        """What the column holds for a stored attribute value."""
        if isinstance(stored, list):
            raise TypeError(f"{self.name} cannot hold a list")
        if self.read is not None:
            return self.read(str(stored))
        return self.numbers.get(stored, stored) if isinstance(stored, str) else stored


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of one or several kinds of object.

    `default` is what the shipped default object has, None when it has none (the attribute is derived, or required).
    `constant` is the value of an attribute that nobody can change. `only_for` names the subtypes (CHLTYPE, TRPTYPE,
    AUTHTYPE, TYPE of CHLAUTH) that take it, all when empty; `zos_for` those that take it on z/OS only; `required_for`
    those that cannot do without it; `default_for` their own defaults. `leading` attributes follow the name directly.
    `option` marks a parameter of the command that is never stored. `secret` values are never shown. `quiet` rows are
    shown when named, not for ALL; None leaves it to the platform. `group` is the word by which DISPLAY QMGR shows
    several attributes. `display_synonyms` are words that only DISPLAY knows. `chooser` is what DISPLAY takes in
    parentheses after the keyword to choose objects: TYPE(ALL).
    """

    keyword: str
    type: Type
    default: Stored | None
    verbs: frozenset[str]
    help: str
    synonyms: tuple[str, ...] = ()
    column: HotColumn | None = None
    force: Force = Force.NEVER
    platform: str = "all"
    group: str = ""
    constant: Stored | None = None
    only_for: tuple[str, ...] = ()
    zos_for: tuple[str, ...] = ()
    required: bool = False
    required_for: tuple[str, ...] = ()
    default_for: Mapping[str, Stored] = field(default_factory=dict)
    default_of: Callable[[str], str] | None = None
    leading: bool = False
    option: bool = False
    secret: bool = False
    quiet: bool | None = None
    display_synonyms: tuple[str, ...] = ()
    chooser: Type | None = None

    @property
    def display_only(self) -> bool:
        """Only DISPLAY knows the word: given to any other verb it is a syntax error."""
        return self.verbs == SHOWN

    @property
    def asked_only(self) -> bool:
        """DISPLAY shows it when named, not for ALL: words without effect here, facts about clusters."""
        return self.platform in _ELSEWHERE and self.column is None if self.quiet is None else self.quiet

    def in_all(self, subtype: str = "") -> bool:
        """Whether DISPLAY ALL shows it for a subtype."""
        return not self.asked_only and subtype not in self.zos_for

    def takes(self, subtype: str) -> bool:
        """Whether objects of this subtype have the attribute; a blank subtype means any."""
        return not subtype or not self.only_for or subtype in self.only_for or subtype in self.zos_for

    def is_required(self, subtype: str) -> bool:
        """Whether DEFINE must name it for this subtype."""
        return self.required or subtype in self.required_for

    def default_value(self, subtype: str = "", name: str = "") -> Stored | None:
        """The default for a subtype, and for an object of this name where the name counts (CERTLABL)."""
        if self.default_of is not None:
            return self.default_of(name)
        chosen = self.default_for.get(subtype, self.default)
        return list(chosen) if isinstance(chosen, list) else chosen


def defined(keyword: str, type: Type, default: Stored | None, help: str, **more: Any) -> Attribute:
    """A row that DEFINE, ALTER and DISPLAY take."""
    return Attribute(keyword, type, default, DEFINED, help, **more)


def altered(keyword: str, type: Type, default: Stored | None, help: str, **more: Any) -> Attribute:
    """A row that ALTER and DISPLAY take: the queue manager is never defined by MQSC."""
    return Attribute(keyword, type, default, ALTERED, help, **more)


def fixed(keyword: str, type: Type, default: Stored | None, help: str, **more: Any) -> Attribute:
    """A row that DEFINE and DISPLAY take: what cannot be altered."""
    return Attribute(keyword, type, default, FIXED, help, **more)


def shown(keyword: str, type: Type, help: str, default: Stored | None = None, **more: Any) -> Attribute:
    """A row that only DISPLAY takes."""
    return Attribute(keyword, type, default, SHOWN, help, **more)
