"""Value types that only commands have, beside those of the catalog (`store.catalog.types`)."""

from msgspec import Struct

from mqsc.store.catalog.types import Name, Type, WithoutWords

_NAME = Name(48)


class GenericName(Struct, WithoutWords, frozen=True):
    """A name, or the beginning of a name and `*`; patterns with wildcards anywhere are in
    `mqsc.dlq.keywords`.
    """

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


class OrAsterisk(Struct, frozen=True):
    """A value of the type `of`, or an asterisk alone."""

    of: Type

    def accept(self, text: str) -> str:
        """The value as given; raises InvalidValueError."""
        return text if text == "*" else str(self.of.accept(text))

    @property
    def wanted(self) -> str:
        """What the type accepts, as a phrase."""
        return f"{self.of.wanted}, or *"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the type accepts."""
        return self.of.words


class Anything(Struct, WithoutWords, frozen=True):
    """Any value, several values, or none: for commands that are read only to be refused."""

    wanted: str = "a value"

    def accept(self, text: str) -> str:
        """The word as given."""
        return text


class WordList(Struct, WithoutWords, frozen=True):
    """Several words that the verb itself interprets, such as those of WHERE."""

    wanted: str

    def accept(self, text: str) -> str:
        """The word as given."""
        return text
