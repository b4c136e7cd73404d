"""Coupling facility structures of a queue-sharing group: they limit what their queues store (sharing §3)."""

from __future__ import annotations

from typing import Any

from store.catalog import KINDS, Kind
from store.constants import MQRC, MQRCCF
from store.engine.definitions import Attributes, complete
from store.error import MQError
from store.rules import sharing
from store.rules.sharing import DELETED, CouplingStructure
from store.sql import objects
from store.sql.objects import ObjectRow
from store.sqlite.database import Queries, Transaction

CFSTRUCT = KINDS["CFSTRUCT"]


def columns_for(tx: Queries, group: str, attributes: Attributes) -> dict[str, Any]:
    """The columns of a new shared queue; MQError 2085 without its structure, 3209 when that has 512 queues already."""
    name = str(attributes["CFSTRUCT"])
    found = objects.by_name(tx, group, CFSTRUCT.namespace, name)
    if found is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, name)
    if objects.count_queues_of_structure(tx, group, name) >= sharing.MOST_QUEUES_OF_STRUCTURE:
        raise MQError(MQRCCF.OBJECT_LIMIT_EXCEEDED, name)
    structure = sharing.structure_of(complete(CFSTRUCT, found.attributes))
    return {
        "structure": name,
        "structure_level": structure.level,
        "structure_longest": structure.longest,
        "structure_keeps_persistent": int(structure.keeps_persistent),
    }


def check_rewrite(tx: Queries, kind: Kind, existing: ObjectRow, before: Attributes, after: Attributes) -> None:
    """Check a change of an object of the group: of a shared queue, or of a structure.

    MQError 3211 for another structure and what `check_shared` refuses; 2042 when a change of a structure needs its
    queues empty and closed, and one is not. A change of INDXTYPE needs the same of the queue.
    """
    if kind.keyword == "CFSTRUCT":
        if sharing.needs_unused_queues(sharing.structure_of(before), sharing.structure_of(after)):
            check_unused(tx, existing.owner, existing.name)
        return
    check_shared(existing.name, after)
    if before["CFSTRUCT"] != after["CFSTRUCT"]:
        raise MQError(MQRCCF.DISPOSITION_CONFLICT, existing.name)
    if before["INDXTYPE"] != after["INDXTYPE"] and objects.is_shared_queue_in_use(tx, existing.owner, existing.name):
        raise MQError(MQRC.OBJECT_IN_USE, existing.name)


def check_shared(name: str, attributes: Attributes) -> None:
    """MQError 3211 for attributes that no shared queue can have."""
    fault = sharing.definition_fault(name, attributes)
    if fault:
        raise MQError(fault, name)


def check_unused(tx: Queries, group: str, name: str) -> None:
    """MQError 2042 unless all queues of the structure are empty and closed."""
    if objects.queue_of_structure_in_use(tx, group, name):
        raise MQError(MQRC.OBJECT_IN_USE, name)


def defined(tx: Transaction, group: str, name: str, attributes: Attributes) -> None:
    """The structure was defined or changed: tell its queues."""
    _tell(tx, group, name, sharing.structure_of(attributes))


def deleted(tx: Transaction, group: str, name: str) -> None:
    """The structure was deleted: its queues answer 2349."""
    _tell(tx, group, name, DELETED)


def _tell(tx: Transaction, group: str, name: str, structure: CouplingStructure) -> None:
    persistent = structure.keeps_persistent
    objects.set_limits_of_structure(tx, group, name, structure.level, structure.longest, persistent=persistent)
