"""Numbers that have a meaning in the file of a store."""

from __future__ import annotations

from enum import IntEnum

# PRAGMA user_version. A store with a higher number is refused, one with a lower number is upgraded, so every change of
# the schema needs a step in `store.sqlite.migrations`.
SCHEMA_VERSION = 5
APPLICATION_ID = 0x4D515343

# A unit of work is the number `connection << UNIT_BITS | n`, so that the units of one connection are one range.
UNIT_BITS = 32


class MessageState(IntEnum):
    """A message is available, or an open unit of work has put or got it."""

    AVAILABLE = 0
    PUT = 1
    GOT = 2


def condition_of(state: MessageState) -> str:
    """Return the condition that a message is in this state. SQLite uses a partial index only for a literal."""
    return f"state = {state:d}"
