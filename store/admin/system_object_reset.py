"""strmqm -c: restore the SYSTEM objects to their initial definitions."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.admin import channel_auth_records, defining
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS, SystemObject
from mqsc.store.engine.definitions import definable, record_name
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError
from mqsc.store.sql import objects
from mqsc.store.sqlite.database import Reading


class Redefined(NamedTuple):
    """How many objects were created and replaced, and why the others could not be."""

    created: int
    replaced: int
    failed: list[MQError]


def redefine(qmgr: QueueManagerState) -> Redefined:
    """Create every missing SYSTEM object and reset every other; queues keep their messages.

    An object that is in use or has another type stays unchanged and counts as failed. MQError 2059.
    """
    with qmgr.reading() as (reading, _):
        there = [_is_there(reading, qmgr.name, each) for each in SYSTEM_OBJECTS]
    written = [_write(qmgr, each) for each in SYSTEM_OBJECTS]
    done = [was for was, error in zip(there, written, strict=True) if error is None]
    return Redefined(
        done.count(False),
        done.count(True),
        [error for error in written if error is not None],
    )


def _is_there(reading: Reading, owner: str, system_object: SystemObject) -> bool:
    name = record_name(KINDS[system_object.kind], system_object.name, system_object.attributes())
    return objects.by_name(reading, owner, system_object.namespace, name) is not None


def _write(qmgr: QueueManagerState, system_object: SystemObject) -> MQError | None:
    """Write one; the failure, or None."""
    words = definable(KINDS[system_object.kind])
    attributes = {
        word: value for word, value in system_object.attributes().items() if word in words
    }
    try:
        if system_object.kind == "CHLAUTH":
            channel_auth_records.set_channel_rule(
                qmgr,
                system_object.name,
                {"TYPE": system_object.subtype, **system_object.overrides},
                "REPLACE",
            )
        else:
            defining.create(
                qmgr, KINDS[system_object.kind], system_object.name, attributes, replace=True
            )
    except MQError as error:
        return error
    return None
