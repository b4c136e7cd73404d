"""All commands of MQSC, supported here or not: the verbs, the objects that each takes, and the synonyms.

The table distinguishes a command that is not supported here from one that does not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from store.catalog import nearest
from store.table import table

_QUEUES = frozenset({"QALIAS", "QLOCAL", "QMODEL", "QREMOTE"})
_VERBS = table(__file__, "verbs.csv")
COMMANDS: Mapping[str, frozenset[str]] = {row["verb"]: frozenset(row["nouns"].split()) for row in _VERBS}
# END is not an MQSC command: it ends the input and is not counted.
ENDINGS = frozenset({"END", "EXIT", "QUIT"})

# The verbs that AMQ8426I lists.
LISTED_VERBS = tuple(sorted([*(row["verb"] for row in _VERBS if row["listed"]), "END"]))
# DELETE has no synonym in MQSC.
VERB_SYNONYMS: Mapping[str, str] = {word: row["verb"] for row in _VERBS for word in row["synonyms"].split()}


# Commands that do not accept a short form of their verb.
WITHOUT_SYNONYM = frozenset({("REF", "QMGR"), ("REBUILD", "QMGR"), ("REBUILD", "CLUSTER")})

NOUN_SYNONYMS: Mapping[str, str] = {row["word"]: row["noun"] for row in table(__file__, "noun_synonyms.csv")}


def verb_of(word: str) -> str | None:
    """The verb that `word` names, in full or as a synonym."""
    verb = VERB_SYNONYMS.get(word, word)
    return verb if verb in COMMANDS else None


def noun_of(verb: str, word: str) -> str | None:
    """The object that `word` names, in full or as a synonym; None if `verb` does not take it."""
    noun = NOUN_SYNONYMS.get(word, word)
    return noun if noun in COMMANDS[verb] else None


def types_of(word: str, verb: str) -> str:
    """The end of a sentence on QUEUE, which only DISPLAY takes: the types of queue that `verb` takes."""
    types = sorted(COMMANDS[verb] & _QUEUES) if NOUN_SYNONYMS.get(word, word) == "QUEUE" else []
    return f"; name the type of queue: {', '.join(types)}" if types else ""


def meant(word: str, candidates: Iterable[str]) -> str:
    """The end of a sentence: `; did you mean MAXDEPTH?`, or nothing if no candidate is close."""
    close = nearest(word, candidates)
    return f"; did you mean {close}?" if close else ""
