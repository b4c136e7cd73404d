"""The kinds of objects, and the words that name them."""

from collections.abc import Mapping

from mqsc.store.catalog.attribute import Attribute
from mqsc.store.catalog.object_kind import Kind
from mqsc.store.catalog.objects.channels import CHANNEL
from mqsc.store.catalog.objects.namelists import NAMELIST
from mqsc.store.catalog.objects.processes import PROCESS
from mqsc.store.catalog.objects.queue_manager import QMGR
from mqsc.store.catalog.objects.queues import QALIAS, QLOCAL, QMODEL, QREMOTE
from mqsc.store.catalog.objects.security import AUTHINFO, AUTHREC, CHLAUTH
from mqsc.store.catalog.objects.services import LISTENER, SERVICE
from mqsc.store.catalog.objects.topics import COMMINFO, SUB, TOPIC
from mqsc.store.catalog.objects.zos import CFSTRUCT, STGCLASS

_KINDS = (
    QMGR,
    QLOCAL,
    QMODEL,
    QALIAS,
    QREMOTE,
    PROCESS,
    NAMELIST,
    CHANNEL,
    LISTENER,
    SERVICE,
    TOPIC,
    SUB,
    AUTHINFO,
    CHLAUTH,
    AUTHREC,
    STGCLASS,
    CFSTRUCT,
    COMMINFO,
)
KINDS: Mapping[str, Kind] = {kind.keyword: kind for kind in _KINDS}
# The kinds that DISPLAY QUEUE covers, in the order of their names.
QUEUES = (QALIAS, QLOCAL, QMODEL, QREMOTE)

_BY_WORD = {word: kind for kind in KINDS.values() for word in (kind.keyword, *kind.synonyms)}
_QUEUES_BY_WORD = {"QUEUE": QUEUES, "Q": QUEUES}


def kind_of(word: str) -> Kind | None:
    """The kind with this keyword or synonym (QL), in any case; None when there is none."""
    return _BY_WORD.get(word.upper())


def kinds_of(word: str) -> tuple[Kind, ...]:
    """The kinds that DISPLAY covers for a word: four for QUEUE, otherwise the kind that the word
    names.
    """
    kind = kind_of(word)
    return _QUEUES_BY_WORD.get(word.upper()) or (() if kind is None else (kind,))


def attribute_of(kind: Kind, word: str, verb: str = "DISPLAY") -> tuple[Attribute, bool] | None:
    """The attribute with this keyword or synonym, and False for a clearing keyword (NOTRIGGER);
    None when unknown.

    The result does not say whether the verb accepts the attribute; synonyms for DISPLAY are found
    only with that verb.
    """
    found = kind.words.get(word.upper())
    if found is not None and verb != "DISPLAY" and word.upper() in found[0].display_synonyms:
        return None
    return found
