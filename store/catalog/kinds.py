"""The kinds of objects, and the objects that every queue manager has."""

from collections.abc import Mapping

from msgspec import Struct

from mqsc.store.catalog.attribute import Attribute, Kind, defaults
from mqsc.store.catalog.tables import OBJECT_FILES, read_kinds, stored_value
from mqsc.store.catalog.types import Stored
from mqsc.store.table import table

KINDS: Mapping[str, Kind] = read_kinds(OBJECT_FILES)
# The kinds that DISPLAY QUEUE covers, in the order of their names.
QUEUES = tuple(KINDS[word] for word in ("QALIAS", "QLOCAL", "QMODEL", "QREMOTE"))

_BY_WORD = {word: kind for kind in KINDS.values() for word in (kind.keyword, *kind.synonyms)}
_SEVERAL = {"QUEUE": QUEUES, "Q": QUEUES}


def kind_of(word: str) -> Kind | None:
    """The kind with this keyword or synonym (QL), in any case; None when there is none."""
    return _BY_WORD.get(word.upper())


def kinds_of(word: str) -> tuple[Kind, ...]:
    """The kinds that DISPLAY covers for a word: four for QUEUE, otherwise the kind that the word
    names.
    """
    kind = kind_of(word)
    return _SEVERAL.get(word.upper()) or (() if kind is None else (kind,))


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


# The objects of a new queue manager. Each row lists the attributes that differ from the defaults of
# the kind.


class SystemObject(Struct, frozen=True):
    """An object that is created with the queue manager; `kind` is the keyword of its kind."""

    kind: str
    name: str
    overrides: Mapping[str, Stored]
    subtype: str

    @property
    def namespace(self) -> str:
        return KINDS[self.kind].namespace_of(self.subtype)

    def attributes(self) -> dict[str, Stored]:
        """All attributes to store, including the defaults."""
        return {**defaults(KINDS[self.kind], self.subtype, self.name), **self.overrides}


def _overrides(kind: str, description: str, attributes: str) -> dict[str, Stored]:
    given: dict[str, Stored] = {"DESCR": description} if description else {}
    for word in attributes.split():
        keyword, _, text = word.partition("=")
        given[keyword] = stored_value(KINDS[kind].attributes[keyword].type, text)
    return given


SYSTEM_OBJECTS = tuple(
    SystemObject(
        row["kind"],
        row["name"],
        _overrides(row["kind"], row["description"], row["attributes"]),
        row["subtype"],
    )
    for row in table(
        __file__, "system_objects.csv", ("kind", "subtype", "name", "description", "attributes")
    )
)
