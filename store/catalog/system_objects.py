"""The objects of a new queue manager. Each row lists the attributes that differ from the defaults of the kind."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from store.catalog.kind import defaults
from store.catalog.kinds import KINDS
from store.catalog.tables import stored_value
from store.catalog.types import Stored
from store.table import table


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
        row["kind"], row["name"], _overrides(row["kind"], row["description"], row["attributes"]), row["subtype"]
    )
    for row in table(__file__, "system_objects.csv")
)
