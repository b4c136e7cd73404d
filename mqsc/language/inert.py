"""Objects and attributes that are accepted although nothing acts on them.

The rows are in inert.csv: kinds of object, their types or keywords if only these are without
effect, and the reason. Run, check, explain and docs/commands.md read this list. When something
comes to have an effect, remove it here; a test compares the list with the attributes that the
product reads.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from mqsc.language.command_table import QUEUE_NOUNS, SETTING
from mqsc.language.request import Request
from mqsc.store.catalog import KINDS, Attribute, Kind
from mqsc.store.table import table


class InertAttributes(Struct, frozen=True):
    """Attributes of some kinds of object that are kept and displayed only; `sentence` says why."""

    kinds: tuple[str, ...]
    keywords: frozenset[str]
    sentence: str


_ROWS = table(
    __file__,
    "inert.csv",
    ("kinds", "types", "keywords", "sentence"),
    lists={
        "kinds": KINDS,
        "keywords": frozenset().union(*(kind.attributes for kind in KINDS.values())),
    },
)
# Kinds of object that are only kept and displayed, and why.
INERT_OBJECTS: Mapping[str, str] = {
    row["kinds"]: row["sentence"] for row in _ROWS if not (row["types"] or row["keywords"])
}
# The same for types of an object that otherwise works, by its kind and the type.
_INERT_TYPES = {
    (row["kinds"], type): row["sentence"] for row in _ROWS for type in row["types"].split()
}
# The names of these kinds in sentences.
_NAMED = {"CHANNEL": "a channel"}
INERT_ATTRIBUTES = tuple(
    InertAttributes(
        tuple(row["kinds"].split()),
        frozenset(row["keywords"].split()),
        row["sentence"],
    )
    for row in _ROWS
    if row["keywords"]
)
# Kinds of object that work. Only their attributes are listed one by one.
WORKING = (
    *sorted(QUEUE_NOUNS),
    "QMGR",
    "PROCESS",
    "NAMELIST",
    "CFSTRUCT",
    "CHANNEL",
    "AUTHINFO",
    "AUTHREC",
    "CHLAUTH",
    "TOPIC",
    "SUB",
)

# Attributes of queues without effect on shared queues, and why.
INERT_ON_SHARED_QUEUES: Mapping[str, str] = {
    "QSVCIEV": "shared queues cause no service interval events, as in MQ",
    "NPMCLASS": "shared queues keep nonpersistent messages when queue managers end, as in MQ",
}


def inert_because(kind: Kind, attribute: Attribute) -> str:
    """Why nothing acts on an attribute of an object that works; blank if something does."""
    return _inert_attributes(kind.keyword).get(attribute.keyword, "")


@cache
def _inert_attributes(kind: str) -> Mapping[str, str]:
    """The sentence for each attribute of a kind that has one."""
    return {
        keyword: each.sentence
        for each in INERT_ATTRIBUTES
        if kind in each.kinds
        for keyword in each.keywords
    }


def remarks(request: Request) -> Iterator[tuple[str, str]]:
    """The settings of a command that nothing acts on: (keyword, sentence); the keyword is blank for
    the object itself.

    There is one remark for each reason. Values that are the defaults are not remarked on.
    """
    if request.verb not in SETTING:
        return
    if request.noun in INERT_OBJECTS:
        yield "", f"Nothing acts on {request.noun} here: {INERT_OBJECTS[request.noun]}."
    elif request.noun in WORKING:
        kind, said = request.kind, set[str]()
        subtype = str(request.attributes.get(kind.selector, ""))
        why = _INERT_TYPES.get((request.noun, subtype))
        if why is not None:
            yield (
                "",
                f"Nothing acts on {_NAMED.get(request.noun, request.noun)} of type {subtype} here: "
                f"{why}.",
            )
            return
        inert = _inert_attributes(kind.keyword)
        if request.options.get("QSGDISP") == "SHARED":
            inert = {**INERT_ON_SHARED_QUEUES, **inert}
        for keyword, value in request.attributes.items():
            sentence = inert.get(keyword, "")
            if (
                sentence
                and sentence not in said
                and value not in ("", [], kind.attributes[keyword].default_value())
            ):
                said.add(sentence)
                yield keyword, f"{keyword} has no effect: {sentence}."
