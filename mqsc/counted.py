"""Numbers of things in sentences: 1 message, 2 messages."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """The number with the noun, in the plural unless there is one."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
