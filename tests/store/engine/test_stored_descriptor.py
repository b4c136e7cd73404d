"""A row of the message table as a descriptor."""

from __future__ import annotations

from store.descriptor import FIELDS
from store.engine.stored_descriptor import DESCRIPTOR
from store.sql.rows import StoredMessage


def test_the_fields_of_a_descriptor_stand_together_in_a_row_in_their_order() -> None:
    assert list(StoredMessage._fields)[DESCRIPTOR] == list(FIELDS)
