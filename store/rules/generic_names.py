"""Generic object names: `ORDERS*` matches names that begin with ORDERS; only a trailing asterisk is generic."""

from __future__ import annotations

# Sorts after every name.
LAST = "\U0010ffff"


def prefix_range(pattern: str) -> tuple[str, str]:
    """(low, high) such that a name matches when low <= name < high; a blank `high` means no upper limit.

    SQL compares with this range and not with LIKE, because names may contain its wildcards `_` and `%`.
    """
    if not pattern.endswith("*"):
        return pattern, pattern + "\0"
    stem = pattern[:-1]
    return (stem, stem[:-1] + chr(ord(stem[-1]) + 1)) if stem else ("", "")


def matches(pattern: str, name: str) -> bool:
    low, high = prefix_range(pattern)
    return name >= low and (not high or name < high)
