"""Generic names: the beginning of a name and one asterisk at its end, or the asterisk alone for every name."""

from __future__ import annotations

from dataclasses import dataclass

from store.catalog.types import Name, Type

_NAME = Name(48)


@dataclass(frozen=True, slots=True)
class GenericName:
    """A type of value: a name, or the beginning of one and `*`."""

    of: Type = _NAME

    def accept(self, text: str) -> str:
        """The name as given, without blanks at its end; raises the catalog's Refusal."""
        name = text.rstrip(" ")
        self.of.accept(name.removesuffix("*"))
        return name

    @property
    def wanted(self) -> str:
        """What would be right."""
        return f"{self.of.wanted}, or the beginning of one and *"

    @property
    def words(self) -> tuple[str, ...]:
        """Any name goes."""
        return ()


@dataclass(frozen=True, slots=True)
class OrAll:
    """A type of value: what `of` takes, or an asterisk alone."""

    of: Type

    def accept(self, text: str) -> str:
        """The value as given; raises the catalog's Refusal."""
        return text if text == "*" else str(self.of.accept(text))

    @property
    def wanted(self) -> str:
        """What would be right."""
        return f"{self.of.wanted}, or *"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that `of` takes."""
        return self.of.words


@dataclass(frozen=True, slots=True)
class Anything:
    """A type of value of a command that is not carried out here: any value, several, or none."""

    wanted: str = "a value"

    def accept(self, text: str) -> str:
        """One word, as given."""
        return text

    @property
    def words(self) -> tuple[str, ...]:
        """Any word goes."""
        return ()


@dataclass(frozen=True, slots=True)
class Words:
    """A type of value: several words that whoever carries out the command reads (WHERE)."""

    wanted: str

    def accept(self, text: str) -> str:
        """One word, as given."""
        return text

    @property
    def words(self) -> tuple[str, ...]:
        """Any word goes."""
        return ()


def is_generic(name: str) -> bool:
    """Whether the name stands for all that begin with it."""
    return name.endswith("*")


def matches(pattern: str, name: str) -> bool:
    """Whether a generic or exact name covers `name`; case and every character count."""
    return name.startswith(pattern[:-1]) if is_generic(pattern) else name == pattern
