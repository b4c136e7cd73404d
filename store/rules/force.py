"""Which changes need FORCE: those that programs which have the queue open, or its messages, would not expect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from store.catalog import Force, Kind, Stored

# Keyword → (before, after); None where there was, or is, nothing.
Changes = Mapping[str, tuple[Stored | None, Stored | None]]


class Hold(NamedTuple):
    """What stands against a change of a queue: handles open for input, any handle, messages, and handles that took a
    remote definition for the alias of a queue manager."""

    input_handles: int
    is_open: bool
    has_messages: bool
    is_manager_alias: bool


# By the mark that the attribute's row bears; the value is the one after the change.
_NEEDED: Mapping[Force, Callable[[Hold, Stored | None], bool]] = {
    Force.INPUT_HANDLES: lambda hold, value: value == "NOSHARE" and hold.input_handles > 1,
    Force.MESSAGES_OR_HANDLES: lambda hold, _: hold.has_messages or hold.is_open,
    Force.HANDLES: lambda hold, _: hold.is_open,
    Force.RESOLVED: lambda hold, _: hold.is_manager_alias,
}


def needs_force(kind: Kind, changes: Changes, hold: Hold) -> bool:
    """Whether any of the changes, (before, after) by keyword, takes programs by surprise (FORCE rules of ALTER)."""
    marks = {word: kind.attributes[word].force for word in changes if word in kind.attributes}
    return any(mark in _NEEDED and _NEEDED[mark](hold, changes[word][1]) for word, mark in marks.items())


def has_marked(kind: Kind, changes: Changes) -> bool:
    """Whether a change can need FORCE at all."""
    return any(kind.attributes[word].force in _NEEDED for word in changes if word in kind.attributes)
