"""Generic object names: `ORDERS*` matches names that begin with ORDERS; only a trailing asterisk is generic."""

from __future__ import annotations

# Sorts after every name.
LAST = "\U0010ffff"


def is_generic(pattern: str) -> bool:
    """Whether it is generic, not a name."""
    return pattern.endswith("*")


def matches(pattern: str, name: str) -> bool:
    """Whether a generic or exact name matches; case counts."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def prefix_range(pattern: str) -> tuple[str, str]:
    """(low, high) such that `matches` is low <= name < high; a blank `high` means no upper limit.

    SQL compares with this range and not with LIKE, because names may contain its wildcards `_` and `%`.
    """
    if not pattern.endswith("*"):
        return pattern, pattern + "\0"
    stem = pattern[:-1]
    return (stem, stem[:-1] + chr(ord(stem[-1]) + 1)) if stem else ("", "")
