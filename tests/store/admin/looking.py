"""Reads what tests of commands check: a row of DISPLAY, the columns of a queue, the history of
an object, refusals.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import Message
from mqsc.store.sql import queues
from mqsc.store.sql.rows import QueueRow
from mqsc.store.sqlite.database import Reading

_HISTORY = (
    "SELECT kind, cause, queue, target, detail, at, user, reason, msg_id FROM event ORDER BY seq"
)
# The environment of a store whose clock tests set.
Frozen = Environment[FrozenClock]


class Happened(NamedTuple):
    """The columns of an event that tests check. `detail` is decoded from JSON."""

    kind: str
    cause: str | None
    queue: str | None
    target: str | None
    detail: Any
    at: int
    user: str
    reason: int | None
    msg_id: bytes | None


def history(store: Store, name: str | None) -> list[Happened]:
    """Return the events of the object with that name, in order; for None, those without an
    object.
    """
    return [each for each in _all(store) if each.queue == name]


def events(store: Store, kind: str) -> list[Happened]:
    """Return the events of a kind, in order."""
    return [each for each in _all(store) if each.kind == kind]


def _all(store: Store) -> list[Happened]:
    with Reading(store.database) as reading:
        found = [Happened._make(row) for row in reading.all(_HISTORY)]
    return [each._replace(detail=each.detail and json.loads(each.detail)) for each in found]


def shown(qmgr: QueueManager, kind: str, name: str) -> dict[str, Any]:
    """Return the row that DISPLAY shows for the only object with that name."""
    (row,) = inquire(qmgr, [KINDS[kind]], name)
    return row


def queue_row(qmgr: QueueManager, name: str) -> QueueRow:
    """Return the columns of a queue that MQI calls read."""
    with Reading(qmgr.store.database) as reading:
        found = queues.by_name(reading, qmgr.name, name)
    assert found is not None
    return found


@contextmanager
def refused(reason: int, name: str | None = None) -> Iterator[None]:
    """What is done inside is refused with this reason, and with the name of this object if one
    is given.
    """
    with pytest.raises(MQError) as caught:
        yield
    assert (caught.value.reason, name and caught.value.object_name) == (reason, name)


def put(qmgr: QueueManager, queue: str, *bodies: bytes, **fields: Any) -> None:
    """Put messages with these bodies, each with the fields in its descriptor, from a connection
    of their own.
    """
    with qmgr.connect() as connection:
        for body in bodies:
            connection.put1(queue, Message(body, MessageDescriptor(**fields)))
