"""The topic tree: parents of topic strings, attributes inherited from them, and wildcards."""

from collections.abc import Iterable, Mapping
from typing import Any

AS_PARENT = "ASPARENT"


def parents(string: str) -> list[str]:
    """The topic strings above a string, nearest first; the blank string is the root of the tree."""
    parts = string.split("/")
    return ["/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)] + (
        [""] if string else []
    )


def effective_attributes(
    topics: Mapping[str, Mapping[str, Any]],
    string: str,
    words: Iterable[str],
) -> dict[str, Any]:
    """The values of attributes at a topic string: from the nearest topic object whose value is not
    ASPARENT.

    `topics` are the topic objects by topic string; the object at the root has a value for every
    attribute. A blank name (MDURMDL) is inherited too.
    """
    path = [topics[each] for each in (string, *parents(string)) if each in topics]
    return {
        word: next((each[word] for each in path if each[word] not in (AS_PARENT, "")), "")
        for word in words
    }


def covers(pattern: str, string: str) -> bool:
    """Whether a topic string matches: `+` is one level, `#` any number of levels, a final `*`
    any characters.
    """
    if pattern.endswith("*"):
        return string.startswith(pattern[:-1])
    return _levels(pattern.split("/"), string.split("/"))


def _levels(wanted: list[str], levels: list[str]) -> bool:
    """Match level by level; on a mismatch, backtrack to the last `#`."""
    at = 0
    level = 0
    back = -1
    since = 0
    while level < len(levels):
        if at < len(wanted) and wanted[at] == "#":
            back, since = at, level
            at += 1
        elif at < len(wanted) and wanted[at] in ("+", levels[level]):
            at, level = at + 1, level + 1
        elif back >= 0:
            since += 1
            at, level = back + 1, since
        else:
            return False
    return all(each == "#" for each in wanted[at:])
