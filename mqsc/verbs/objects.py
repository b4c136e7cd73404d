"""Which objects a verb takes: those that MQSC gives it and the catalog has."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.known import COMMANDS
from store.catalog import Kind, kinds_of

# Where the names live of the kinds of object that commands work on so far.
BUILT = frozenset({"qmgr", "queue", "process"})


def objects_of(verb: str) -> Mapping[str, tuple[Kind, ...]]:
    """The objects of a verb with the kinds they cover, of those that are built."""
    found = {noun: kinds_of(noun) for noun in sorted(COMMANDS[verb])}
    return {noun: kinds for noun, kinds in found.items() if any(kind.namespace in BUILT for kind in kinds)}
