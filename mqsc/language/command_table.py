"""The verbs and nouns of commands, their synonyms, and the kinds of object that each noun covers.

The table distinguishes a command that is not supported here from one that does not exist. `support`
has a row for each command that is refused, or not performed as in MQ.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from mqsc.language.support import UNSUPPORTED
from mqsc.language.value_types import OrAsterisk
from mqsc.store.catalog import QUEUES, Kind, kinds_of, nearest, object_kind
from mqsc.store.catalog.spelling import did_you_mean
from mqsc.store.catalog.types import Name, Text, Type, Word
from mqsc.store.table import table

QUEUE_NOUNS = frozenset({"QALIAS", "QLOCAL", "QMODEL", "QREMOTE"})
# Verbs that only read; all others change something.
READING = frozenset({"DISPLAY", "PING"})
SETTING = frozenset({"DEFINE", "ALTER", "SET"})
_VERBS = table(
    __file__,
    "verbs.csv",
    ("verb", "synonyms", "listed", "nouns"),
    {"listed": ("", "yes")},
)
COMMANDS: Mapping[str, frozenset[str]] = {
    row["verb"]: frozenset(row["nouns"].split()) for row in _VERBS
}
# END is not an MQSC command: it ends the input and is not counted.
ENDINGS = frozenset({"END", "EXIT", "QUIT"})

# The verbs that AMQ8426I lists.
LISTED_VERBS = tuple(sorted([*(row["verb"] for row in _VERBS if row["listed"]), "END"]))
# DELETE has no synonym in MQSC.
VERB_SYNONYMS: Mapping[str, str] = {
    word: row["verb"] for row in _VERBS for word in row["synonyms"].split()
}
# Commands that do not accept a short form of their verb.
WITHOUT_SYNONYM = frozenset({("REF", "QMGR"), ("REBUILD", "QMGR"), ("REBUILD", "CLUSTER")})

NOUN_SYNONYMS: Mapping[str, str] = {
    row["word"]: row["noun"] for row in table(__file__, "noun_synonyms.csv", ("word", "noun"))
}


def verb_of(word: str) -> str | None:
    """The verb that `word` names, in full or as a synonym."""
    verb = VERB_SYNONYMS.get(word, word)
    return verb if verb in COMMANDS else None


def noun_of(verb: str, word: str) -> str | None:
    """The object that `word` names, in full or as a synonym; None if `verb` does not take it."""
    noun = NOUN_SYNONYMS.get(word, word)
    return noun if noun in COMMANDS[verb] else None


def types_of(word: str, verb: str) -> str:
    """The end of a sentence about QUEUE, which only DISPLAY accepts: the types of queue that
    `verb` accepts.
    """
    types = sorted(COMMANDS[verb] & QUEUE_NOUNS) if NOUN_SYNONYMS.get(word, word) == "QUEUE" else []
    return f"; name the type of queue: {', '.join(types)}" if types else ""


def meant(word: str, candidates: Iterable[str]) -> str:
    """The end of a sentence: `; did you mean MAXDEPTH?`, or nothing if no candidate is close."""
    close = nearest(word, candidates)
    return f"; {did_you_mean([close])}" if close else ""


# The type of the name, for nouns without a kind in the catalog. A noun that is not listed has an
# ordinary name.
_CLASSES = (
    "MQADMIN",
    "MQNLIST",
    "MQPROC",
    "MQQUEUE",
    "MXADMIN",
    "MXNLIST",
    "MXPROC",
    "MXQUEUE",
    "MXTOPIC",
)
_NAME_TYPES: Mapping[str, Type] = {
    "CLUSTER": OrAsterisk(Name(48)),
    "SECURITY": Word(("*", *_CLASSES)),
    "QSTATS": Name(48),
    "TOPICSTR": Text(10_240, varying=True),
}
_COVERED: Mapping[str, tuple[Kind, ...]] = {"QCLUSTER": QUEUES, "TCLUSTER": kinds_of("TOPIC")}


@cache
def kinds_for(noun: str) -> tuple[Kind, ...]:
    """The kinds that a command with this noun covers; a kind without attributes if the catalog
    has none.
    """
    covered = _COVERED.get(noun) or kinds_of(noun)
    if covered:
        return covered
    from mqsc.store.catalog.status import STATUS_KINDS

    if noun in STATUS_KINDS:
        return (STATUS_KINDS[noun],)
    return (object_kind.make_kind(noun, _NAME_TYPES.get(noun, Name(48))),)


class NounKinds(Mapping[str, tuple[Kind, ...]]):
    """The nouns of a verb with their kinds. A kind is looked up when it is needed, because a run
    needs few of them.
    """

    def __init__(self, nouns: Iterable[str]) -> None:
        self._nouns = tuple(sorted(nouns))

    def __getitem__(self, noun: str) -> tuple[Kind, ...]:
        if noun not in self._nouns:
            raise KeyError(noun)
        return kinds_for(noun)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nouns)

    def __len__(self) -> int:
        return len(self._nouns)


def objects_of(verb: str) -> NounKinds:
    """The nouns that a verb takes in MQSC, without those that are not supported here."""
    return NounKinds(noun for noun in COMMANDS[verb] if (verb, noun) not in UNSUPPORTED)
