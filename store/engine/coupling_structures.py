"""Coupling facility structures of a queue-sharing group: they limit what their queues store (sharing
§3).
"""

from typing import Any

from mqsc.store.catalog import KINDS, Kind
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine.definitions import Attributes, complete
from mqsc.store.error import MQError, refuse_for, refuse_if, required
from mqsc.store.rules import sharing
from mqsc.store.rules.sharing import CouplingStructure
from mqsc.store.sql import objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

CFSTRUCT = KINDS["CFSTRUCT"]


def structure_columns_for(tx: Queries, group: str, attributes: Attributes) -> dict[str, Any]:
    """The columns of a new shared queue; MQError 2085 without its structure, 3209 when that has
    512 queues already.
    """
    name = str(attributes["CFSTRUCT"])
    definition = required(
        objects.by_name(tx, group, CFSTRUCT.namespace, name),
        MQRC.UNKNOWN_OBJECT_NAME,
        name,
    )
    if objects.count_queues_of_structure(tx, group, name) >= sharing.MOST_QUEUES_OF_STRUCTURE:
        raise MQError(MQRCCF.OBJECT_LIMIT_EXCEEDED, name)
    structure = sharing.structure_of(complete(CFSTRUCT, definition.attributes))
    return {
        "structure": name,
        "structure_level": structure.level,
        "structure_longest": structure.longest,
        "structure_keeps_persistent": int(structure.keeps_persistent),
    }


def check_structure_rewrite(
    tx: Queries,
    kind: Kind,
    existing: ObjectRow,
    before: Attributes,
    after: Attributes,
) -> None:
    """Check a change of an object of the group: of a shared queue, or of a structure.

    MQError 3211 for another structure and what `check_shared` refuses; 2042 when a change of a
    structure needs its queues empty and closed, and one is not. A change of INDXTYPE needs the same
    of the queue.
    """
    if kind.keyword == "CFSTRUCT":
        if sharing.needs_unused_queues(sharing.structure_of(before), sharing.structure_of(after)):
            check_structure_unused(tx, existing.owner, existing.name)
        return
    check_shared(existing.name, after)
    refuse_if(before["CFSTRUCT"] != after["CFSTRUCT"], MQRCCF.DISPOSITION_CONFLICT, existing.name)
    if before["INDXTYPE"] != after["INDXTYPE"] and objects.is_shared_queue_in_use(
        tx,
        existing.owner,
        existing.name,
    ):
        raise MQError(MQRC.OBJECT_IN_USE, existing.name)


def check_shared(name: str, attributes: Attributes) -> None:
    """MQError 3211 for attributes that no shared queue can have."""
    refuse_for(sharing.definition_fault(name, attributes), name)


def check_structure_unused(tx: Queries, group: str, name: str) -> None:
    """MQError 2042 unless all queues of the structure are empty and closed."""
    refuse_if(objects.queue_of_structure_in_use(tx, group, name), MQRC.OBJECT_IN_USE, name)


def tell_queues(tx: Transaction, group: str, name: str, structure: CouplingStructure) -> None:
    """A structure was defined or changed, or deleted: its queues have its limits, or answer
    2349.
    """
    persistent = int(structure.keeps_persistent)
    objects.set_limits_of_structure(
        tx,
        group,
        name,
        structure.level,
        structure.longest,
        persistent=persistent,
    )
