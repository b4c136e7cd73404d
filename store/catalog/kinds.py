"""All kinds of object, and how they are found by their words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from store.catalog.attribute import Attribute
from store.catalog.authority import AUTHINFO, AUTHREC, CHLAUTH
from store.catalog.channels import CHANNEL
from store.catalog.kind import Kind
from store.catalog.process import PROCESS
from store.catalog.queue_manager import QMGR
from store.catalog.queues import QALIAS, QLOCAL, QMODEL, QREMOTE
from store.catalog.services import LISTENER, NAMELIST, SERVICE
from store.catalog.topics import COMMINFO, SUB, TOPIC
from store.catalog.zos import CFSTRUCT, STGCLASS

_ALL = (
    QMGR, QLOCAL, QMODEL, QALIAS, QREMOTE, PROCESS, NAMELIST, CHANNEL, LISTENER, SERVICE, TOPIC, SUB, AUTHINFO, CHLAUTH,
    AUTHREC, STGCLASS, CFSTRUCT, COMMINFO,
)  # fmt: skip
KINDS: Mapping[str, Kind] = MappingProxyType({kind.keyword: kind for kind in _ALL})
# The kinds that DISPLAY QUEUE covers, in the order of their names.
QUEUES = (QALIAS, QLOCAL, QMODEL, QREMOTE)

_BY_WORD = {word: kind for kind in _ALL for word in (kind.keyword, *kind.synonyms)}
_SEVERAL = {"QUEUE": QUEUES, "Q": QUEUES}


def kind_of(word: str) -> Kind | None:
    """The kind with this keyword or synonym (QL), in any case; None when there is none."""
    return _BY_WORD.get(word.upper())


def kinds_of(word: str) -> tuple[Kind, ...]:
    """The kinds that DISPLAY covers for a word: four for QUEUE, otherwise the kind that the word names."""
    several = _SEVERAL.get(word.upper())
    if several is not None:
        return several
    kind = kind_of(word)
    return () if kind is None else (kind,)


def attribute_of(kind: Kind, word: str, verb: str = "DISPLAY") -> tuple[Attribute, bool] | None:
    """The attribute with this keyword or synonym, and False for a clearing keyword (NOTRIGGER); None when unknown.

    The result does not say whether the verb accepts the attribute; synonyms for DISPLAY are found only with that verb.
    """
    found = kind.words.get(word.upper())
    if found is not None and verb != "DISPLAY" and word.upper() in found[0].display_synonyms:
        return None
    return found
