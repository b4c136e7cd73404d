"""The type of a user that a channel acts as."""

from __future__ import annotations

from dataclasses import dataclass

from store.catalog.types import InvalidValueError, Text

# What user@domain may have on Windows (DEFINE CHANNEL, MCAUSER).
WITH_DOMAIN = 64


@dataclass(frozen=True, slots=True)
class User(Text):
    """A user identifier of at most `length` bytes, more where a domain follows it: user@domain."""

    def accept(self, text: str) -> str:
        """The identifier without blanks at its end; raises Refusal."""
        kept = text.rstrip(" ")
        if len(kept.encode("utf-8", "surrogatepass")) > (WITH_DOMAIN if "@" in kept else self.length):
            raise InvalidValueError("length", self.wanted)
        return kept

    @property
    def wanted(self) -> str:
        """What would be right."""
        return f"a user of at most {self.length} bytes, or user@domain of {WITH_DOMAIN}"
