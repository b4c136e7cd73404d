"""The topic tree: which strings are above which, what a topic has from those above it, what wildcards mean. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

AS_PARENT = "ASPARENT"


def above(string: str) -> list[str]:
    """The topic strings above one, nearest first; the blank one is the root of the tree."""
    parts = string.split("/")
    return ["/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)] + ([""] if string else [])


def in_force(topics: Mapping[str, Mapping[str, Any]], string: str, words: Iterable[str]) -> dict[str, Any]:
    """What the attributes come to at a topic string: the nearest topic object above it that does not say ASPARENT.

    `topics` are the topic objects by their string; the one at the root has a value for everything. A blank name
    (MDURMDL) leaves it to the parent too.
    """
    way = [topics[each] for each in (string, *above(string)) if each in topics]
    return {word: next((each[word] for each in way if each[word] not in (AS_PARENT, "")), "") for word in words}


def covers(pattern: str, string: str) -> bool:
    """Whether a topic string is meant: + is one level, # any number of them, an asterisk at the end any characters."""
    if pattern.endswith("*"):
        return string.startswith(pattern[:-1])
    return _levels(pattern.split("/"), string.split("/"))


def _levels(wanted: list[str], levels: list[str]) -> bool:
    """Level by level, remembering the last # to try again from."""
    at, level, back, since = 0, 0, -1, 0
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
