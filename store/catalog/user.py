"""The type of a user ID under which a channel runs."""

from __future__ import annotations

from dataclasses import dataclass

from store.catalog.types import InvalidValueError, Text

# The maximum length of user@domain on Windows (DEFINE CHANNEL, MCAUSER).
WITH_DOMAIN = 64


@dataclass(frozen=True, slots=True)
class User(Text):
    """A user ID of at most `length` bytes, or a longer one with a domain: user@domain."""

    def accept(self, text: str) -> str:
        kept = text.rstrip(" ")
        if len(kept.encode("utf-8", "surrogatepass")) > (WITH_DOMAIN if "@" in kept else self.length):
            raise InvalidValueError("length", self.wanted)
        return kept

    @property
    def wanted(self) -> str:
        return f"a user of at most {self.length} bytes, or user@domain of {WITH_DOMAIN}"
