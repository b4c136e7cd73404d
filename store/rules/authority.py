"""The authorities of each type of object."""

from collections.abc import Iterable, Mapping
from functools import cache

from mqsc.store.table import cells

# The authorities of MQ.
_WORDS = frozenset(
    "ALTUSR BROWSE CHG CLR CONNECT CTRL CTRLX DLT DSP GET INQ PASSALL PASSID PUB PUT RESUME SET "
    "SETALL SETID SUB SYSTEM".split()
)


@cache
def _authorities() -> Mapping[str, tuple[str, ...]]:
    """For each object type: what ALLADM includes, what ALLMQI includes, and what ALL includes in
    addition.
    """
    return {
        type: tuple(words)
        for type, *words in cells(
            __file__,
            "authorities.csv",
            ("type", "administering", "calling", "others"),
            lists=dict.fromkeys(("administering", "calling", "others"), _WORDS),
        )
    }


def authorities(type: str) -> frozenset[str]:
    """Every authority that exists for an object type.

    CRT for RQMNAME is not in IBM's table of authorities, but IBM's own scripts grant it.
    """
    return frozenset(" ".join((*_authorities()[type], "CRT")).split())


def expanded(type: str, words: Iterable[str]) -> frozenset[str] | None:
    """The authorities with ALL, ALLADM and ALLMQI expanded; None when one does not exist for the
    type.

    NONE expands to no authority: its record grants nothing.
    """
    administering, calling, _ = every = _authorities()[type]
    groups = {"NONE": "", "ALLADM": administering, "ALLMQI": calling, "ALL": " ".join(every)}
    found = frozenset(each for word in words for each in groups.get(word, word).split())
    return found if found <= authorities(type) else None


def changed(had: Iterable[str], granted: frozenset[str], taken: frozenset[str]) -> list[str]:
    """The authorities after a change, sorted. If the lists overlap, the longer one is ALL and
    applies first.
    """
    return sorted(
        (set(had) | granted) - taken if len(granted) > len(taken) else (set(had) - taken) | granted,
    )
