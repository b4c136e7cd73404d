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


class KnownPuts:
    """The decisions about earlier puts through one handle, by what their descriptors have in
    common.
    """

    __slots__ = ("_decided",)

    def __init__(self) -> None:
        self._decided: dict[PutKey, KnownPut] = {}

    def __len__(self) -> int:
        return len(self._decided)

    def find(self, key: PutKey, length: int) -> KnownPut | None:
        """The decisions about a message with so many bytes of data, or None when they are not
        known. TypeError if a value of the descriptor is of a type that its field cannot have.
        """
        known = self._decided.get(key)
        return known if known is not None and length <= known.longest else None

    def keep(self, key: PutKey, known: KnownPut) -> None:
        """Remember decisions for the puts that follow."""
        if len(self._decided) >= MOST_KNOWN:
            self._decided.clear()
        self._decided[key] = known

    def clear(self) -> None:
        """Forget everything, since an object on the way has changed."""
        self._decided.clear()
