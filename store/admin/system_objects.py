"""strmqm -c: restore the SYSTEM objects to their initial definitions."""

from __future__ import annotations

from typing import NamedTuple

from store.admin.channel_auth import set_channel_rule
from store.admin.defining import create
from store.catalog import KINDS, SYSTEM_OBJECTS
from store.catalog.system_objects import SystemObject
from store.engine.definitions import definable, record_name
from store.engine.state import QueueManagerState
from store.error import MQError
from store.sql import objects
from store.sqlite.database import Reading


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
    return Redefined(done.count(False), done.count(True), [error for error in written if error is not None])


def _is_there(reading: Reading, owner: str, each: SystemObject) -> bool:
    name = record_name(KINDS[each.kind], each.name, each.attributes())
    return objects.by_name(reading, owner, each.namespace, name) is not None


def _write(qmgr: QueueManagerState, each: SystemObject) -> MQError | None:
    """Write one; the failure, or None."""
    words = definable(KINDS[each.kind])
    given = {word: value for word, value in each.attributes().items() if word in words}
    try:
        if each.kind == "CHLAUTH":
            set_channel_rule(qmgr, each.name, {"TYPE": each.subtype, **each.overrides}, "REPLACE")
        else:
            create(qmgr, KINDS[each.kind], each.name, given, replace=True)
    except MQError as error:
        return error
    return None
