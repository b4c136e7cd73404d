"""Prepared puts: what was decided about a descriptor holds for every descriptor that differs in ids and data alone.

Programs put the same descriptor again and again. It is validated, and its fields are decided, once, as long as neither
the objects that the handle resolved through nor the queue manager change.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from store.descriptor import ID_LENGTH, MessageDescriptor
from store.engine.name_resolution import Destination
from store.sql.message_insert import InsertTemplate
from store.sql.rows import TEMPORARY_DYNAMIC, ManagerRow

# A field that changes with every put would fill the cache; clear it at 256.
MOST = 256

Likeness = tuple[int, tuple[bytes | str | None, ...]]


@dataclass(slots=True)
class PreparedPut:
    """The descriptor as placed but for ids and time; its insert template; the longest data that this holds for."""

    fields: tuple[Any, ...]
    form: InsertTemplate
    warning: int
    longest: int


class PreparedPuts:
    """The prepared puts of a handle."""

    __slots__ = ("_applies", "_destination", "_known", "_qmgr")

    def __init__(self) -> None:
        self._known: dict[Likeness, PreparedPut] = {}
        self._destination: Destination | None = None
        self._qmgr: ManagerRow | None = None
        self._applies = False

    def valid_for(self, destination: Destination, qmgr: ManagerRow) -> dict[Likeness, PreparedPut] | None:
        """The prepared puts that hold for these rows: rows that changed are new objects.

        None where the data matters too (on the way to another queue manager) and where some messages are refused.
        """
        if self._destination is not destination or self._qmgr is not qmgr:
            self._known.clear()
            queue = destination.queue
            self._applies = not (
                destination.is_remote or queue.is_transmission or queue.definition_type == TEMPORARY_DYNAMIC
            )
            self._destination, self._qmgr = destination, qmgr
        return self._known if self._applies else None


def remember(known: dict[Likeness, PreparedPut], alike: Likeness, decision: PreparedPut) -> None:
    """Keep a prepared put; a full cache is cleared first."""
    if len(known) >= MOST:
        known.clear()
    known[alike] = decision


def look_up(
    known: Mapping[Likeness, PreparedPut], asked: int, given: MessageDescriptor
) -> tuple[Likeness | None, PreparedPut | None]:
    """The cache key of a descriptor, and the prepared put found under it.

    (None, None) for a descriptor with a value that does not fit its field: preparing it explains the fault.
    """
    msg_id, correl_id, group_id = given.msg_id, given.correl_id, given.group_id
    if not type(msg_id) is type(correl_id) is type(group_id) is type(given.accounting_token) is bytes:
        return None, None
    if not len(msg_id) == len(correl_id) == len(group_id) == ID_LENGTH:
        return None, None
    try:
        alike = asked, given.likeness()
        return alike, known.get(alike)
    except (TypeError, struct.error):
        return None, None
