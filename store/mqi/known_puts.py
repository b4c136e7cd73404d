"""What a handle remembers of its puts.

Programs put the same descriptor again and again. It is validated, and its fields are decided, once,
as long as neither the objects that the handle resolved through nor the queue manager change.
"""

from __future__ import annotations

from msgspec import Struct

from mqsc.store.descriptor import Likeness, MessageDescriptor
from mqsc.store.sql.message_insert import InsertForm

# A field that changes with every put would fill the cache; clear it at 256.
MOST_KNOWN = 256

# Options of a put, the version of the queue manager's row, and what descriptors have in common.
PutKey = tuple[int, int, Likeness]


class KnownPut(Struct, frozen=True):
    """The decisions about a descriptor, valid for all descriptors that differ from it in ids and
    data alone.

    The descriptor as placed but for ids and time; how it is inserted; the reason of a warning, or
    0; the longest data that this holds for.
    """

    placed: MessageDescriptor
    form: InsertForm
    warning: int
    longest: int


class KnownPuts(dict[PutKey, KnownPut]):
    """The decisions about earlier puts through one handle, by what their descriptors have in
    common. Empty again when an object on the way has changed.
    """

    def keep(self, key: PutKey, known: KnownPut) -> None:
        """Remember decisions for the puts that follow."""
        if len(self) >= MOST_KNOWN:
            self.clear()
        self[key] = known
