"""What a handle has decided of messages before: it holds for those that differ in ids and data alone.

A program puts the same descriptor again and again. Whether it is valid and what the queue manager makes of its fields
is found out once, as long as neither the objects that the handle leads to nor the queue manager are changed.
"""

from __future__ import annotations

import struct
from operator import attrgetter
from typing import NamedTuple

from store.descriptor import ID_LENGTH, LIKENESS, MessageDescriptor
from store.flow.resolve import Destination
from store.headers.mqmd import packed_numbers
from store.sql.placing import Form
from store.sql.rows import ManagerRow

# A program that counts in a field which is decided makes a decision with every message: they are forgotten in time.
MOST = 256
_LIKE = attrgetter(*LIKENESS)

Likeness = tuple[int, bytes, tuple[str | bytes | None, ...]]


class Decision(NamedTuple):
    """The descriptor as placed, but for ids and moment; the form of its row; up to which length of data it holds."""

    placed: MessageDescriptor
    form: Form
    warning: int
    longest: int


class Decisions:
    """What a handle has decided, by likeness."""

    __slots__ = ("_destination", "_known", "_qmgr")

    def __init__(self) -> None:
        self._known: dict[Likeness, Decision] = {}
        self._destination: Destination | None = None
        self._qmgr: ManagerRow | None = None

    def under(self, destination: Destination, qmgr: ManagerRow) -> dict[Likeness, Decision]:
        """Those that hold while these are as they were: rows that changed are others."""
        if self._destination is not destination or self._qmgr is not qmgr or len(self._known) > MOST:
            self._known.clear()
            self._destination, self._qmgr = destination, qmgr
        return self._known


def likeness(asked: int, given: MessageDescriptor) -> Likeness | None:
    """What decisions go by; None for a descriptor that nothing can be known of: a value may not fit its field."""
    ids = given.msg_id, given.correl_id, given.group_id
    for each in ids:
        if type(each) is not bytes or len(each) != ID_LENGTH:
            return None
    try:
        alike = asked, packed_numbers(given), _LIKE(given)
        hash(alike)
    except (TypeError, struct.error):
        return None
    return alike
