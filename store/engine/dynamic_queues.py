"""Dynamic queues, created when a model queue is opened (mqi-semantics §2.3)."""

from typing import Any

from mqsc.store.catalog import KINDS, columns
from mqsc.store.constants import MQRC
from mqsc.store.engine import coupling_structures
from mqsc.store.engine.definitions import Attributes, object_row
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.names import is_object_name
from mqsc.store.rules.sharing import QMGR, SHARED
from mqsc.store.sql import history, objects, queues
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Transaction

PREDEFINED, TEMPORARY = 1, 3
DEFINITION_TYPES = {"PERMDYN": 2, "TEMPDYN": TEMPORARY, "SHAREDYN": 4}
_UNIQUE_PART = 16


def create_dynamic_queue(tx: Transaction, call: CallContext, model: QueueRow, wanted: str) -> str:
    """Create a local queue with the model's attributes; its name. MQError 2011 or 2100.

    A name that ends in an asterisk is completed with 16 unique characters, which must fit. In a
    queue-sharing group DEFTYPE(SHAREDYN) makes a shared queue; MQError 2349 without its structure,
    3211 and 2298 as for its definition.
    """
    name = wanted
    if wanted.endswith("*"):
        stem = wanted[:-1]
        # No generated name contains it: the number of the last event grows with every queue
        # created.
        number = (call.now // MICROSECONDS << 32) + history.bound(tx)[0] % (1 << 32)
        name = stem + f"{number:0{_UNIQUE_PART}X}"
    refuse_if(not is_object_name(name), MQRC.DYNAMIC_Q_NAME_ERROR, wanted)
    refuse_if(queues.visible(tx, call.qmgr, name) is not None, MQRC.OBJECT_ALREADY_EXISTS, name)
    definition = objects.by_name(tx, call.qmgr.name, "queue", model.name)
    taken = KINDS["QLOCAL"].attributes
    attributes = {
        k: v for k, v in (definition.attributes if definition else {}).items() if k in taken
    }
    kind = str(definition.attributes.get("DEFTYPE", "TEMPDYN")) if definition else "TEMPDYN"
    attributes["DEFTYPE"] = kind
    owner = (call.qmgr.sharing_group if kind == "SHAREDYN" else "") or call.qmgr.name
    of_structure = {} if owner == call.qmgr.name else _of_structure(tx, owner, name, attributes)
    disposition = QMGR if owner == call.qmgr.name else SHARED
    objects.add(
        tx,
        object_row(KINDS["QLOCAL"], owner, name, attributes, call.now, disposition=disposition),
    )
    hot = {
        **columns(KINDS["QLOCAL"], attributes),
        "definition_type": DEFINITION_TYPES[kind],
        **of_structure,
    }
    queues.add(tx, {"owner": owner, "name": name, "type": "QLOCAL", **hot})
    record_event(
        tx,
        call,
        "DEFINE",
        owner=owner,
        cause="dynamic",
        queue=name,
        target="QLOCAL",
        rule=model.name,
    )
    return name


def _of_structure(tx: Transaction, group: str, name: str, attributes: Attributes) -> dict[str, Any]:
    coupling_structures.check_shared(name, attributes)
    try:
        return coupling_structures.structure_columns_for(tx, group, attributes)
    except MQError as error:
        if error.reason != MQRC.UNKNOWN_OBJECT_NAME:
            raise
        raise MQError(MQRC.CF_STRUC_ERROR, name) from error


def dynamic_queues_created_by(tx: Transaction, name: str, call: CallContext, handle: int) -> None:
    """Remember the handle that created a temporary dynamic queue: closing it deletes the queue."""
    queue = queues.by_name(tx, call.qmgr.name, name)
    if queue is not None and queue.definition_type == TEMPORARY:
        queues.set_columns(tx, queue.id, {"creator": handle})
