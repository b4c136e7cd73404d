"""Object names and generic names."""

from __future__ import annotations

LAST = "\U0010ffff"


def prefix_range(pattern: str) -> tuple[str, str]:
    """(low, high) such that the names matching a generic name are those with low <= name < high; high may be blank.

    Only a trailing asterisk is generic; comparison as a range, never with LIKE, whose wildcards `_` and `%` names hold.
    """
    if not pattern.endswith("*"):
        return pattern, pattern + "\0"
    stem = pattern[:-1]
    return (stem, stem[:-1] + chr(ord(stem[-1]) + 1)) if stem else ("", "")


def matches(pattern: str, name: str) -> bool:
    """Whether a name matches a generic name."""
    low, high = prefix_range(pattern)
    return name >= low and (not high or name < high)
