"""Generic names in commands: the beginning of a name and a trailing asterisk; the asterisk alone matches every name.

The store selects names by range instead, see `store.rules.generic_names`.
"""

from __future__ import annotations

from dataclasses import dataclass

from store.catalog.types import Name, Type

_NAME = Name(48)


@dataclass(frozen=True, slots=True)
class GenericName:
    """A value type: a name, or the beginning of a name and `*`."""

    of: Type = _NAME

    def accept(self, text: str) -> str:
        """The name without trailing blanks; raises InvalidValueError."""
        name = text.rstrip(" ")
        self.of.accept(name.removesuffix("*"))
        return name

    @property
    def wanted(self) -> str:
        """What the type accepts, as a phrase."""
        return f"{self.of.wanted}, or the beginning of one and *"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the type accepts: none in particular."""
        return ()


def is_generic(name: str) -> bool:
    """Whether the name ends in an asterisk."""
    return name.endswith("*")


def matches(pattern: str, text: str) -> bool:
    """Whether a generic or exact name matches a name or other text; case counts."""
    return text.startswith(pattern[:-1]) if is_generic(pattern) else text == pattern
