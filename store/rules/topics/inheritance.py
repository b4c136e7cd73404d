"""Attributes of topic strings, which the topic objects on their branch of the tree give
(publish-subscribe §1.2).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from mqsc.store.rules.topics.topic_strings import branch, parents

AS_PARENT = "ASPARENT"
# What SYSTEM.BASE.TOPIC has as shipped, which applies when it was deleted.
ORIGINAL: Mapping[str, Any] = {
    "PUB": "ENABLED",
    "SUB": "ENABLED",
    "DURSUB": "YES",
    "DEFPRTY": 0,
    "DEFPSIST": "NO",
    "DEFPRESP": "SYNC",
    "PMSGDLV": "ALLDUR",
    "NPMSGDLV": "ALLAVAIL",
    "USEDLQ": "YES",
    "MDURMDL": "SYSTEM.DURABLE.MODEL.QUEUE",
    "MNDURMDL": "SYSTEM.NDURABLE.MODEL.QUEUE",
    "CAPEXPRY": "NOLIMIT",
    "PUBSCOPE": "ALL",
    "SUBSCOPE": "ALL",
    "MCAST": "DISABLED",
    "COMMINFO": "SYSTEM.DEFAULT.COMMINFO.MULTICAST",
}
# The numbers of ASPARENT and NOLIMIT, where a value is a number.
NUMBER_AS_PARENT = -2
NO_LIMIT = -1
_INHERITED = (AS_PARENT, NUMBER_AS_PARENT, "")


def effective_attributes(
    topics: Mapping[str, Mapping[str, Any]],
    string: str,
    words: Iterable[str],
) -> dict[str, Any]:
    """The values of attributes at a topic string: from the nearest topic object whose value is not
    ASPARENT.

    `topics` are the topic objects by topic string. A blank name (MDURMDL) is inherited too. What no
    object gives is as SYSTEM.BASE.TOPIC was shipped, or blank.
    """
    path = [topics[each] for each in branch(string) if each in topics]
    return {word: _value(path, word) for word in words}


def _value(path: Iterable[Mapping[str, Any]], word: str) -> Any:
    own = (each[word] for each in path if each.get(word, "") not in _INHERITED)
    return next(own, ORIGINAL.get(word, ""))


def source_of(topics: Mapping[str, Mapping[str, Any]], string: str, word: str) -> str | None:
    """The topic string of the object that gives an attribute; None if no object does."""
    giving = (
        each
        for each in branch(string)
        if each in topics and topics[each].get(word, "") not in _INHERITED
    )
    return next(giving, None)


def nodes_of(strings: Iterable[str]) -> set[str]:
    """These topic strings and all above them."""
    named = set(strings)
    return named | {up for name in named for up in parents(name)}
