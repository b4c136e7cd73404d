"""What a handle has decided of messages before: it holds for those that differ in ids and data alone.

A program puts the same descriptor again and again. Whether it is valid and what the queue manager makes of its fields
is found out once, as long as neither the objects that the handle leads to nor the queue manager are changed.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import NamedTuple

from store.descriptor import ID_LENGTH, MessageDescriptor, texts_of
from store.engine.name_resolution import Destination
from store.headers.mqmd import packed_numbers
from store.sql.message_insert import InsertTemplate
from store.sql.rows import TEMPORARY_DYNAMIC, ManagerRow

# A program that counts in a field which is decided makes a decision with every message: they are forgotten then.
MOST = 256

Likeness = tuple[int, bytes, tuple[str | bytes | None, ...]]


class PreparedPut(NamedTuple):
    """The descriptor as placed, but for ids and moment; the form of its row; up to which length of data it holds."""

    placed: MessageDescriptor
    form: InsertTemplate
    warning: int
    longest: int


class PreparedPuts:
    """What a handle has decided, by likeness."""

    __slots__ = ("_applies", "_destination", "_known", "_qmgr")

    def __init__(self) -> None:
        self._known: dict[Likeness, PreparedPut] = {}
        self._destination: Destination | None = None
        self._qmgr: ManagerRow | None = None
        self._applies = False

    def under(self, destination: Destination, qmgr: ManagerRow) -> dict[Likeness, PreparedPut] | None:
        """Those that hold while these are as they were: rows that changed are others.

        None on the way to another queue manager, where the data has a part in it, and where not all messages may go.
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
    """Keep a decision; where there are too many, instead of all others."""
    if len(known) >= MOST:
        known.clear()
    known[alike] = decision


def look_up(
    known: Mapping[Likeness, PreparedPut], asked: int, given: MessageDescriptor
) -> tuple[Likeness | None, PreparedPut | None]:
    """What decisions of a descriptor go by, and the one that is known.

    Nothing goes by a descriptor with a value that does not fit its field: whoever decides says why.
    """
    msg_id, correl_id, group_id = given.msg_id, given.correl_id, given.group_id
    if not type(msg_id) is type(correl_id) is type(group_id) is type(given.accounting_token) is bytes:
        return None, None
    if not len(msg_id) == len(correl_id) == len(group_id) == ID_LENGTH:
        return None, None
    try:
        alike = asked, packed_numbers(given), texts_of(given)
        return alike, known.get(alike)
    except (TypeError, struct.error):
        return None, None
