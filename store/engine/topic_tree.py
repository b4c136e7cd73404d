"""The topic tree as the store has it: what applies at a topic string."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError
from mqsc.store.rules.topics import inheritance
from mqsc.store.rules.topics.matching import blocking
from mqsc.store.rules.topics.publication import Defaults
from mqsc.store.rules.topics.topic_strings import branch, full_string
from mqsc.store.sql import objects, subscriptions
from mqsc.store.sqlite.queries import Queries

TOPIC = KINDS["TOPIC"]
DISABLED = "DISABLED"
NOT_ALLOWED = "NO"
YES = "YES"
# The attributes that calls use.
_WORDS = (
    "PUB SUB DURSUB DEFPRTY DEFPSIST DEFPRESP PMSGDLV NPMSGDLV USEDLQ MDURMDL MNDURMDL CAPEXPRY"
).split()


class TopicSettings(Struct, frozen=True):
    """What applies at a topic string: the attributes in force, the objects at and above it, nearest
    first, and the string of the object that blocks wildcards, or None.
    """

    string: str
    attributes: Mapping[str, Any]
    objects: tuple[str, ...]
    block: str | None

    @property
    def allows_publishing(self) -> bool:
        return bool(self.attributes["PUB"] != DISABLED)

    @property
    def uses_dead_letter_queue(self) -> bool:
        return bool(self.attributes["USEDLQ"] == YES)

    def delivery(self, persistence: int) -> str:
        """PMSGDLV or NPMSGDLV: which subscribers a publication must reach."""
        return str(self.attributes["PMSGDLV" if persistence else "NPMSGDLV"])

    @property
    def expiry_caps(self) -> list[int]:
        cap = self.attributes["CAPEXPRY"]
        return [cap] if isinstance(cap, int) else []

    def defaults(self, ccsid: int) -> Defaults:
        """What a publication has where its publisher leaves it open."""
        is_persistent = int(self.attributes["DEFPSIST"] == YES)
        return Defaults(int(self.attributes["DEFPRTY"]), is_persistent, ccsid, self.expiry_caps)


def settings(tx: Queries, call: CallContext, string: str) -> TopicSettings:
    """What applies at a topic string now."""
    found = subscriptions.topic_objects(tx, call.qmgr.name, branch(string))
    attributes = inheritance.effective_attributes(found, string, _WORDS)
    names = tuple(str(found[each]["TOPIC"]) for each in branch(string) if each in found)
    return TopicSettings(string, attributes, names, blocking(found, string))


def string_of(tx: Queries, call: CallContext, object_name: str, given: str) -> str:
    """The full topic string of an object, blank for none, and a string.

    MQError 2085 for an object that does not exist, or neither; 2425 for an empty one, 2441 for one
    that is too long.
    """
    of_object = None
    if object_name:
        definition = objects.by_name(tx, call.qmgr.name, TOPIC.namespace, object_name)
        if definition is None:
            raise MQError(MQRC.UNKNOWN_OBJECT_NAME, object_name)
        of_object = str(definition.attributes["TOPICSTR"])
    full = full_string(of_object, given)
    if full.reason:
        raise MQError(full.reason, object_name or given[:48])
    return full.string


def is_enabled(tx: Queries, call: CallContext) -> bool:
    """Whether PSMODE of the queue manager lets programs publish and subscribe."""
    name = call.qmgr.name
    return bool(objects.attribute(tx, name, "qmgr", name, "PSMODE") != DISABLED)
