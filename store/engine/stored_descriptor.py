"""The message descriptor of a stored message."""

from __future__ import annotations

from typing import Any

from store.descriptor import FIELDS, NO_ID, NO_TOKEN, MessageDescriptor
from store.rules.expiry import elapsed_tenths
from store.sql.rows import StoredMessage

# A row holds the fields of the descriptor next to each other, in order (a test compares).
_FIRST = StoredMessage._fields.index(FIELDS[0])
DESCRIPTOR = slice(_FIRST, _FIRST + len(FIELDS))


def descriptor_of(found: StoredMessage, now: int) -> MessageDescriptor:
    """The descriptor of a stored message at `now`: Expiry is the time that remains, at least 1, or -1."""
    row: tuple[Any, ...] = found
    descriptor = MessageDescriptor.of_fields(row[DESCRIPTOR])
    descriptor.put_at = found.put_at
    if descriptor.expiry >= 0:
        descriptor.expiry = max(1, descriptor.expiry - elapsed_tenths(found.put_at, now))
    descriptor.correl_id = found.correl_id or NO_ID
    descriptor.accounting_token = found.accounting_token or NO_TOKEN
    descriptor.group_id = found.group_id or NO_ID
    return descriptor
