"""Which objects a verb takes: those that MQSC gives it and the catalog has."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.known import COMMANDS
from store.catalog import Kind, kinds_of


def objects_of(verb: str) -> Mapping[str, tuple[Kind, ...]]:
    """The objects of a verb with the kinds they cover; a new kind in the catalog is in it at once."""
    return {noun: kinds_of(noun) for noun in sorted(COMMANDS[verb]) if kinds_of(noun)}
