"""Topic strings: the full string of an object and a string, its parents, and its faults
(publish-subscribe §1).
"""

from typing import NamedTuple

from mqsc.store.constants import MQRC

# In characters.
LONGEST = 10_240
SEPARATOR = "/"
_NOT_THERE = (" ", "\0")


class FullString(NamedTuple):
    """A full topic string, or the reason why there is none: 2085, 2425 or 2441."""

    string: str
    reason: int = 0


def is_given(text: str) -> bool:
    """Whether a string counts as one: it does not begin with a blank or NUL."""
    return bool(text) and not text.startswith(_NOT_THERE)


def joined(of_object: str, given: str) -> str:
    """The full string of the TOPICSTR of an object and a string, either of which may be missing."""
    return SEPARATOR.join(part for part in (of_object, given) if is_given(part))


def full_string(of_object: str | None, given: str) -> FullString:
    """The full string of an object, None without one, and a string.

    2085 when neither is there, 2425 for an object that leaves it empty, 2441 when it is too long.
    """
    if of_object is None and not is_given(given):
        return FullString("", int(MQRC.UNKNOWN_OBJECT_NAME))
    full = joined(of_object or "", given)
    if not full:
        return FullString("", int(MQRC.TOPIC_STRING_ERROR))
    if len(full) > LONGEST:
        return FullString("", int(MQRC.OBJECT_STRING_ERROR))
    return FullString(full)


def parents(string: str) -> list[str]:
    """The topic strings above a string, nearest first; the blank string is the root of the tree."""
    parts = string.split(SEPARATOR)
    above = [SEPARATOR.join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]
    return [*above, ""] if string else above


def branch(string: str) -> list[str]:
    """A topic string and those above it, down to the root."""
    return [string, *parents(string)]
