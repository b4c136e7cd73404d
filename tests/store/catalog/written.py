"""Writes stored values as a command would, and reads them again."""

from __future__ import annotations

from mqsc.store.catalog import Attribute, Stored, read_value
from mqsc.store.catalog.types import Flag


def read_back(row: Attribute, stored: Stored) -> Stored:
    """Return what the attribute reads from the text of its own stored value."""
    if isinstance(row.type, Flag):
        return read_value(row, None, stored == row.type.on)
    texts = stored if isinstance(stored, list) else [str(stored)]
    return read_value(row, texts)
